import CThumbLinux
import Foundation
import Testing
import ThumbLedgers
import ThumbSecrets
import ThumbSignIn
import thumbturn_test_programs

@testable import ThumbSignInServer

@Suite("New passwords") struct PasswordTests {
    private static let anna = AccountName("anna@bank.example")!  // A name by its looks.

    private static func refusal(_ password: String, least: Int = PasswordRule.usualLength) throws -> SignInRefusal? {
        let secret = try SecretBytes(copying: Array(password.utf8))
        do throws(SignInRefusal) {
            try PasswordRule(least: least).check(secret, of: anna)
            return nil
        } catch { return error }
    }

    @Test("The list has a thousand words, each once and in order, in small letters, none of which a rule refuses anyway")
    func list() throws {
        let words = PasswordRule.commonest.map { String(decoding: $0, as: UTF8.self) }
        #expect(words.count == 1082)
        #expect(zip(words, words.dropFirst()).allSatisfy { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
        for word in words {
            #expect(
                word.utf8.count >= PasswordRule.usualLength && word == word.lowercased() && word.allSatisfy(\.isASCII), "\(word)")
            #expect(try Self.refusal(word) == .passwordCommon && Self.refusal(word.uppercased()) == .passwordCommon, "\(word)")
            // With something else in front of it, it isn't that word, nor a run.
            #expect(try Self.refusal("~" + word) == nil, "\(word)")
        }
        for word in ["password", "qwertyuiop", "iloveyou", "trustno1", "1qaz2wsx"] { #expect(words.contains(word), "\(word)") }
    }

