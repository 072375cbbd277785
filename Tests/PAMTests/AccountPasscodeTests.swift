import Foundation
import Testing
import ThumbAccess
import ThumbConversation
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_programs
import thumbturn_test_wire

@Suite("The account's password as passcode", .timeLimit(.minutes(10)), .enabled(if: getuid() == 0, "takes root"))
struct AccountPasscodeTests {
    /// A machine whose account a test can change behind the daemon's back.
    private static func machine(_ password: String) throws -> Machine {
        let machine = try Machine(["thumbturn": Machine.matrix("auth", "accounts") + Machine.matrix("account", "accounts")])
        try machine.accounts("accounts", password: password)
        return machine
    }

    /// An owner who uses it already.
    private static func owner(_ password: String) throws -> Owner {
        let owner = try Owner(machine(password))
        guard try owner.isDone(.useAccountPassword, typing: [password]) else { throw Peer.Surprise(what: "not taken") }
        return owner
    }

    @Test("with a real account: what the system takes is taken, what it doesn't isn't, and a restart remembers")
    func real() async throws {
        let (early, taken, wrong, status, right, after) = try await onThread {
            let owner = try Owner(Machine())
            // Nothing is set by a password that the system refuses.
            _ = try owner.ask(.useAccountPassword, typing: ["no such word"])
            let early = try owner.status.passcodeIsSet
            let taken = try owner.isDone(.useAccountPassword, typing: [Machine.password])
            try owner.restart()
            let status = try owner.status
            let wrong = try owner.evaluate(typing: ["no such word"])
            let right = try owner.evaluate(typing: [Machine.password])
            return (early, taken, wrong, status, right, try owner.status)
        }
        #expect(!early && taken)
        #expect(status.passcodeIsSet && status.passcodeSource == .account && !status.passcodeWasGiven)
        #expect(wrong == .failure(.userCancel) && right == .success(.passcode) && after.passcodeWasGiven)
    }

    @Test("from a passcode of its own and back: the passcode there is is asked first, and the secrets stay")
    func thereAndBack() async throws {
        let (first, refused, purposes, taken, own, back, alone, kept) = try await onThread {
            let owner = try Owner(Self.machine("tulip field"))
            let first = try owner.isDone(.setPasscode, typing: ["mine alone", "mine alone"])
            _ = try owner.keep("letter", "wine")
            // Who doesn't know the passcode changes nothing with the account's password.
            let refused = try owner.isDone(.useAccountPassword, typing: ["tulip field"])
            let taken = try owner.isDone(.useAccountPassword, typing: ["mine alone", "tulip field"])
            let purposes = owner.purposes
            let own = try owner.evaluate(typing: ["mine alone"])
            let back = try owner.isDone(.setPasscode, typing: ["tulip field", "another one", "another one"])
            // The system's word counts no more, and isn't needed.
            try owner.machine.accounts("accounts", password: "changed since")
            let alone = try owner.evaluate(typing: ["another one"])
            return (first, refused, purposes, taken, own, back, alone, try owner.kept("letter"))
        }
        #expect(first && !refused && taken && back)
        #expect(purposes == [.evaluate, .accountPassword])
        #expect(own == .failure(.userCancel) && alone == .success(.passcode) && kept == secret("wine"))
    }

    @Test("changed behind our back: nothing comes out and nothing is lost until the previous password is given, once")
    func changed() async throws {
        let (cancelled, notices, given, closed, old, oldNotices, oldGiven, renewed, kept, next, nextNotices) = try await onThread
        {
            let owner = try Self.owner("first word")
            _ = try owner.keep("letter", "wine")
            try owner.machine.accounts("accounts", password: "second word")
            try owner.restart()
            let cancelled = try owner.evaluate(typing: ["second word"])
            let notices = owner.notices
            let given = try owner.status.passcodeWasGiven
            let closed = try owner.kept("letter")
            // The old one alone is no more than a wrong guess, though it would open the slot.
            let old = try owner.evaluate(typing: ["first word"])
            let (oldNotices, oldGiven) = (owner.notices, try owner.status.passcodeWasGiven)
            let renewed = try owner.evaluate(typing: ["second word", "first word"])
            let kept = try owner.kept("letter")
            try owner.restart()
            let next = try owner.evaluate(typing: ["second word"])
            return (
                cancelled, notices, given, closed, old, oldNotices, oldGiven, renewed, kept, next, owner.notices
            )
        }
        #expect(cancelled == .failure(.userCancel) && notices == [.accountPasswordChanged] && !given && closed == nil)
        #expect(old == .failure(.userCancel) && oldNotices == [.wrongPasscode] && !oldGiven)
        #expect(renewed == .success(.passcode) && kept == secret("wine"))
        #expect(next == .success(.passcode) && nextNotices == [])
    }

    @Test("a guess at the previous password is a guess: it costs delays, and the account's own is not counted")
    func guesses() async throws {
        let (found, notices) = try await onThread {
            let owner = try Self.owner("first word")
            try owner.machine.accounts("accounts", password: "second word")
            for _ in 0..<3 { _ = try owner.evaluate(typing: ["second word"]) }
            // The fourth wrong one brings the first delay.
            let guesses = ["second word", "guess", "guess", "guess"]
            return (try owner.evaluate(typing: guesses + ["first word"]), owner.notices)
        }
        #expect(found == .success(.passcode))
        #expect(notices == [.accountPasswordChanged, .wrongPasscode, .wrongPasscode, .wrongPasscode])
    }

