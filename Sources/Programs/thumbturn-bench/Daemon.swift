internal import CThumbLinux
internal import Foundation
internal import ThumbClient

/// A daemon of the bench's own, in a folder that goes with it.
final class Daemon {
    let folder: String
    let socket: String
    private let process = Process()

    init() throws {
        folder = NSTemporaryDirectory() + "/thumbturn-bench-" + UUID().uuidString
        for name in ["", "/run", "/state"] {
            try FileManager.default.createDirectory(
                atPath: folder + name, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        socket = folder + "/run/socket"
        process.executableURL = Self.program
        process.arguments = ["--serve", "--socket", socket, "--state", folder + "/state"]
        try process.run()
        for _ in 0..<500 where !FileManager.default.fileExists(atPath: socket) { usleep(10_000) }
        unsafe setenv("THUMBTURN_SOCKET", socket, 1)
        DeviceClient.shared.install(nil)
    }

    static var program: URL {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("thumbturnd")
    }

    /// Resident memory in MiB, as the kernel counts it.
    func residentMiB() throws -> Double { try Self.residentMiB(process.processIdentifier) }

    static func residentMiB(_ pid: Int32) throws -> Double {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let kibibytes = Double(line.split(separator: " ").dropFirst().first ?? "")
        else { throw BenchError("no VmRSS") }
        return kibibytes / 1024
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
        unsafe unsetenv("THUMBTURN_SOCKET")
        DeviceClient.shared.install(nil)
        try? FileManager.default.removeItem(atPath: folder)
    }
}
