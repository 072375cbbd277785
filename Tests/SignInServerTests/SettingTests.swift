import CThumbLinux
import Foundation
import Testing
import thumbturn_test_programs

@Suite("The server's settings") struct SettingTests {
    /// A file of settings in that folder.
    private static func write(_ text: String, in folder: Folder, mode: Int = 0o600) throws -> String {
        let path = folder.path + "/server.conf"
        try Data(text.utf8).write(to: URL(filePath: path))
        // Whatever mask the tests run with.
        guard chmod(path, mode_t(mode)) == 0 else { throw ServerProgram.CannotStart(said: "no file") }
        return path
    }

    @Test("A server can be told everything by a file, or by the environment, and an account is made where it looks")
    func served() async throws {
        let greetings = try await onThread {
            try [true, false].map { isFile in
                let folder = try Folder()
                let settings = [
                    ("listen", "127.0.0.1:0"), ("origin", "https://bank.example"), ("database", folder.path + "/own.db"),
                    ("sign-up", "no"), ("client-rate", "0"), ("quiet", "yes"),
                ]
                let lines = settings.map { "\($0.0) = \($0.1)\n" }.joined()
                let file = try Self.write(isFile ? lines : "", in: folder)
                var variables = ["THUMBTURN_SERVER_SETTINGS": file]
                if !isFile {
                    for (name, value) in settings {
                        variables["THUMBTURN_SERVER_" + name.uppercased().replacingOccurrences(of: "-", with: "_")] = value
                    }
                }
                let made = try ServerProgram.run(["account", "add", "anna"], input: "correct horse\n", environment: variables)
                #expect(made.status == 0, "\(made.output)")
                let bank = try ServerProgram([], folder: folder, environment: variables, isBare: true)
                let signedIn = try bank.wire().ask("POST", "/v1/sessions", ["account": "anna", "password": "correct horse"])
                #expect(signedIn.status == 201)
                let closed = try bank.wire().ask("POST", "/v1/accounts", ["account": "otto", "password": "correct horse"])
                #expect(closed.error == "closed")
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                #expect(names.contains("own.db") && !names.contains("sign-in.db"))
                #expect(bank.end() == 0)
                // Quiet, as it was told to be.
                #expect(try bank.log.isEmpty)
                return bank.greeting
            }
        }
        #expect(greetings.count == 2 && greetings.allSatisfy { $0.hasSuffix(", origin https://bank.example") }, "\(greetings)")
    }

    @Test("The line goes before the environment, and this before the file")
    func order() async throws {
        let origins = try await onThread {
            let folder = try Folder()
            let file = try Self.write("origin = https://file.example\n", in: folder)
            let variables = ["THUMBTURN_SERVER_ORIGIN": "https://environment.example"]
            return try [
                (["--settings", file], [:]), (["--settings", file], variables),
                (["--settings", file, "--origin", "https://line.example"], variables),
            ].map { try ServerProgram($0.0, environment: $0.1).origin }
        }
        #expect(origins == ["https://file.example", "https://environment.example", "https://line.example"])
    }

    /// A file, what is wrong with it, and the status that says so.
    private static let wrong: [(String, Int, String, Int32)] = [
        ("lisen = 127.0.0.1:0\n", 0o600, "line 1: there is no setting 'lisen'.", 64),
        ("# x\nbatch = 0\n", 0o644, "line 2) must be a number from 1 to 256.", 64),
        ("origin = http://bank.example\n", 0o600, "line 1) must be https://HOST", 64),
        ("sign-up = yes\n", 0o622, "could have been written by another user", 78),
    ]

    @Test("What is wrong in a file is said with its place, and nothing is served", arguments: wrong)
    func refused(_ text: String, _ mode: Int, _ words: String, _ status: Int32) async throws {
        let (outcome, file) = try await onThread {
            let folder = try Folder()
            let file = try Self.write(text, in: folder, mode: mode)
            let line = ["--settings", file, "--listen", "127.0.0.1:0", "--database", folder.path + "/sign-in.db"]
            return (try ServerProgram.run(line), file)
        }
        #expect(outcome.status == status && outcome.output.hasPrefix("thumbturn-server: "), "\(outcome)")
        #expect(outcome.output.contains(words) && outcome.output.contains(file))
    }

