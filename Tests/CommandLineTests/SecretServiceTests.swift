import Foundation
import Testing
import thumbturn_test_programs

@testable import thumbturn

/// Moving in, from the real gnome-keyring on a session bus of the test's own.
@Suite("Import from a Secret Service")
struct SecretServiceTests {
    private static let count = 1000

    /// A keyring without a password, as gnome-keyring keeps it: what an automatic login uses.
    private static func keyring(
        _ name: String, _ items: [(label: String, service: String, account: String, secret: String)]
    ) -> String {
        var text = "[keyring]\ndisplay-name=\(name)\nctime=0\nmtime=0\nlock-on-idle=false\nlock-after=false\n"
        for (number, item) in items.enumerated() {
            let secret = item.secret.replacingOccurrences(of: "\n", with: "\\n")
            text += "\n[\(number)]\nitem-type=0\ndisplay-name=\(item.label)\nsecret=\(secret)\nmtime=0\nctime=0\n"
            for (place, attribute) in [("service", item.service), ("account", item.account)].enumerated() {
                text += "\n[\(number):attribute\(place)]\nname=\(attribute.0)\ntype=string\nvalue=\(attribute.1)\n"
            }
        }
        return text
    }

    private static var moving: String {
        keyring(
            "moving", (0..<count).map { ("Item \($0)", "moved-\($0 % 10)", "account-\($0)", secret($0)) })
    }

    /// As large as a secret may be, and larger.
    private static var large: String {
        keyring(
            "large",
            [1 << 20, (1 << 20) + 1, 1_100_000].map { ("\($0) bytes", "large", "\($0)", String(repeating: "x", count: $0)) })
    }

    /// Newlines, nothing at all, more than ASCII among them.
    private static func secret(_ number: Int) -> String {
        switch number % 7 {
        case 1: "two\nlines of \(number)\n"
        case 2: ""
        case 3: "\n"
        case 4: "schlüssel ✓ \(number)"
        default: "secret-\(number)"
        }
    }

    /// Runs the lines on a session bus with that keyring; `keyring` is ready, and `login` has a password.
    private static func session(_ stage: Stage, _ lines: String) throws -> (output: String, status: Int32) {
        let script = """
            printf 'a password' | gnome-keyring-daemon --foreground --unlock --components=secrets \
                --control-directory="$HOME/control" >/dev/null 2>&1 &
            keyring=$!
            gdbus wait --session --timeout 60 org.freedesktop.secrets || exit 99
            \(lines)
            status=$?
            kill $keyring
            exit $status
            """
        try Data(script.utf8).write(to: stage.folder.appending(path: "home/script"))
        return try stage.run("cd $HOME; mkdir -p -m 700 control; dbus-run-session -- sh script 2>/dev/null")
    }

    private static func stage() throws -> Stage {
        let stage = try Stage()
        let folder = stage.folder.appending(path: "home/.local/share/keyrings")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(moving.utf8).write(to: folder.appending(path: "moving.keyring"))
        try Data("moving".utf8).write(to: folder.appending(path: "default"))
        try stage.startDaemon()
        return stage
    }

    private struct Report: Decodable, Equatable {
        struct Left: Decodable, Equatable {
            var label: String
            var reason: String
        }
        var added: Int
        var present: Int
        var left: [Left]
        var dryRun: Bool
    }

    /// The JSON objects in what was printed, one after the other.
    private static func reports(_ output: String) throws -> [Report] {
        try output.components(separatedBy: "\n}\n").filter { $0.contains("{") }.map {
            try JSONDecoder().decode(Report.self, from: Data(($0 + "\n}").utf8))
        }
    }

    private static let command = "thumbturn import --from secret-service --protect none --json"

    @Test("1,000 items come over, whatever their secrets; counting changes nothing, and a second time adds nothing")
    func thousand() async throws {
        let (reports, secrets, list) = try await onThread {
            let stage = try Self.stage()
            let (output, _) = try Self.session(stage, "\(Self.command) --dry-run; \(Self.command); \(Self.command)")
            var secrets: [String] = []
            for number in 0..<14 {
                secrets.append(try stage.run("thumbturn secret get moved-\(number % 10) --account account-\(number)").output)
            }
            return (try Self.reports(output), secrets, try stage.run("thumbturn secret list --json").output)
        }
        #expect(
            reports == [
                Report(added: Self.count, present: 0, left: [], dryRun: true),
                Report(added: Self.count, present: 0, left: [], dryRun: false),
                Report(added: 0, present: Self.count, left: [], dryRun: false),
            ])
        for number in 0..<14 { #expect(secrets[number] == Self.secret(number), "\(number)") }
        #expect(list.contains("\"label\": \"Item 999\""))
    }

