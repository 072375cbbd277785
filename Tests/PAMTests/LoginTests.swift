import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbConversation
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_programs
import thumbturn_test_wire

/// Logins and changes of password as the system makes them: real programs, the real pam_unix and pam_exec, and our hook behind them.
@Suite("The hook at login", .timeLimit(.minutes(10)), .enabled(if: getuid() == 0, "takes root"))
struct LoginTests {
    private static let hook = "optional pam_exec.so expose_authtok quiet \(Machine.program("thumbturn-login"))\n"

    /// A machine with the hook in a login and in chpasswd, and an owner who uses the account's password. `thumbturn`, which judges
    /// it, has no hook.
    private static func owner() throws -> Owner {
        let machine = try Machine([
            "thumbturn": Machine.unix, "chpasswd": "password required pam_unix.so sha512\npassword " + hook,
        ])
        let owner = try Owner(machine, isSystem: true)
        guard try owner.isDone(.useAccountPassword, typing: [Machine.password]) else { throw Peer.Surprise(what: "not taken") }
        return owner
    }

    /// Offers a password as pam_exec does.
    ///
    /// - Parameter real: whose the program is that asks PAM: root's, or somebody's who runs one that becomes root, as passwd.
    private static func offer(
        _ password: String, _ type: String, on owner: Owner, user: String = "owner", real: UInt32 = 0
    ) throws -> Int32 {
        let script = "printf '%s\\0' \"$1\" | env PAM_TYPE=$2 PAM_USER=$3 setpriv --ruid $5 \"$4\""
        return try owner.machine.start(
            ["/bin/sh", "-c", script, "sh", password, type, user, Machine.program("thumbturn-login"), "\(real)"],
            path: "/usr/bin:/bin"
        ).end()
    }

    private static func change(to password: String, on owner: Owner) throws -> Int32 {
        try owner.machine.start(
            ["/bin/sh", "-c", "printf 'owner:%s\\n' \"$1\" | chpasswd", "sh", password],
            path: "/usr/sbin:/usr/bin:/sbin:/bin"
        ).end()
    }

    @Test("a login's password opens the passcode class, a wrong one doesn't, and neither keeps anybody out")
    func login() async throws {
        let (statuses, wrong, right, kept, events) = try await onThread {
            let owner = try Self.owner()
            _ = try owner.keep("letter", "wine")
            try owner.restart()
            var statuses = [try Self.offer("no such word", "auth", on: owner)]
            let wrong = try owner.status.passcodeWasGiven
            statuses.append(try Self.offer(Machine.password, "auth", on: owner))
            let right = try owner.status.passcodeWasGiven
            guard case .audit(let page) = try owner.ask(.readAudit(.whole, from: 0), typing: [Machine.password]) else {
                throw Peer.Surprise(what: "no audit")
            }
            return (statuses, wrong, right, try owner.kept("letter"), page.records.filter { $0.name == "login" })
        }
        #expect(statuses == [0, 0])
        #expect(!wrong)
        #expect(right && kept == secret("wine"))
        #expect(events.map(\.event) == [.evaluated] && events.first?.factors == [.passcode])
    }

    @Test("a password changed by the system's own program is followed at the next login, if the passcode was given before")
    func change() async throws {
        let (status, notices, found, kept) = try await onThread {
            let owner = try Self.owner()
            _ = try owner.keep("letter", "wine")
            // Debian 12's pam_exec says that it was changed, and not to what; younger ones say both.
            let status = try Self.change(to: "a second word", on: owner)
            _ = try Self.offer("a second word", "auth", on: owner)
            try owner.restart()
            let found = try owner.evaluate(typing: ["a second word"])
            return (status, owner.notices, found, try owner.kept("letter"))
        }
        #expect(status == 0)
        #expect(notices == [] && found == .success(.passcode))
        #expect(kept == secret("wine"))
    }