    @Test(
        "A password is long enough, and none that anybody would try first",
        arguments: [
            ("tulips77", nil), ("tulips7", .passwordShort), ("", .passwordShort), ("äöüßäöüß", nil), ("äöüßäöü", .passwordShort),
            ("tulips in spring", nil), ("Passw0rd", .passwordCommon), ("anna@bank.example", .passwordCommon),
            ("Anna@Bank.Example", .passwordCommon), ("anna@bank.example1", nil), ("zzzzzzzz", .passwordCommon),
            ("~~~~~~~~~~~~", .passwordCommon), ("abcdefghijkl", .passwordCommon), ("87654321", .passwordCommon),
            ("1234567890", .passwordCommon), ("13579acegi", nil), ("12345687", nil),
        ] as [(String, SignInRefusal?)])
    func rule(_ password: String, _ refusal: SignInRefusal?) throws { #expect(try Self.refusal(password) == refusal) }

    @Test("An operator may ask for more characters, up to 64, and for no fewer than eight", arguments: [0, 8, 12, 64, 1000])
    func length(_ asked: Int) throws {
        let least = min(max(asked, 8), 64)
        let password = String("a password of many words, of which as many letters as are asked for".prefix(least))
        #expect(try Self.refusal(password, least: asked) == nil)
        #expect(try Self.refusal(String(password.dropLast()), least: asked) == .passwordShort)
    }

    @Test("Over HTTP too: sign-up and a change are refused, and a password that is there already goes on signing in")
    func http() async throws {
        let (made, changes, old) = try await onThread {
            let folder = try Folder()
            let long = ["--password-length", "20"]
            var bank = try ServerProgram(["--sign-up", "--client-rate", "0"], folder: folder)
            _ = try bank.newAccount(bank.wire(), "anna")
            _ = bank.end()
            bank = try ServerProgram(["--sign-up", "--client-rate", "0"] + long, folder: folder)
            let wire = try bank.wire()
            let made = try ["tulips in the spring", "tulips in the summe", "correcthorsebatterystaple"].map {
                try wire.ask("POST", "/v1/accounts", ["account": "otto", "password": $0])
            }
            let old = try wire.ask("POST", "/v1/sessions", ["account": "anna", "password": "correct horse"])
            let changes = try ["crocuses", "correcthorsebatterystaple", "crocuses in the summer"].map {
                let proof = ["password": "correct horse", "new_password": $0]
                return try wire.ask("PUT", "/v1/password", proof, token: old.string("token"))
            }
            return (made, changes, old.status)
        }
        #expect(made.map(\.status) == [201, 422, 422] && made.map(\.error) == [nil, "password-short", "password-common"])
        #expect(changes.map(\.status) == [422, 422, 200])
        #expect(changes.map(\.error) == ["password-short", "password-common", nil])
        #expect(old == 201)
    }

    @Test(
        "On standard input a password that isn't taken is an error, which doesn't repeat it",
        arguments: [
            ("tulips7", "at least 8 characters"), ("Football1", "first that anybody would try"), ("", "1 to 256 characters"),
            (String(repeating: "tulips ", count: 37), "1 to 256 characters"), ("anna@bank.example", "first that anybody"),
            (String(repeating: "🌷", count: 257), "1 to 256 characters"),
        ])
    func line(_ password: String, _ words: String) async throws {
        let (outcome, names) = try await onThread {
            let folder = try Folder()
            let database = ["--database", folder.path + "/sign-in.db"]
            let outcome = try ServerProgram.run(database + ["account", "add", "anna@bank.example"], input: password + "\n")
            return (outcome, try ServerProgram.run(database + ["account", "list"]).output)
        }
        #expect(outcome.status == 65 && outcome.output.contains(words), "\(outcome)")
        #expect(names.isEmpty && (password.isEmpty || !outcome.output.contains(password)))
    }

    @Test("An operator's commands take no shorter password than the operator says, for a new account or for one that is there")
    func lengthOfCommands() async throws {
        let (made, refused) = try await onThread {
            let folder = try Folder()
            let account = ["--database", folder.path + "/sign-in.db", "account"]
            let made = try ServerProgram.run(account + ["add", "anna"], input: "tulips in the summe\n")
            let refused = try [["add", "otto"], ["passwd", "anna"]].map {
                try ServerProgram.run(account + $0 + ["--password-length", "20"], input: "tulips in the summe\n")
            }
            return (made.status, refused)
        }
        #expect(made == 0)
        #expect(refused.map(\.status) == [65, 65] && refused.allSatisfy { $0.output.contains("at least 20 characters") })
    }

    @Test("Whichever way a password comes, three passes over 64 MiB stretch it, with 16 bytes of salt that no other one has")
    func cost() async throws {
        let kept = try await onThread {
            let folder = try Folder()
            let database = folder.path + "/sign-in.db"
            let bank = try ServerProgram(["--sign-up", "--client-rate", "0"], folder: folder)
            let token = try bank.newAccount(bank.wire(), "anna")
            _ = try bank.newAccount(bank.wire(), "otto")
            let change = ["password": "correct horse", "new_password": "tulips in spring"]
            _ = try bank.wire().ask("PUT", "/v1/password", change, token: token)
            _ = try ServerProgram.run(["--database", database, "account", "add", "eve"], input: "correct horse\n")
            _ = bank.end()
            let ledger = try SQLiteLedger(path: database) { Issue.record("beside the batches: \($0.words)") }
            let names = ["anna", "otto", "eve"].map { AccountName($0)! }  // Names by their looks.
            return try ledger.settle(names.map { .readPassword($0) }, at: Moment(seconds: 0))
        }
        let passwords = kept.compactMap { outcome -> StretchedPassword? in
            guard case .password(let password, _, _) = outcome else { return nil }
            return password
        }
        #expect(passwords.count == 3)
        for password in passwords {
            #expect(password.passes == 3 && password.kibibytes == 64 * 1024)
            #expect(password.salt.count == 16 && password.hash.count == 32)
        }
        #expect(Set(passwords.map(\.salt)).count == 3)
    }

    @Test("In a terminal it is typed twice and never seen; one that isn't taken is asked for again, with the reason")
    func typed() async throws {
        let (shown, status, signedIn) = try await onThread {
            let folder = try Folder()
            let database = ["--database", folder.path + "/sign-in.db"]
            let terminal = try TypedProgram(database + ["account", "add", "anna"])
            // What is asked, and what is typed there.
            for (asked, keys) in [
                ("New password: ", "hunter2"), ("New password: ", "Sunshine1"), ("New password: ", "tulips in spring"),
                ("Again: ", "tulips in sprang"), ("New password: ", "tulips in spring"), ("Again: ", "tulips in spring"),
            ] {
                try terminal.wait(for: asked)
                terminal.type(keys + "\r")
            }
            let status = try terminal.end()
            let bank = try ServerProgram(["--client-rate", "0"], folder: folder)
            let members = ["account": "anna", "password": "tulips in spring"]
            return (terminal.shown, status, try bank.wire().ask("POST", "/v1/sessions", members).status)
        }
        #expect(status == 0 && signedIn == 201, "\(shown)")
        let lines = shown.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(
            lines == [
                "New password:", "A new password has at least 8 characters.", "New password:",
                "That password is among the first that anybody would try; choose another.", "New password:", "Again:",
                "The two were not the same. Start again.", "New password:", "Again:",
            ])
        for typed in ["hunter2", "Sunshine1", "tulips", "spring"] { #expect(!shown.contains(typed), "\(shown)") }
    }

    @Test("In a terminal Ctrl-C cancels, and nothing is made")
    func cancelled() async throws {
        let (shown, status, names) = try await onThread {
            let folder = try Folder()
            let database = ["--database", folder.path + "/sign-in.db"]
            let terminal = try TypedProgram(database + ["account", "add", "anna"])
            try terminal.wait(for: "New password: ")
            terminal.type("tulips\u{3}")
            let status = try terminal.end()
            return (terminal.shown, status, try ServerProgram.run(database + ["account", "list"]).output)
        }
        #expect(status == 65 && shown.contains("cancelled; nothing was changed") && names.isEmpty, "\(shown)")
    }
}