    /// Has the program read a file of settings for a command that ends by itself, whatever it thinks of the file.
    private static func list(_ file: String, in folder: Folder) throws -> (status: Int32, output: String) {
        try ServerProgram.run(["account", "list", "--settings", file, "--database", folder.path + "/sign-in.db"])
    }

    @Test("A file that its group or anybody could have written isn't believed", arguments: [0o620, 0o602, 0o660, 0o777])
    func writable(_ mode: Int) async throws {
        let outcomes = try await onThread {
            let folder = try Folder()
            return try [mode, 0o644].map { try Self.list(Self.write("sign-up = yes\n", in: folder, mode: $0), in: folder) }
        }
        #expect(outcomes[0].status == 78 && outcomes[0].output.contains("could have been written by another user"))
        #expect(outcomes[1].status == 0, "\(outcomes[1])")
    }

    @Test("Another user's file isn't believed, even if that user alone can write it", .enabled(if: geteuid() == 0, "takes root"))
    func anothers() async throws {
        let outcomes = try await onThread {
            let folder = try Folder()
            let file = try Self.write("sign-up = yes\n", in: folder)
            return try [65534, geteuid()].map { (owner: uid_t) in
                guard chown(file, owner, owner) == 0 else { throw ServerProgram.CannotStart(said: "no owner") }
                return try Self.list(file, in: folder)
            }
        }
        #expect(outcomes[0].status == 78 && outcomes[0].output.contains("could have been written by another user"))
        #expect(outcomes[1].status == 0, "\(outcomes[1])")
    }

    @Test("A file that is named and isn't there is an error; a wrong variable is named, without what it says")
    func missing() async throws {
        let (missing, wrong) = try await onThread {
            (
                try ServerProgram.run(["account", "list", "--settings", "/nowhere/server.conf"]),
                try ServerProgram.run(["account", "list"], environment: ["THUMBTURN_SERVER_CLIENT_RATE": "Zx9qTrespass"])
            )
        }
        #expect(missing.status == 78 && missing.output.contains("/nowhere/server.conf can't be read"), "\(missing)")
        #expect(wrong.status == 64 && wrong.output.contains("THUMBTURN_SERVER_CLIENT_RATE must be a number"), "\(wrong)")
        #expect(!wrong.output.contains("Trespass"))
    }

    @Test("Without a name the file is /etc/thumbturn/server.conf", .enabled(if: geteuid() == 0, "takes root"))
    func usual() async throws {
        let (listed, without) = try await onThread {
            let (etc, folder) = (try Folder(), try Folder())
            try FileManager.default.copyItem(atPath: "/etc/ld.so.cache", toPath: etc.path + "/ld.so.cache")
            let program = builtPrograms.appending(path: "thumbturn-server").path
            func list() throws -> (status: Int32, output: String) {
                let process = OwnProcess()
                let out = Pipe()
                process.executableURL = URL(filePath: "/usr/bin/bwrap")
                process.arguments = [
                    "--dev-bind", "/", "/", "--bind", etc.path, "/etc", "--die-with-parent", "--", program, "account", "list",
                ]
                process.environment = ["STATE_DIRECTORY": folder.path]
                (process.standardInput, process.standardOutput, process.standardError) = (FileHandle.nullDevice, out, out)
                try process.run()
                let output = try out.fileHandleForReading.readToEnd() ?? Data()
                process.waitUntilExit()
                return (process.terminationStatus, String(decoding: output, as: UTF8.self))
            }
            let without = try list()
            try FileManager.default.createDirectory(atPath: etc.path + "/thumbturn", withIntermediateDirectories: false)
            let file = etc.path + "/thumbturn/server.conf"
            try Data("database = \(folder.path)/other.db\n".utf8).write(to: URL(filePath: file))
            chmod(file, 0o644)
            let made = try ServerProgram.run(
                ["--database", folder.path + "/other.db", "account", "add", "anna"], input: "correct horse\n")
            #expect(made.status == 0, "\(made.output)")
            return (try list(), without)
        }
        #expect(without.status == 0 && without.output.isEmpty, "\(without)")
        #expect(listed.status == 0 && listed.output.hasPrefix("anna  password, 0 devices"), "\(listed)")
    }
}
