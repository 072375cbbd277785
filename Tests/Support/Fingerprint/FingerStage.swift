import CThumbLinux
import Foundation
import ThumbBus
import ThumbLoop
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_programs

/// A bus of a test's own, with the real fprintd, the real polkit and libfprint's virtual reader on it. fprintd and polkit are started
/// by the bus, as on a real system.
public final class FingerStage: Sendable {
    public struct NotThere: Error { let what: String }

    public let folder: String
    private let daemon: Locked<Child>
    private let identifies: Bool
    public var bus: String { "unix:path=\(folder)/bus" }
    /// fprintd's state folder.
    public var templates: String { folder + "/fprint" }
    /// Where the virtual reader listens while it is open.
    public var reader: String { folder + "/reader" }
    /// Whom everything here runs as.
    public var user: UInt32 { getuid() }
    public var userName: String { String(cString: getpwuid(getuid()).pointee.pw_name) }

    /// - Parameter identifies: whether the reader finds the finger among all, or looks at one that it is told.
    public static func start(identifies: Bool = false) async throws -> FingerStage {
        // The loop serves every test of the process: it waits for no program.
        try await onThread { try FingerStage(identifies) }
    }

    private init(_ identifies: Bool) throws {
        for program in ["/usr/bin/dbus-daemon", Self.fprintd] where access(program, X_OK) != 0 { throw NotThere(what: program) }
        // Short: a socket's path has about a hundred bytes. Open to others: one of the attackers is another user.
        folder = "/tmp/fp-\(UInt32.random(in: 0 ... .max))"
        let manager = FileManager.default
        for (name, mode) in [("", 0o755), ("/services", 0o755), ("/fprint", 0o700)] {
            try manager.createDirectory(
                atPath: folder + name, withIntermediateDirectories: true, attributes: [.posixPermissions: mode])
        }
        try Self.configuration(folder).write(toFile: folder + "/bus.conf", atomically: true, encoding: .utf8)
        try Self.service("net.reactivated.Fprint", Self.fprintd + " -t", in: folder)
        try Self.service("org.freedesktop.PolicyKit1", Self.polkit, in: folder)
        self.identifies = identifies
        daemon = Locked(try Self.start(folder, identifies))
    }

    deinit {
        // What the bus started ends when the bus does.
        let daemon = daemon.withLock { $0 }
        daemon.send(SIGTERM)
        Thread.detachNewThread { [daemon, folder] in
            daemon.end()
            try? FileManager.default.removeItem(atPath: folder)
        }
    }

    /// Ends the bus, and with it everything that was on it.
    public func endBus() {
        let daemon = daemon.withLock { $0 }
        daemon.send(SIGTERM)
        daemon.end()
    }

    /// Starts it again, at the same address.
    public func startBusAgain() throws {
        let again = try Self.start(folder, identifies)
        daemon.withLock { $0 = again }
    }

    static let fprintd = "/usr/libexec/fprintd"

    /// polkit lets root do everything, which is whom these tests run as; as anybody else they take the mock, which is told to.
    private static var polkit: String {
        getuid() == 0
            ? "/usr/lib/polkit-1/polkitd --no-debug"
            : "/usr/bin/python3 -m dbusmock --session --template polkitd"
    }

    private static func configuration(_ folder: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
          "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <listen>unix:path=\(folder)/bus</listen>
          <auth>EXTERNAL</auth>
          <servicedir>\(folder)/services</servicedir>
          <policy context="default">
            <allow user="*"/><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/>
          </policy>
          <limit name="auth_timeout">240000</limit>
        </busconfig>
        """
    }

    private static func service(_ name: String, _ command: String, in folder: String) throws {
        try "[D-BUS Service]\nName=\(name)\nExec=\(command)\n".write(
            toFile: "\(folder)/services/\(name).service", atomically: true, encoding: .utf8)
    }

    private static func start(_ folder: String, _ identifies: Bool) throws -> Child {
        var ends: [Int32] = [-1, -1]
        guard thumb_pipe2(&ends, O_CLOEXEC) == 0 else { throw NotThere(what: "a pipe") }
        defer { close(ends[0]) }
        let address = "unix:path=\(folder)/bus"
        let daemon = try Child(
            "/usr/bin/dbus-daemon", ["--config-file=\(folder)/bus.conf", "--nofork", "--print-address=3"],
            environment: [
                "PATH": "/usr/bin:/bin", "DBUS_SYSTEM_BUS_ADDRESS": address, "DBUS_SESSION_BUS_ADDRESS": address,
                "STATE_DIRECTORY": folder + "/fprint",
                identifies ? "FP_VIRTUAL_DEVICE_STORAGE" : "FP_VIRTUAL_DEVICE": folder + "/reader",
            ], passing: ends[1])
        close(ends[1])
        var byte: UInt8 = 0
        guard read(ends[0], &byte, 1) == 1 else { throw NotThere(what: "a bus") }
        return daemon
    }

    /// Lets polkit's mock allow everything; nothing to do where polkit is real.
    @OnLoop public func prepare() async throws {
        if getuid() == 0 { return }
        let bus = try Bus(address: bus)
        _ = try await bus.call(
            BusCall(
                "org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority", "org.freedesktop.DBus.Mock",
                "AllowUnknown",
                [.bool(true)]), within: 30)
    }

    /// The process that has fprintd's name.
    @OnLoop public func fprintdProcess() async throws -> pid_t {
        let bus = try Bus(address: bus)
        let reply = try await bus.call(
            BusCall(
                Bus.driver, "/org/freedesktop/DBus", Bus.driver, "GetConnectionUnixProcessID", [.string("net.reactivated.Fprint")]
            ),
            within: 30)
        return pid_t(truncatingIfNeeded: reply.values.first?.number ?? 0)
    }
}
