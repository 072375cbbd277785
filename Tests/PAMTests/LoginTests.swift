import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_login
import thumbturn_test_programs
import thumbturn_test_wire

/// Logins and changes of password as the system makes them: the real libpam, pam_unix and pamtester, our module behind them, and our daemon.
@Suite("The password of a login", .timeLimit(.minutes(10)), .enabled(if: getuid() == 0, "takes root"))
struct LoginTests {
    /// The lines that pam-auth-update makes of our profile, in a service of their own.
    private static func stack(_ module: String, account: String = "required pam_unix.so") -> String {
        """
        auth required pam_unix.so nodelay
        auth optional \(module) password
        account \(account)
        session required pam_permit.so
        session optional \(module)
        password required pam_unix.so sha512
        password optional \(module)

        """
    }

    /// A machine with the module in a login, and an owner who uses the account's password. `thumbturn`, which judges it, has no module.
    private static func owner(isSystemMode: Bool = true) throws -> Owner {
        let module = try BuiltModule.get(.plain).path
        let machine = try Machine([
            "thumbturn": Machine.unix, "login": stack(module),
            "refusing": stack(module, account: "required pam_deny.so"),
            // A stack whose password isn't the account's.
            "elsewhere": "password required \(Machine.matrix) passdb=/etc/matrix\npassword optional \(module)\n",
        ])
        try machine.accounts("matrix", password: Machine.password, service: "elsewhere")
        let settings = machine.etc.appending(path: "thumbturn")
        try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: false)
        if isSystemMode { try machine.write("thumbturn/system-mode", "") }
        let owner = try Owner(machine, isSystem: true)
        guard try owner.isDone(.useAccountPassword, typing: [Machine.password]) else { throw Peer.Surprise(what: "not taken") }
        return owner
    }

    private static let login = ["authenticate", "acct_mgmt", "open_session"]

    /// Does these things one after the other, as a program of PAM's does, and types these lines where it asks; how it ended.
    private static func pam(
        _ deeds: [String], service: String = "login", typing lines: String..., on owner: Owner
    ) throws -> Int32 {
        let (reading, writing) = try makePipe()
        writeQuietly(Array(lines.map { $0 + "\n" }.joined().utf8), to: writing)
        close(writing)
        defer { close(reading) }
        return try owner.machine.start(["/usr/bin/pamtester", service, "owner"] + deeds, input: reading, path: "/usr/bin:/bin")
            .end()
    }

    /// Changes the password as passwd does: somebody runs a program that becomes root. The new one is typed when the old one has opened the
    /// slot.
    private static func passwd(from old: String, to new: String, on owner: Owner) throws -> Int32 {
        let (reading, writing) = try makePipe()
        defer { close(reading) }
        let child = try owner.machine.start(
            ["/usr/bin/setpriv", "--ruid", "61000", "/usr/bin/pamtester", "login", "owner", "chauthtok"], input: reading,
            path: "/usr/bin:/bin")
        writeQuietly(Array((old + "\n").utf8), to: writing)
        let isOpen = try comesToBeGiven(owner)
        writeQuietly(Array("\(new)\n\(new)\n".utf8), to: writing)
        close(writing)
        let status = child.end()
        return isOpen ? status : -1
    }

    /// Whether the passcode comes to count as given. A login doesn't always wait until it does.
    private static func comesToBeGiven(_ owner: Owner) throws -> Bool {
        for _ in 0..<600 {
            if try owner.status.passcodeWasGiven { return true }
            usleep(50_000)
        }
        return false
    }

    @Test("a login's password opens the passcode class, and a wrong one doesn't")
    func login() async throws {
        let (statuses, wrong, right, kept, events) = try await onThread {
            let owner = try Self.owner()
            _ = try owner.keep("letter", "wine")
            try owner.restart()
            var statuses = [try Self.pam(Self.login, typing: "no such word", on: owner)]
            let wrong = try owner.status.passcodeWasGiven
            statuses.append(try Self.pam(Self.login, typing: Machine.password, on: owner))
            let right = try Self.comesToBeGiven(owner)
            guard case .audit(let page) = try owner.ask(.readAudit(.whole, from: 0), typing: [Machine.password]) else {
                throw Peer.Surprise(what: "no audit")
            }
            return (statuses, wrong, right, try owner.kept("letter"), page.records.filter { $0.name == "login" })
        }
        #expect(statuses == [1, 0])
        #expect(!wrong)
        #expect(right && kept == secret("wine"))
        #expect(events.map(\.event) == [.evaluated] && events.first?.factors == [.passcode])
    }

    @Test("a right password opens nothing where no session begins: a refused account, a question of sudo's")
    func refused() async throws {
        let (statuses, wasGiven) = try await onThread {
            let owner = try Self.owner()
            try owner.restart()
            let statuses = [
                try Self.pam(Self.login, service: "refusing", typing: Machine.password, on: owner),
                try Self.pam(["authenticate"], typing: Machine.password, on: owner),
            ]
            // A login behind them that opens it: what they had said would have been heard before.
            let before = try owner.status.passcodeWasGiven
            return (statuses, before)
        }
        Tally.check("a login that is refused opens the store", succeeded: wasGiven)
        #expect(statuses == [1, 0] && !wasGiven)
    }

    @Test("in user mode a login is nothing to the daemon")
    func userMode() async throws {
        let (status, wasGiven) = try await onThread {
            let owner = try Self.owner(isSystemMode: false)
            try owner.restart()
            return (try Self.pam(Self.login, typing: Machine.password, on: owner), try owner.status.passcodeWasGiven)
        }
        #expect(status == 0 && !wasGiven)
    }

    /// Changes the password to `a second word`: how that ended, and whether that word alone is enough from then on, over a restart too.
    private static func follows(_ owner: Owner, _ change: () throws -> Int32) throws -> (status: Int32, isFollowed: Bool) {
        func isEnough() throws -> Bool {
            try owner.evaluate(typing: ["a second word"]) == .success(.passcode) && owner.notices.isEmpty
        }
        let status = try change()
        for _ in 0..<600 {
            if try isEnough() { break }
            usleep(50_000)
        }
        try owner.restart()
        return (status, try isEnough())
    }

    @Test("a password that root changes is followed at once, if the passcode was given before")
    func change() async throws {
        let (found, kept) = try await onThread {
            let owner = try Self.owner()
            _ = try owner.keep("letter", "wine")
            let found = try Self.follows(owner) {
                try Self.pam(["chauthtok"], typing: "a second word", "a second word", on: owner)
            }
            return (found, try owner.kept("letter"))
        }
        #expect(found == (0, true) && kept == secret("wine"))
    }

    @Test("a password that its owner changes is followed, though the passcode wasn't given: the old one opens the slot first")
    func changeByOwner() async throws {
        let (found, kept) = try await onThread {
            let owner = try Self.owner()
            _ = try owner.keep("letter", "wine")
            try owner.restart()
            let found = try Self.follows(owner) { try Self.passwd(from: Machine.password, to: "a second word", on: owner) }
            return (found, try owner.kept("letter"))
        }
        #expect(found == (0, true) && kept == secret("wine"))
    }

    @Test("if root changes it before it was given, nothing is opened and nothing put in its place: the previous one is asked for")
    func changeBefore() async throws {
        let (status, given, notices, found, kept) = try await onThread {
            let owner = try Self.owner()
            _ = try owner.keep("letter", "wine")
            try owner.restart()
            let status = try Self.pam(["chauthtok"], typing: "a second word", "a second word", on: owner)
            _ = try Self.pam(Self.login, typing: "a second word", on: owner)
            let given = try owner.status.passcodeWasGiven
            let found = try owner.evaluate(typing: ["a second word", Machine.password])
            return (status, given, owner.notices, found, try owner.kept("letter"))
        }
        #expect(status == 0 && !given && notices == [.accountPasswordChanged])
        #expect(found == .success(.passcode) && kept == secret("wine"))
    }

    @Test("what isn't the account's password is put in no place, though a change of password says that it is new")
    func falseChange() async throws {
        let (status, found, source) = try await onThread {
            let owner = try Self.owner()
            let status = try Self.pam(
                ["chauthtok"], service: "elsewhere", typing: Machine.password, "a second word", "a second word", on: owner)
            try owner.restart()
            return (status, try owner.evaluate(typing: [Machine.password]), try owner.status.passcodeSource)
        }
        #expect(status == 0 && found == .success(.passcode) && source == .account)
    }

    @Test("without a daemon a login and a change of password go on as ever")
    func nobody() async throws {
        let statuses = try await onThread {
            let owner = try Self.owner()
            owner.end()
            return [
                try Self.pam(Self.login, typing: Machine.password, on: owner),
                try Self.pam(["chauthtok"], typing: "a second word", "a second word", on: owner),
                try Self.pam(Self.login, typing: "a second word", on: owner),
            ]
        }
        #expect(statuses == [0, 0, 0])
    }
}
