import CThumbLinux
import Foundation
import Testing
import thumbturn_test_programs

/// libthumbturn against a real daemon of the user's own, which it starts itself.
@Suite("libthumbturn and a real daemon", .serialized)
struct RealDaemonTests {
    @Test("The first call starts the daemon, a killed one is started again, and what it can't do is said")
    func started() async throws {
        let place = try RealPlace()
        let program = try await BuiltLibrary.get(.plain).program("real")
        let outcome = try await run([program.path, "started", "lacking", "ended"], environment: place.environment)
        #expect(outcome.status == 0 && outcome.output == "the daemon did its part\n", "\(outcome.output)")
    }

    @Test("The prompt comes on the program's own terminal, waiting or not, and the terminal is the program's again")
    func prompt() async throws {
        let place = try RealPlace()
        let program = try await BuiltLibrary.get(.sanitized).program("real")
        let (verified, meanwhile, back) = try await onThread {
            var terminal = try Terminal(
                [builtPrograms.appending(path: "thumbturn").path, "passcode", "set"], environment: place.environment)
            try terminal.answer("New passcode:", "cellar\r")
            try terminal.answer("Again:", "cellar\r")
            try #require(try terminal.end().status == 0)
            terminal = try Terminal([program.path, "verified"], environment: place.environment)
            try terminal.answer("open the cellar", "cellar\r")
            let verified = try terminal.end()
            terminal = try Terminal([program.path, "meanwhile"], environment: place.environment)
            try terminal.answer("open the attic", "cellar\r")
            let meanwhile = try terminal.end()
            terminal = try Terminal([program.path, "back", "ended"], environment: place.environment)
            return (verified, meanwhile, try terminal.end())
        }
        #expect(verified.status == 0 && verified.output.contains("it was the owner\r\n"), "\(verified.output)")
        #expect(meanwhile.status == 0 && meanwhile.output.contains("it was the owner again\r\n"), "\(meanwhile.output)")
        #expect(back.status == 0 && back.output.contains("open the shed"), "\(back.output)")
        #expect(back.output.hasSuffix("it was taken back\r\nthe daemon did its part\r\n"), "\(back.output)")
    }
}

/// Folders of a test's own, where the daemon finds nothing of anybody's.
struct RealPlace {
    let environment: [String: String]

    init() throws {
        let folder = try temporaryFolder()
        for name in ["run", "state", "home"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: name), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        }
        environment = BuiltLibrary.environment.merging([
            "HOME": folder.appending(path: "home").path, "XDG_RUNTIME_DIR": folder.appending(path: "run").path,
            "THUMBTURN_STATE": folder.appending(path: "state").path, "THUMBTURN_LIBEXEC": builtPrograms.path, "TERM": "dumb",
        ]) { $1 }
    }
}

/// A program on a terminal of its own.
struct Terminal {
    struct TookTooLong: Error { let output: String }

    private let pid: pid_t
    private let terminal: Int32
    private var shown: [UInt8] = []
    private var looked = 0

    init(_ words: [String], environment: [String: String]) throws {
        let made = try makeTerminal()
        terminal = made.mine
        pid = try spawn(words, environment, [.file(made.path), .same(0), .same(0)])
        close(made.theirs)
    }

    /// Types something when a text is shown.
    mutating func answer(_ text: String, _ keys: String) throws {
        while !String(decoding: shown[looked...], as: UTF8.self).contains(text) {
            guard try readMore() else { throw TookTooLong(output: String(decoding: shown, as: UTF8.self)) }
        }
        looked = shown.count
        let keys = Array(keys.utf8)
        _ = keys.withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
    }

    /// Reads all that is shown, and waits for the program's end.
    mutating func end() throws -> Outcome {
        while try readMore() {}
        close(terminal)
        return Outcome(output: String(decoding: shown, as: UTF8.self), status: waited(for: pid))
    }

    private mutating func readMore() throws -> Bool {
        var wait = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, 60_000) > 0 else { throw TookTooLong(output: String(decoding: shown, as: UTF8.self)) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(terminal, &buffer, buffer.count)
        // A terminal that everybody has closed says EIO.
        if count <= 0 { return false }
        shown += buffer[..<count]
        return true
    }
}
