import CThumbLinux
import Foundation
import ThumbLoop
import thumbturn_test_daemon
import thumbturn_test_programs

/// A desktop's Secret Service of a test's own: a bus, our provider on it, and what keeps its items: a simulated device whose owner the
/// test plays, or a real daemon with a store that outlives it.
public final class SecretServiceStage: @unchecked Sendable {
    // @unchecked: a test uses it from one thread at a time.
    public struct NotThere: Error {
        public let what: String

        public init(what: String) { self.what = what }
    }
    /// What keeps the items.
    public enum Keeper: Sendable { case simulated, daemon }

    public let folder: String
    public var address: String { "unix:path=\(folder)/bus" }
    public private(set) var provider: Child?
    public private(set) var daemon: Daemon?
    private var bus: Child?
    private var simulator: Talker?

    private var device: String { simulator == nil ? folder + "/device" : folder + "/simulated/socket" }
    /// What anything here takes to come up on a busy machine, in hundredths of a second.
    private static let patience = 3000

    /// Starts bus, device and provider, and waits until the provider answers.
    public init(_ keeper: Keeper) throws {
        folder = "/tmp/ss-\(UInt32.random(in: 0 ... .max))"
        for name in ["", "/state", "/simulated"] {
            try FileManager.default.createDirectory(
                atPath: folder + name, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        try Self.configuration(folder).write(toFile: folder + "/bus.conf", atomically: true, encoding: .utf8)
        bus = try Child("/usr/bin/dbus-daemon", ["--config-file=\(folder)/bus.conf", "--nofork", "--nopidfile"])
        try appears(folder + "/bus")
        switch keeper {
        case .daemon: try startDaemon()
        case .simulated:
            simulator = try Talker(
                builtPrograms.appending(path: "thumbturn-simulator").path, ["--folder", folder + "/simulated"])
            guard simulator?.line() == "ready" else { throw NotThere(what: "a simulated device") }
        }
        try startProvider()
    }

    deinit {
        simulator?.end()
        for child in [provider, daemon?.child, bus] { child?.killed() }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Starts the provider, after it was killed.
    public func startProvider() throws {
        let (reading, writing) = try makePipe()
        defer { close(reading) }
        let variables = ["THUMBTURN_SOCKET": device, "HOME": folder, "XDG_RUNTIME_DIR": folder]
        provider = try Child(
            "thumbturn-secrets", ["--bus", address, "--ready-fd", "3"], environment: variables, passing: writing)
        close(writing)
        var byte: UInt8 = 0
        guard read(reading, &byte, 1) == 1 else { throw NotThere(what: "a provider") }
    }

    /// Starts the daemon, after it was killed.
    public func startDaemon() throws {
        daemon = try Daemon.listening(state: folder + "/state", ["--socket", folder + "/device"])
        if daemon == nil { throw NotThere(what: "a daemon") }
    }

    /// Has the simulated device's owner do something, in a word of `thumbturn simulate control`; what is answered.
    @discardableResult public func owner(_ line: String) throws -> String {
        guard case .success(let fd) = UnixSocket.connect(to: folder + "/simulated/control") else {
            throw NotThere(what: "a simulated device")
        }
        let socket = FileHandle(fileDescriptor: fd, closeOnDealloc: true)
        try socket.write(contentsOf: Data((line + "\n").utf8))
        return String(decoding: try socket.readToEnd() ?? Data(), as: UTF8.self)
    }

    /// How many times the owner was asked so far.
    public func prompts() throws -> Int {
        try owner("prompts").split(separator: "\n").count { $0 != "ok" }
    }

    /// A program of the desktop: the test reader at another path is another program.
    public func program(_ name: String) throws -> Talker {
        let path = folder + "/" + name
        if access(path, F_OK) != 0 { try copyProgram("thumbturn-test-reader", to: path) }
        return try Talker(path, [address])
    }

    /// A script of the desktop, which reads the item with a name and says what the test reader does. nil: it said nothing.
    public func script(_ name: String, reads item: String) throws -> String? {
        let path = folder + "/" + name
        if access(path, F_OK) != 0 { try writeScript(PythonReader.text, to: path) }
        // A script that was written just before it runs has no identity.
        usleep(40_000)
        let script = try Talker("/usr/bin/python3", [path, address, item])
        return script.line()
    }

    private func appears(_ path: String) throws {
        for _ in 0..<Self.patience {
            if access(path, F_OK) == 0 { return }
            usleep(10_000)
        }
        throw NotThere(what: path)
    }

    private static func configuration(_ folder: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
          "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>unix:path=\(folder)/bus</listen>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
          </policy>
          <limit name="auth_timeout">240000</limit>
        </busconfig>
        """
    }
}
