import Foundation
import Glibc

enum Memory {
    /// What a process has in memory of its own, locked or not, in KiB.
    static func anonymous(of pid: pid_t) -> Int {
        guard let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8) else { return 0 }
        for line in status.split(separator: "\n") where line.hasPrefix("RssAnon:") {
            return Int(line.split(whereSeparator: { !$0.isNumber }).first ?? "") ?? 0
        }
        return 0
    }
}