    @Test("who lost the previous password has the recovery code, and types the account's")
    func recovery() async throws {
        let (asked, purposes, status, right, kept) = try await onThread {
            let owner = try Self.owner("first word")
            guard case .secret(let code) = try owner.ask(.makeRecoveryCode, typing: ["first word"]) else {
                throw Peer.Surprise(what: "no code")
            }
            let item = NewItem(
                itemClass: .genericPassword, attributes: [.account: .text("note"), .service: .text("tests")],
                rule: AccessRule(.whenUnlocked), secret: secret("bread"))
            _ = try owner.ask(.add(item))
            try owner.machine.accounts("accounts", password: "second word")
            try owner.restart()
            let asked = try owner.isDone(.recover(code), typing: ["first word", "second word"])
            let purposes = owner.purposes
            let status = try owner.status
            try owner.restart()
            return (asked, purposes, status, try owner.evaluate(typing: ["second word"]), try owner.kept("note"))
        }
        #expect(asked && purposes == [.accountPassword] && status.passcodeSource == .account)
        #expect(right == .success(.passcode) && kept == secret("bread"))
    }

    @Test("a recovery code where the keys are at hand loses nothing that only the passcode opens")
    func recoveryInTime() async throws {
        let (done, kept) = try await onThread {
            let owner = try Self.owner("first word")
            _ = try owner.keep("letter", "wine")
            guard case .secret(let code) = try owner.ask(.makeRecoveryCode, typing: ["first word"]) else {
                throw Peer.Surprise(what: "no code")
            }
            try owner.machine.accounts("accounts", password: "second word")
            return (try owner.isDone(.recover(code), typing: ["second word"]), try owner.kept("letter"))
        }
        #expect(done && kept == secret("wine"))
    }

    @Test("where the system can't be asked nothing is released and nothing counted, and where it can again, all is as before")
    func unavailable() async throws {
        let (found, notices, later) = try await onThread {
            let owner = try Self.owner("first word")
            try FileManager.default.removeItem(at: owner.machine.etc.appending(path: "pam.d/thumbturn"))
            try owner.restart()
            let found = try owner.evaluate(typing: Array(repeating: "first word", count: 6))
            let notices = owner.notices
            try owner.machine.write(
                "pam.d/thumbturn", Machine.matrix("auth", "accounts") + Machine.matrix("account", "accounts"))
            return (found, notices, try owner.evaluate(typing: ["first word"]))
        }
        #expect(found == .failure(.userCancel) && later == .success(.passcode))
        #expect(notices == Array(repeating: .passcodeUnchecked, count: 6))
    }

    @Test("an expired password and an account at its end are said to be so, and open nothing")
    func states() async throws {
        let (expired, ended, given) = try await onThread {
            let owner = try Owner(Machine())
            _ = try owner.ask(.useAccountPassword, typing: [Machine.password])
            let shadow = try String(contentsOf: owner.machine.etc.appending(path: "shadow"), encoding: .utf8)
            try owner.restart()
            try owner.machine.write("shadow", shadow.replacingOccurrences(of: ":19000:", with: ":0:"))
            _ = try owner.evaluate(typing: [Machine.password])
            let expired = owner.notices
            try owner.machine.write("shadow", shadow.replacingOccurrences(of: ":7:::", with: ":7::19001:"))
            _ = try owner.evaluate(typing: [Machine.password])
            return (expired, owner.notices, try owner.status.passcodeWasGiven)
        }
        #expect(expired == [.accountPasswordExpired] && ended == [.accountLocked] && !given)
    }

    @Test("what else the system asks is shown and answered, at the first typing and at every other")
    func questions() async throws {
        let (taken, first, found, notices, cancelled) = try await onThread {
            let machine = try Machine([
                "thumbturn": Machine.matrix("auth", "accounts") + Machine.matrix("auth", "codes", "echo")
                    + Machine.matrix("account", "accounts")
            ])
            try machine.accounts("accounts", password: "tulip field")
            try machine.accounts("codes", password: "424242")
            let owner = try Owner(machine)
            let taken = try owner.isDone(.useAccountPassword, typing: ["tulip field", "424242"])
            let first = owner.notices
            let found = try owner.evaluate(typing: ["tulip field", "171717", "tulip field", "424242"])
            let notices = owner.notices
            return (taken, first, found, notices, try owner.evaluate(typing: ["tulip field"]))
        }
        let question = PromptNotice.question(AccountQuestion(text: "Password: ", isHidden: false))
        #expect(taken && first == [question])
        #expect(found == .success(.passcode) && notices == [question, .wrongPasscode, question])
        #expect(cancelled == .failure(.userCancel))
    }

    @Test("too short a password is none, whatever the system thinks of it")
    func tooShort() async throws {
        let (taken, notices) = try await onThread {
            let owner = try Owner(Self.machine("abc"))
            return (try owner.isDone(.useAccountPassword, typing: ["abc"]), owner.notices)
        }
        #expect(!taken && notices == [.passcodeTooShort(least: 4)])
    }
}
