import CThumbLinux
import Foundation
import ThumbSecrets

/// A TPM of a test's own: swtpm with its state and its socket in a private folder. Ended, and its folder removed, with the last
/// reference.
public final class SoftwareTPM: @unchecked Sendable {
    // @unchecked: `process` is touched by one thread at a time.
    public struct CannotStart: Error {}

    public let folder: String
    public var socket: String { folder + "/tpm" }
    private var process: Int32 = -1

    /// The stack tells of each failure on standard error, and tests provoke many.
    private static let quietStack: Void = { setenv("TSS2_LOG", "all+none", 1) }()

    /// Those that run, by the descriptor of their process. A custodian's thread may hold the last reference when the tests' process
    /// ends, and no deinit runs then.
    private static let running = Locked<[Int32: String]>([:])
    private static let endsWithUs: Void = {
        atexit {
            // Under the lock: a custodian's thread may let go of one just now, and its descriptor's number would be somebody else's.
            SoftwareTPM.running.withLock { running in
                for (process, folder) in running {
                    SoftwareTPM.kill(process)
                    try? FileManager.default.removeItem(atPath: folder)
                }
            }
        }
    }()

    /// Kills it, and waits for its end; no tests' process hangs on the way out because one doesn't end.
    private static func kill(_ process: Int32) {
        pidfd_send_signal(process, SIGKILL, nil, 0)
        var poll = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
        while CThumbLinux.poll(&poll, 1, 10_000) < 0 {}
    }

    public init() throws {
        _ = (Self.quietStack, Self.endsWithUs)
        folder = NSTemporaryDirectory() + "tpm-" + UUID().uuidString.prefix(13)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try start()
    }

    deinit {
        end()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Starts it on the state that is there; it listens when this returns.
    public func start() throws {
        // It goes into the background once it listens: the end of what we start here is the sign.
        try Program.run(
            "/usr/bin/swtpm",
            [
                "socket", "--tpm2", "--tpmstate", "dir=\(folder)", "--server", "type=unixio,path=\(socket)", "--ctrl",
                "type=unixio,path=\(socket).ctrl", "--flags", "not-need-init", "--daemon", "--pid", "file=\(folder)/pid",
            ], keepsOutput: false)
        let text = try String(contentsOfFile: folder + "/pid", encoding: .utf8)
        guard let pid = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw CannotStart() }
        process = pidfd_open(pid, 0)
        guard process >= 0 else { throw CannotStart() }
        Self.running.withLock { $0[process] = folder }
    }

    /// Kills it where it stands, as a power cut would, and waits for its end. Its state stays.
    public func end() {
        guard process >= 0 else { return }
        Self.kill(process)
        Self.running.withLock { $0[process] = nil }
        close(process)
        process = -1
        try? FileManager.default.removeItem(atPath: socket)
        try? FileManager.default.removeItem(atPath: socket + ".ctrl")
    }

    /// Ends it, forgets all that it kept, and starts it: another TPM at the same place.
    public func replace() throws {
        end()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try FileManager.default.removeItem(atPath: folder + "/" + name)
        }
        try start()
    }
}
