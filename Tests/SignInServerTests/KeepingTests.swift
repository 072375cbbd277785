import Testing
import ThumbLedgers
import ThumbSignIn
import thumbturn_test_programs

@testable import ThumbSignInServer

@Suite("The operator's commands")
struct KeepingTests {
    @Test("The operator ends one session or all, revokes a device and removes an account, and nothing that wasn't named")
    func keeping() async throws {
        let (statuses, alive, devices, left) = try await onThread {
            let folder = try Folder()
            let bank = try ServerProgram(folder: folder)
            let device = try TestDevice()
            let first = try bank.newAccount(bank.wire(), "anna")
            let others = try bank.newAccount(bank.wire(), "otto")
            _ = try bank.register(bank.wire(), device, "anna", token: first)
            var second = try bank.signIn(bank.wire(), device, "anna").string("token")
            var (statuses, alive): ([Int32], [[Int]]) = ([], [])
            /// Which of the three sessions go on.
            func look() throws {
                let wire = try bank.wire()
                alive.append(try [first, second, others].map { try wire.ask("GET", "/v1/session", token: $0).status })
            }
            func keep(_ words: String...) throws -> String {
                let outcome = try ServerProgram.run(["--database", folder.path + "/sign-in.db"] + words)
                statuses.append(outcome.status)
                try look()
                return outcome.output
            }
            let id = try device.id.text
            let sessions = try keep("session", "list", "anna").split(separator: "\n")
            let name = sessions.first { $0.hasSuffix("by device \(id)") }?.prefix { $0 != " " } ?? ""
            // The second time there is no such session.
            for _ in 0..<2 { _ = try keep("session", "end", "anna", String(name)) }
            second = try bank.signIn(bank.wire(), device, "anna").string("token")
            try look()
            // A device's name may begin with a hyphen.
            _ = try keep("device", "revoke", "--", "anna", id)
            let devices = try keep("device", "list", "anna")
            _ = try keep("session", "end", "anna")
            _ = try keep("account", "remove", "anna")
            let left = try keep("account", "list")
            return (statuses, alive, devices, left)
        }
        #expect(statuses == [0, 0, 65, 0, 0, 0, 0, 0])
        let (all, one, none) = ([200, 200, 200], [200, 401, 200], [401, 401, 200])
        #expect(alive == [all, one, one, all, one, one, none, none, none])
        #expect(devices.contains(", revoked "), "\(devices)")
        #expect(left == "otto  password, 0 devices\n")
    }

    @Test("All accounts are listed, also those beyond what one answer of the database has")
    func manyAccounts() throws {
        let folder = try Folder()
        let ledger = try SQLiteLedger(path: folder.path + "/sign-in.db") { Issue.record("beside the batches: \($0.words)") }
        let now = Moment(seconds: 1_800_000_000)
        let password = StretchedPassword(salt: [1], passes: 1, kibibytes: 8, hash: [1])
        let names = (0...SignInLimit.listedAccounts).map { "a\(1000 + $0)" }
        for first in stride(from: 0, to: names.count, by: SignInLimit.batch) {
            let some = names[first..<min(first + SignInLimit.batch, names.count)]
            let deeds = some.map { Deed.makeAccount(AccountName($0)!, password) }  // Names by their looks.
            _ = try ledger.settle(deeds, at: now)
        }
        var lines: [String] = []
        try AccountKeeping(ledger, at: now).list { lines.append($0) }
        #expect(lines.map { String($0.prefix(5)) } == names)
        withExtendedLifetime(folder) {}
    }
}
