import CThumbLinux
import Foundation
import Testing
import thumbturn_test_programs

/// A bus of its own, a simulated device, and the provider between them.
final class ProviderStage {
    let folder: String
    private let environment: [String: String]
    private var processes: [pid_t] = []
    private(set) var device: pid_t = 0
    private var provider: pid_t = 0
    private var ownersEnd: Int32 = -1

    /// - Parameter answers: what the simulated owner answers, one after the other; everything is approved without any.
    init(answers: [String] = []) throws {
        folder = "/tmp/turn-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(
            atPath: folder + "/device", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        environment = [
            "PATH": "/usr/bin:/bin", "HOME": folder, "LANG": "C.UTF-8", "TZ": "UTC",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder)/bus", "THUMBTURN_SOCKET": "\(folder)/device/socket",
        ]
        _ = FileManager.default.createFile(atPath: folder + "/errors", contents: nil)
        try Data(Self.configuration(folder).utf8).write(to: URL(filePath: folder + "/bus.conf"))
        try start(["/usr/bin/dbus-daemon", "--config-file=\(folder)/bus.conf", "--nofork"])
        try startDevice(answers)
        try appears("bus")
        try startProvider()
    }

    deinit {
        if ownersEnd >= 0 { close(ownersEnd) }
        for process in processes + [device, provider] where process > 0 {
            kill(process, SIGKILL)
            _ = waited(for: process)
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The registry of protected programs, which isn't there unless a test writes it.
    var registry: String { folder + "/protected" }

    /// No services to start: what the machine has must not answer here.
    private static func configuration(_ folder: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig><type>session</type><listen>unix:path=\(folder)/bus</listen><auth>EXTERNAL</auth>
        <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy>
        <limit name="max_completed_connections">4096</limit><limit name="max_connections_per_user">4096</limit>
        <limit name="max_incoming_bytes">1000000000</limit><limit name="max_outgoing_bytes">1000000000</limit>
        <limit name="max_message_size">1000000000</limit><limit name="auth_timeout">240000</limit></busconfig>
        """
    }

    private func start(_ words: [String]) throws {
        processes.append(try spawn(words, environment, [.nothing, .nothing, .file(folder + "/errors")]))
    }

    private func startDevice(_ answers: [String]) throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let more = answers.isEmpty ? [] : ["--answers", answers.joined(separator: ",")]
        device = try spawn(
            [builtPrograms.appending(path: "thumbturn-simulator").path, "--folder", folder + "/device"] + more, environment,
            [.descriptor(ends[0]), .nothing, .nothing])
        close(ends[0])
        // The device ends when this is closed.
        _ = thumb_fcntl(ends[1], F_SETFD, Int(FD_CLOEXEC))
        ownersEnd = ends[1]
        try appears("device/control")
    }

    private func appears(_ name: String) throws {
        for _ in 0..<3000 where !FileManager.default.fileExists(atPath: "\(folder)/\(name)") { usleep(10_000) }
        try #require(FileManager.default.fileExists(atPath: "\(folder)/\(name)"), "\(name) doesn't appear")
    }

    /// Starts the provider, and waits until it answers.
    func startProvider() throws {
        _ = FileManager.default.createFile(atPath: folder + "/log", contents: nil)
        provider = try spawn(
            [
                builtPrograms.appending(path: "thumbturn-secrets").path, "--bus", "unix:path=\(folder)/bus",
                "--protected", registry,
            ], environment, [.nothing, .nothing, .file(folder + "/log")])
        try #require(run("gdbus wait --session --timeout 60 org.freedesktop.secrets").status == 0, "the provider doesn't answer")
    }

    /// Starts a provider as a bus does, which ends after some seconds in which nobody needs it; returns how it ended.
    func startedByTheBus(idle seconds: Int = 1, while lines: String) throws -> (status: Int32, output: String) {
        killProvider()
        var variables = environment
        variables["DBUS_STARTER_BUS_TYPE"] = "session"
        let started = try spawn(
            [
                builtPrograms.appending(path: "thumbturn-secrets").path, "--bus", "unix:path=\(folder)/bus",
                "--idle", "\(seconds)",
            ], variables, [.nothing, .nothing, .file(folder + "/log")])
        let output = try run("gdbus wait --session --timeout 60 org.freedesktop.secrets; \(lines)").output
        return (waited(for: started), output)
    }

    /// How a provider ends that is started with these words on a bus of its own environment.
    func ending(_ words: [String], hasDevice: Bool = true) throws -> Int32 {
        var variables = environment
        if !hasDevice { variables["THUMBTURN_SOCKET"] = nil }
        return waited(
            for: try spawn(
                [builtPrograms.appending(path: "thumbturn-secrets").path] + words, variables, [.nothing, .nothing, .nothing]))
    }

    /// Stops the device's process, which then hangs.
    func stopDevice() { kill(device, SIGSTOP) }

    /// Lets the device's process go on.
    func continueDevice() { kill(device, SIGCONT) }

    /// Ends the provider without a chance to say anything.
    func killProvider() {
        kill(provider, SIGKILL)
        _ = waited(for: provider)
        provider = 0
    }

    /// Runs lines of the shell as a client. They have a minute.
    func run(_ lines: String) throws -> (output: String, errors: String, status: Int32) {
        let (output, errors) = (folder + "/output", folder + "/client-errors")
        for name in [output, errors] { _ = FileManager.default.createFile(atPath: name, contents: nil) }
        let client = try spawn(
            ["/usr/bin/timeout", "60", "/bin/sh", "-c", lines], environment, [.nothing, .file(output), .file(errors)])
        let status = waited(for: client)
        func text(_ name: String) -> String {
            String(decoding: FileManager.default.contents(atPath: name) ?? Data(), as: UTF8.self)
        }
        return (text(output), text(errors), status)
    }

    /// Waits for what comes within half a minute; false if it doesn't.
    func waits(for condition: () throws -> Bool) rethrows -> Bool {
        for _ in 0..<600 {
            if try condition() { return true }
            usleep(50_000)
        }
        return false
    }

    /// Writes a program of Python's into the folder and returns how to start it.
    func program(_ name: String, _ text: String) throws -> String {
        let path = try file(name + ".py", text)
        // A script that was written just before it runs has no identity.
        usleep(40_000)
        return "/usr/bin/python3 \(path)"
    }

    /// Writes a file into the folder, unless it says the same already; returns its path.
    func file(_ name: String, _ text: String) throws -> String {
        let path = "\(folder)/\(name)"
        if FileManager.default.contents(atPath: path) != Data(text.utf8) { try Data(text.utf8).write(to: URL(filePath: path)) }
        return path
    }

    /// What the provider has logged.
    var log: String { String(decoding: FileManager.default.contents(atPath: folder + "/log") ?? Data(), as: UTF8.self) }

    /// Tells the simulated owner something; returns what comes back.
    func owner(_ line: String) throws -> String {
        try run(
            """
            /usr/bin/python3 -c 'import socket,sys
            s = socket.socket(socket.AF_UNIX); s.connect("\(folder)/device/control"); s.send(b"\(line)\\n")
            while True:
                b = s.recv(65536)
                if not b: break
                sys.stdout.write(b.decode())'
            """
        ).output
    }
}