    @Test("what a keyring has locked is left, and said to be; so is what looks like another, and two of one name both come")
    func left() async throws {
        let report = try await onThread {
            let stage = try Self.stage()
            let folder = stage.folder.appending(path: "home/.local/share/keyrings")
            try Data(Self.large.utf8).write(to: folder.appending(path: "large.keyring"))
            let (output, status) = try Self.session(
                stage,
                """
                printf 'hidden' | secret-tool store --label=Shut --collection=login service shut account me
                gdbus call --session --dest org.freedesktop.secrets --object-path /org/freedesktop/secrets --method \
                    org.freedesktop.Secret.Service.Lock "[objectpath '/org/freedesktop/secrets/collection/login']" >/dev/null
                secret-tool lookup service moved-0 account account-0 >/dev/null
                printf 'one' | secret-tool store --label=Twin --collection=default service twin account me purpose first
                printf 'two' | secret-tool store --label=Twin --collection=default service twin account me purpose second
                printf 'bye' | secret-tool store --label=Passing --collection=session service passing account me
                \(Self.command)
                """)
            let twins = try ["me", "me (2)"].map { try stage.run("thumbturn secret get twin --account '\($0)'").output }
            return (try Self.reports(output), status, twins.sorted())
        }
        // A locked item may keep its label to itself; then its keyring's stands for it.
        let left = report.0.first?.left.map { "\($0.label == "Login" ? "Shut" : $0.label): \($0.reason)" }.sorted()
        #expect(
            left == [
                "1048577 bytes: it is too large", "1100000 bytes: it is too large", "Passing: it lasts only until you log out",
                "Shut: it is locked",
            ])
        #expect(report.0.first?.added == Self.count + 3 && report.1 == 0)
        #expect(report.2 == ["one", "two"])
    }

    @Test("an import that was cut off in the middle goes on where it stopped")
    func resumed() async throws {
        let (first, reports) = try await onThread {
            let stage = try Self.stage()
            // Its pipe is closed after the first words of progress: the command ends in the midst of its work.
            let (output, _) = try Self.session(
                stage,
                """
                thumbturn import --from secret-service --protect none >/dev/null 2>progress &
                import=$!
                while ! grep -q Importing progress; do kill -0 $import || exit 98; done
                kill -9 $import
                wait $import
                \(Self.command)
                """)
            return (try stage.run("cat $HOME/progress").output, try Self.reports(output))
        }
        #expect(first.contains("Importing"))
        let report = try #require(reports.first)
        #expect(report.added + report.present == Self.count && report.added > 0 && report.present >= Self.count / 10, "\(report)")
    }

    @Test("no bus, and a bus that is no socket, are said to be that")
    func nowhere() async throws {
        let outputs = try await onThread {
            let stage = try Self.stage()
            return try ["unix:path=/nowhere/bus", "unixexec:path=/bin/touch,argv1=$HOME/touched"].map {
                let found = try stage.run("DBUS_SESSION_BUS_ADDRESS=\($0) thumbturn import --from secret-service --protect none")
                let touched = try stage.run("ls touched").status == 0
                return (found.output.contains("There is no session bus"), found.status, touched)
            }
        }
        for (isSaid, status, touched) in outputs { #expect(isSaid && status == 2 && !touched) }
    }

    @Test(
        "an item is called by what its attributes say, in this order; by its label where they say nothing",
        arguments: [
            ([("service", "s"), ("server", "t"), ("account", "a"), ("username", "b")], "s", "a"),
            ([("server", "t"), ("application", "p"), ("user", "u")], "t", "u"),
            ([("application", "p"), ("xdg:schema", "x"), ("username", "b"), ("user", "u")], "p", "b"),
            ([("xdg:schema", "x"), ("account", "")], "x", "Label"), ([("service", "")], "Secret Service", "Label"),
            ([], "Secret Service", "Label"),
        ] as [([(String, String)], String, String)])
    func names(attributes: [(String, String)], service: String, account: String) {
        let item = MovedItem(label: "Label", attributes: attributes.map { (name: $0.0, value: $0.1) })
        #expect(item.service == service && item.account == account)
        #expect(item.name(1).account == account && item.name(3).account == "\(account) (3)")
        let sorted = attributes.sorted { $0.0 < $1.0 }
        #expect(item.generic == sorted.flatMap { Array("\($0.0)\0\($0.1)\0".utf8) })
    }
}