    @Test("where pam_exec says what it was changed to, it is followed at once")
    func changeTold() async throws {
        let (found, notices) = try await onThread {
            let owner = try Self.owner()
            try owner.machine.write("pam.d/chpasswd", "password required pam_unix.so sha512\n")
            _ = try Self.change(to: "a second word", on: owner)
            _ = try Self.offer("a second word", "password", on: owner)
            try owner.restart()
            return (try owner.evaluate(typing: ["a second word"]), owner.notices)
        }
        #expect(notices == [] && found == .success(.passcode))
    }

    @Test("a password that its owner changes by a program that becomes root is followed too")
    func changeByOwner() async throws {
        let (found, notices) = try await onThread {
            let owner = try Self.owner()
            try owner.machine.write("pam.d/chpasswd", "password required pam_unix.so sha512\n")
            _ = try Self.change(to: "a second word", on: owner)
            _ = try Self.offer("a second word", "password", on: owner, real: 61_000)
            try owner.restart()
            return (try owner.evaluate(typing: ["a second word"]), owner.notices)
        }
        #expect(notices == [] && found == .success(.passcode))
    }

    @Test("if it wasn't given, nothing is opened and nothing put in its place: the previous one is asked for")
    func changeBefore() async throws {
        let (given, notices, found, kept) = try await onThread {
            let owner = try Self.owner()
            _ = try owner.keep("letter", "wine")
            try owner.restart()
            _ = try Self.change(to: "a second word", on: owner)
            _ = try Self.offer("a second word", "auth", on: owner)
            let given = try owner.status.passcodeWasGiven
            let found = try owner.evaluate(typing: ["a second word", Machine.password])
            return (given, owner.notices, found, try owner.kept("letter"))
        }
        #expect(!given && notices == [.accountPasswordChanged] && found == .success(.passcode) && kept == secret("wine"))
    }

    @Test("what isn't the account's password is put in no place, though root says it is new")
    func falseChange() async throws {
        let (found, status) = try await onThread {
            let owner = try Self.owner()
            _ = try Self.offer("a second word", "password", on: owner)
            try owner.restart()
            return (try owner.evaluate(typing: [Machine.password]), try owner.status.passcodeSource)
        }
        #expect(found == .success(.passcode) && status == .account)
    }

    @Test("other moments of PAM, other users and nobody's machine: it ends well, and nothing happens")
    func others() async throws {
        let (statuses, given) = try await onThread {
            let owner = try Self.owner()
            try owner.restart()
            var statuses = [
                try Self.offer(Machine.password, "open_session", on: owner), try Self.offer("", "auth", on: owner),
                try Self.offer(Machine.password, "auth", on: owner, user: "stranger"),
                try Self.offer(String(repeating: "x", count: 600), "auth", on: owner),
            ]
            let given = try owner.status.passcodeWasGiven
            owner.end()
            statuses.append(try Self.offer(Machine.password, "auth", on: owner))
            return (statuses, given)
        }
        #expect(statuses == [0, 0, 0, 0, 0] && !given)
    }

    @Test("in a real stack, behind the real pam_unix, by the real pam_exec")
    func stack() async throws {
        let (before, wrong, right, verdict) = try await onThread {
            let owner = try Self.owner()
            try owner.restart()
            let before = try owner.status.passcodeWasGiven
            // Our own helper is as good a program as any that logs somebody in: it runs a stack with an account's password.
            let other = try Machine(["thumbturn": "auth required pam_unix.so\nauth \(Self.hook)account required pam_unix.so\n"])
            func login(_ password: String) throws -> AccountVerdict? {
                try Helper(on: owner.machine, etc: other.etc).verdict(password)
            }
            let wrong = (try login("no such word"), try owner.status.passcodeWasGiven)
            let right = try login(Machine.password)
            return (before, wrong, try owner.status.passcodeWasGiven, right)
        }
        #expect(!before && wrong == (.wrong, false))
        #expect(right)
        #expect(verdict == .right)
    }
}
