import CThumbLinux
import Foundation
import Testing
import ThumbSignIn
import thumbturn_test_postgres
import thumbturn_test_programs

@testable import ThumbSignInServer

@Suite("thumbturn-server")
struct ProgramTests {
    @Test("It says where it listens and for which origin, and ends cleanly when it is told to, connections open or not")
    func ending() async throws {
        let (greeting, port, status, isClosed) = try await onThread {
            let bank = try ServerProgram()
            let wire = try bank.wire()
            _ = try wire.ask("GET", "/health", body: nil)
            return (bank.greeting, bank.port, bank.end(), try wire.isClosed())
        }
        #expect(greeting == "listening on http://127.0.0.1:\(port), origin http://127.0.0.1:\(port)")
        #expect(status == 0)
        #expect(isClosed)
    }

    @Test("What was answered is there after the next start")
    func lasting() async throws {
        let status = try await onThread {
            let folder = try Folder()
            let device = try TestDevice()
            let origin = ["--origin", "https://bank.example", "--client-rate", "0"]
            var bank = try ServerProgram(origin + ["--sign-up"], folder: folder)
            let token = try bank.newAccount(bank.wire(), "anna")
            _ = try bank.register(bank.wire(), device, "anna", token: token)
            _ = bank.end(SIGKILL)
            bank = try ServerProgram(origin, folder: folder)
            return try bank.signIn(bank.wire(), device, "anna").status
        }
        #expect(status == 201)
    }

    @Test("An account is made from the command line, and signs in; a second of its name isn't made")
    func account() async throws {
        let (made, again, status) = try await onThread {
            let folder = try Folder()
            let database = folder.path + "/sign-in.db"
            let made = try ServerProgram.run(["--database", database, "account", "add", "anna"], input: "correct horse\n")
            // Nobody has to think of a password for it.
            let again = try ServerProgram.run(["--database", database, "account", "add", "anna"])
            let bank = try ServerProgram(["--client-rate", "0"], folder: folder)
            let members = ["account": "anna", "password": "correct horse"]
            return (made, again, try bank.wire().ask("POST", "/v1/sessions", members).status)
        }
        #expect(made.status == 0 && made.output.isEmpty, "\(made.output)")
        #expect(again.status == 65 && again.output.contains("already"))
        #expect(status == 201)
    }

    /// What can't be done, and the status that says so.
    private static let problems: [(String, Int32)] = [
        ("--frobnicate", 64), ("--listen bank.example:80", 64), ("--listen 127.0.0.1", 64), ("--origin http://bank.example", 64),
        ("--client-rate -1", 64), ("--batch 0", 64), ("--batch 257", 64), ("--tls-key x", 64), ("account frobnicate", 64),
        ("--listen 0.0.0.0:0 --database /nowhere/at/all.db", 75),
        ("--listen 192.0.2.1:0", 78), ("--listen 0.0.0.0:0", 78), ("--tls-certificate /dev/null --tls-key /dev/null", 78),
        ("account add \u{e4}nna", 65), ("account add anna", 65), ("account devices anna", 65),
        ("--password-length 7", 64), ("--password-length 65", 64), ("--database postgresql:///x?host=/nowhere", 75),
    ]

    @Test("What it can't do it says, and ends", arguments: problems)
    func cannot(words: String, status: Int32) async throws {
        let outcome = try await onThread {
            let arguments = words.split(separator: " ").map(String.init)
            let folder = try Folder()
            let database = arguments.contains("--database") ? [] : ["--database", folder.path + "/sign-in.db"]
            let listen = arguments.contains("--listen") ? [] : ["--listen", "127.0.0.1:0"]
            return try ServerProgram.run(listen + database + arguments)
        }
        #expect(outcome.status == status, "\(outcome.output)")
        #expect(outcome.output.hasPrefix("thumbturn-server: "))
        // What was typed wrong is said with where to look.
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == (status == 64 ? 2 : 1))
        if status == 64 { #expect(lines.last?.hasPrefix("  Run 'thumbturn-server ") == true) }
    }

    @Test(
        "A word that is nearly one of its own is named together with that one",
        arguments: [
            ("--lisen 127.0.0.1:0", "There is no option '--lisen'.", "'--listen'"),
            ("acount list", "There is no command 'acount'.", "'account'"),
            ("account lsit", "There is no command 'lsit'.", "'list'"),
        ])
    func meant(words: String, problem: String, meant: String) async throws {
        let outcome = try await onThread { try ServerProgram.run(words.split(separator: " ").map(String.init)) }
        let lines = outcome.output.split(separator: "\n")
        #expect(outcome.status == 64 && lines.first == "thumbturn-server: \(problem)", "\(outcome.output)")
        #expect(lines.last?.hasPrefix("  Did you mean \(meant)? Run 'thumbturn-server ") == true, "\(outcome.output)")
    }

