import CThumbLinux
import Foundation
import ThumbBus
import ThumbLoop
import ThumbSecrets
import thumbturn_test_programs

/// A bus of a test's own, with nobody on it.
final class OwnBus: Sendable {
    let folder: String
    private let daemon: Locked<pid_t?>
    var address: String { "unix:path=\(folder)/bus" }

    static func start() async throws -> OwnBus { try await onThread { try OwnBus() } }

    private init() throws {
        // Short: a socket's path has about a hundred bytes.
        folder = "/tmp/bt-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let page = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
              "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type><listen>unix:path=\(folder)/bus</listen><auth>EXTERNAL</auth>
              <policy context="default">
                <allow user="*"/><allow own="*"/><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
              </policy>
              <limit name="auth_timeout">240000</limit><limit name="max_replies_per_connection">50000</limit>
              <limit name="max_incoming_bytes">1000000000</limit><limit name="max_outgoing_bytes">1000000000</limit>
            </busconfig>
            """
        try page.write(toFile: folder + "/bus.conf", atomically: true, encoding: .utf8)
        let (reading, writing) = try makePipe()
        defer { close(reading) }
        let pid = try spawn(
            ["/usr/bin/dbus-daemon", "--config-file=\(folder)/bus.conf", "--nofork", "--print-address=3"], ["PATH": "/usr/bin"],
            [.nothing, .nothing, .nothing, .descriptor(writing)])
        close(writing)
        daemon = Locked(pid)
        var byte: UInt8 = 0
        guard read(reading, &byte, 1) == 1 else { throw CannotStart(program: "dbus-daemon") }
    }

    deinit {
        let (pid, folder) = (daemon.withLock { $0 }, folder)
        if let pid { kill(pid, SIGTERM) }
        Thread.detachNewThread {
            if let pid { _ = waited(for: pid) }
            try? FileManager.default.removeItem(atPath: folder)
        }
    }

    /// Ends the bus.
    func end() async {
        await onThread {
            let pid = self.daemon.withLock { pid in
                defer { pid = nil }
                return pid
            }
            if let pid {
                kill(pid, SIGTERM)
                _ = waited(for: pid)
            }
        }
    }

    /// Runs somebody else's client against it; what it printed, and how it ended.
    func run(_ words: [String], input: String? = nil) async throws -> (status: Int32, output: String) {
        let started = try start(words, input: input)
        return await onThread {
            let output = started.output.readDataToEndOfFile()
            return (waited(for: started.pid), String(decoding: output, as: UTF8.self))
        }
    }

    /// Starts somebody else's client; what it prints can be read.
    func start(_ words: [String], input: String? = nil) throws -> (pid: pid_t, output: FileHandle) {
        let (reading, writing) = try makePipe()
        defer { close(writing) }
        var first = Given.nothing
        if let input {
            let path = folder + "/input-\(UInt32.random(in: 0 ... .max))"
            try input.write(toFile: path, atomically: true, encoding: .utf8)
            first = .file(path)
        }
        let pid = try spawn(
            words, ["PATH": "/usr/bin:/bin", "DBUS_SESSION_BUS_ADDRESS": address, "LC_ALL": "C.UTF-8"],
            [first, .descriptor(writing), .same(1)])
        return (pid, FileHandle(fileDescriptor: reading, closeOnDealloc: true))
    }
}

/// What came in, one after another.
@OnLoop final class Heard<Value: Sendable> {
    private var values: [Value] = []
    private var waiter: CheckedContinuation<Value, Never>?

    func put(_ value: Value) {
        if let waiter {
            self.waiter = nil
            waiter.resume(returning: value)
        } else {
            values.append(value)
        }
    }

    func next() async -> Value {
        await withCheckedContinuation { waiter in
            if values.isEmpty { self.waiter = waiter } else { waiter.resume(returning: values.removeFirst()) }
        }
    }

    func forget() { values = [] }

    /// What was heard and not asked for yet.
    var unheard: Int { values.count }
}

/// The next line that a program prints, without its end.
func line(of output: FileHandle) async -> String {
    await onThread {
        var bytes: [UInt8] = []
        while let byte = try? output.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A program's exit status, waited for beside the loop.
func onThreadWaited(_ pid: pid_t) async -> Int32 { await onThread { waited(for: pid) } }
