import CThumbLinux
import Foundation
import ThumbClient
import ThumbLoop

/// A daemon of the bench's own, in a folder that is removed with it.
final class Daemon {
    let folder: String
    let socket: String
    /// Its own connection, because several daemons answer in turn.
    let client: DeviceClient
    private let process = Process()

    /// Starts a daemon on a new store, or on a copy of the one in `state`.
    init(state: String? = nil, under base: String = NSTemporaryDirectory(), arguments: [String] = []) throws {
        folder = base + "/thumbturn-bench-" + UUID().uuidString
        try Self.make(folder)
        try Self.make(folder + "/run")
        if let state {
            try FileManager.default.copyItem(atPath: state, toPath: folder + "/state")
        } else {
            try Self.make(folder + "/state")
        }
        socket = folder + "/run/socket"
        client = DeviceClient { [socket] in try? UnixSocket.connect(to: socket).get() }
        process.executableURL = Self.program
        process.arguments = ["--serve", "--socket", socket, "--state", folder + "/state"] + arguments
        try process.run()
        // The daemon counts a large store before its socket exists.
        for _ in 0..<3000 where !FileManager.default.fileExists(atPath: socket) { usleep(10_000) }
    }

    private static func make(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    static var program: URL { program("thumbturnd") }

    /// The path of one of our programs, in the bench's folder.
    static func program(_ name: String) -> URL {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent(name)
    }

    /// Makes it this process's device.
    func install() {
        unsafe setenv("THUMBTURN_SOCKET", socket, 1)
        DeviceClient.shared.install(nil)
    }

    /// Resident memory in MiB by the kernel's count: the present amount, or the peak.
    func residentMiB(peak: Bool = false) throws -> Double {
        let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let field = peak ? "VmHWM:" : "VmRSS:"
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(field) }),
            let kibibytes = Double(line.split(separator: " ").dropFirst().first ?? "")
        else { throw BenchError("no \(field)") }
        return kibibytes / 1024
    }

    /// How many bytes the store takes on disk.
    func storeBytes() throws -> Double {
        let state = folder + "/state"
        return try FileManager.default.contentsOfDirectory(atPath: state).reduce(0) { sum, name in
            let size = try FileManager.default.attributesOfItem(atPath: state + "/" + name)[.size] as? NSNumber
            return sum + (size?.doubleValue ?? 0)
        }
    }

    /// Ends it cleanly. Its store stays until `remove()`.
    func end() {
        process.terminate()
        process.waitUntilExit()
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    func stop() {
        end()
        unsafe unsetenv("THUMBTURN_SOCKET")
        DeviceClient.shared.install(nil)
        remove()
    }
}