    @Test("Where nobody says where, the database lies in the data folder, which is made for this user alone")
    func stateFolder() async throws {
        let (status, modes) = try await onThread {
            let folder = try Folder()
            let state = folder.path + "/var/lib/thumbturn-server"
            let outcome = try ServerProgram.run(
                ["account", "add", "anna"], input: "correct horse", environment: ["STATE_DIRECTORY": state])
            let modes = try [state, state + "/sign-in.db"].map { path in
                (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
            }
            return (outcome.status, modes)
        }
        #expect(status == 0)
        #expect(modes == [0o700, 0o600])
    }

    @Test("A data folder that others could write to is refused, whoever names it", arguments: [0o777, 0o770, 0o702])
    func openStateFolder(mode: Int) async throws {
        let outcomes = try await onThread {
            let folder = try Folder()
            let state = folder.path + "/state"
            try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
            return try [mode, 0o755].map {
                guard chmod(state, mode_t($0)) == 0 else { throw ServerProgram.CannotStart(said: "no mode") }
                return try ServerProgram.run(["account", "list"], environment: ["STATE_DIRECTORY": state])
            }
        }
        #expect(outcomes[0].status == 73 && outcomes[0].output.contains("others could write to it"), "\(outcomes[0])")
        #expect(outcomes[1].status == 0, "\(outcomes[1])")
    }

    @Test("Help has every argument")
    func help() async throws {
        let helps = try await onThread {
            try [[], ["account"], ["session"], ["device"]].map { try ServerProgram.run($0 + ["--help"]) }
        }
        for help in helps { #expect(help.status == 0) }
        let wanted = [
            [
                "--listen", "--origin", "--database", "--settings", "--sign-up", "--password-length", "--client-rate", "--batch",
                "--tls-certificate", "--tls-key", "--behind-proxy", "--quiet", "--log-format", "account", "session", "device",
            ],
            ["add", "passwd", "lock", "unlock", "remove", "list", "devices"], ["list", "end"], ["list", "revoke"],
        ]
        for (help, words) in zip(helps, wanted) { for word in words { #expect(help.output.contains("  \(word)"), "\(word)") } }
    }

    @Test("The log has each request by client, name, method, route, status and time, and nothing else that a client sent")
    func log() async throws {
        let secret = "Zx9qTrespass"
        let log = try await onThread {
            let bank = try ServerProgram()
            let wire = try bank.wire()
            let device = try TestDevice()
            let token = try bank.newAccount(wire, "\(secret)@bank.example", password: secret)
            _ = try bank.register(wire, device, "\(secret)@bank.example", token: token, name: secret)
            _ = try wire.ask("GET", "/\(secret)", body: nil)
            _ = try wire.ask("GET", "/health?\(secret)", body: nil)
            _ = try wire.ask(
                secret, "/health", body: nil, headers: ["User-Agent: \(secret)", "\(secret): 1", "traceparent: \(secret)"])
            _ = try wire.ask("GET", "/v1/session", body: nil, token: secret)
            _ = try wire.ask("GET", "/v1/session", body: nil, token: token)
            _ = try wire.ask("POST", "/v1/devices/\(secret)/revocation", ["password": secret], token: token)
            _ = try wire.ask("POST", "/v1/sign-ins", ["statement": secret, "signature": secret])
            _ = try wire.ask("POST", "/v1/challenges", body: Array("{\"\(secret)\":1}".utf8))
            let bad = try bank.wire()
            bad.send("\(secret) \(secret)\r\n\(secret)\r\n\r\n")
            _ = try bad.reply()
            guard bank.end() == 0 else { return "" }
            return try bank.log.replacingOccurrences(of: token, with: secret)
        }
        let lines = log.split(separator: "\n")
        #expect(lines.count == 12)
        #expect(!log.contains(secret))
        #expect(lines.contains { $0.contains(" method=POST route=/v1/devices status=201 ") })
        #expect(lines.contains { $0.contains(" method=POST route=/v1/devices/DEVICE/revocation status=404 code=not-found ") })
        #expect(lines.contains { $0.contains(" method=OTHER route=/health status=405 code=method ") })
        let (time, name) = ("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ", "[0-9a-f]{16}")
        let form = try Regex(
            "time=\(time) level=info event=request client=127\\.0\\.0\\.1 request=\(name) method=[A-Z]+ "
                + "route=(/[A-Za-z0-9/.-]+|unknown) status=\\d{3}( code=[a-z-]+)? micros=\\d+")
        for line in lines { #expect(line.wholeMatch(of: form) != nil, "\(line)") }
    }

    @Test("Nobody traces it or finds it in a core dump, and what it makes is its user's own")
    func hardened() async throws {
        let (limits, isDumpable, mode) = try await onThread {
            let folder = try Folder()
            let bank = try ServerProgram(folder: folder)
            let limits = try String(contentsOfFile: "/proc/\(bank.pid)/limits", encoding: .utf8)
            // What may not be dumped has its files below /proc owned by root, whoever runs it; as root that shows nothing.
            let owner =
                try FileManager.default.attributesOfItem(atPath: "/proc/\(bank.pid)/environ")[.ownerAccountID] as? NSNumber
            let mode =
                try FileManager.default.attributesOfItem(atPath: folder.path + "/sign-in.db")[.posixPermissions] as? NSNumber
            return (limits, owner?.intValue == 0, mode?.intValue ?? 0)
        }
        let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
        #expect(core?.split(separator: " ").dropFirst(4).first == "0")
        let files = limits.split(separator: "\n").first { $0.hasPrefix("Max open files") }
        #expect(Int(files?.split(separator: " ").dropFirst(3).first ?? "").map { $0 >= 4096 + 256 } == true)
        #expect(isDumpable)
        #expect(mode & 0o077 == 0)
    }

    @Test("A statement that one server has taken is refused by another on the same database")
    func secondServer() async throws {
        let (replies, listed) = try await onThread {
            let database = try Cluster.shared.get().makeDatabase()
            let origin = ["--origin", "https://bank.example", "--client-rate", "0", "--sign-up"]
            let (one, two) = (try ServerProgram(origin, database: database), try ServerProgram(origin, database: database))
            let device = try TestDevice()
            let token = try one.newAccount(one.wire(), "anna")
            _ = try two.register(two.wire(), device, "anna", token: token)
            let members = try device.members(one.origin, "anna", try one.challenge(one.wire(), "anna"))
            var replies = try [one, two, one].map { try $0.wire().ask("POST", "/v1/sign-ins", members) }
            // And what one revokes is revoked at the other, which has the key in its memory.
            _ = try two.signIn(two.wire(), device, "anna")
            _ = try one.wire().ask(
                "POST", "/v1/devices/\(try device.id.text)/revocation", ["password": "correct horse"], token: token)
            replies.append(try two.signIn(two.wire(), device, "anna"))
            return (replies, try two.wire().ask("GET", "/v1/devices", body: nil, token: token))
        }
        #expect(replies.map(\.status) == [201, 409, 409, 403])
        #expect(replies[1].error == "challenge-used")
        #expect(replies[3].error == "device-revoked")
        #expect((listed.json["devices"] as? [[String: Any]])?.first?["revoked"] != nil)
    }

    @Test(
        "A second server on the same file says so and ends; commands work beside the first, which goes on",
        .timeLimit(.minutes(5)))
    func secondOnFile() async throws {
        let (second, made, signedIn, third) = try await onThread {
            let folder = try Folder()
            let line = ["--listen", "127.0.0.1:0", "--database", folder.path + "/sign-in.db"]
            let bank = try ServerProgram(["--client-rate", "0"], folder: folder)
            let second = try ServerProgram.run(line)
            let made = try ServerProgram.run(Array(line.dropFirst(2)) + ["account", "add", "anna"], input: "correct horse\n")
            let members = ["account": "anna", "password": "correct horse"]
            let signedIn = try bank.wire().ask("POST", "/v1/sessions", members).status
            // One that was killed is in nobody's way.
            _ = bank.end(SIGKILL)
            let next = try ServerProgram(["--client-rate", "0"], folder: folder)
            return (second, made, signedIn, try next.wire().ask("POST", "/v1/sessions", members).status)
        }
        #expect(second.status == 75 && second.output.contains("another server serves from this file"), "\(second)")
        #expect(second.output.contains("need PostgreSQL") && second.output.split(separator: "\n").count == 1)
        #expect(made.status == 0 && signedIn == 201 && third == 201, "\(made)")
    }

    @Test("A database that isn't there any more is a 503, and the server lives on")
    func lostDatabase() async throws {
        let statuses = try await onThread {
            let cluster = try Cluster()
            let bank = try ServerProgram(database: try cluster.makeDatabase())
            let before = try bank.wire().ask("GET", "/health", body: nil).status
            cluster.stop()
            // Stopping takes as long as it takes, and a server closes a connection that says nothing for a minute.
            let wire = try bank.wire()
            return [before, try wire.ask("GET", "/health", body: nil).status, try wire.ask("GET", "/metrics", body: nil).status]
        }
        #expect(statuses == [200, 503, 200])
    }
}
