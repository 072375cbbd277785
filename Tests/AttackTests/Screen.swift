import CThumbLinux
import Foundation
import thumbturn_test_daemon
import thumbturn_test_programs

/// A display with nobody in front of it.
final class Screen {
    private let server: Child
    let name: String

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard thumb_pipe2(&ends, O_CLOEXEC) == 0 else { throw CannotStart(program: "a pipe") }
        defer { close(ends[0]) }
        server = try Child(
            "/usr/bin/Xvfb", ["-displayfd", "3", "-screen", "0", "600x600x24", "-nolisten", "tcp", "-noreset", "-ac"],
            passing: ends[1])
        close(ends[1])
        var digits: [UInt8] = []
        var byte: UInt8 = 0
        while read(ends[0], &byte, 1) == 1, byte != UInt8(ascii: "\n") { digits.append(byte) }
        guard !digits.isEmpty else { throw CannotStart(program: "Xvfb") }
        name = ":" + String(decoding: digits, as: UTF8.self)
    }

    deinit {
        kill(server.pid, SIGTERM)
        server.end()
    }
}
