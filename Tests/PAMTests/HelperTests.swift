import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbConversation
import thumbturn_test_daemon
import thumbturn_test_programs
import thumbturn_test_wire

@Suite("The helper that runs PAM", .timeLimit(.minutes(5)), .enabled(if: getuid() == 0, "takes root"))
struct HelperTests {
    private func verdict(_ password: String, on machine: Machine) throws -> AccountVerdict? {
        try Helper(on: machine).verdict(password)
    }

    @Test("a real account's password is right, another is wrong, and PAM's delay is told, not slept")
    func real() async throws {
        let (right, wrong, delay, empty, status) = try await onThread {
            let machine = try Machine()
            let right = try verdict(Machine.password, on: machine)
            let helper = try Helper(on: machine)
            try helper.send(.check(uid: 0, secret("correct horse")))
            var (wrong, delay): (AccountVerdict?, Double) = (nil, 0)
            if case .verdict(let said, let seconds)? = try helper.next() { (wrong, delay) = (said, seconds) }
            return (right, wrong, delay, try verdict("", on: machine), helper.child.end())
        }
        #expect(right == .right && wrong == .wrong && empty == .wrong)
        // pam_unix asks for two seconds, which PAM varies by half.
        #expect(delay > 0.5 && delay < 5)
        #expect(status == 0)
    }

    @Test("the service that is shipped is this one, and an account without a password opens nothing")
    func shipped() async throws {
        let shipped = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../pam/thumbturn"),
            encoding: .utf8)
        let (right, empty, open) = try await onThread {
            let machine = try Machine(["thumbturn": shipped])
            let bare = try Machine(["thumbturn": shipped], hash: "")
            // Not even where an administrator allows it.
            let nullok = try Machine(
                ["thumbturn": "auth required pam_unix.so nullok\naccount required pam_unix.so\n"], hash: "")
            return (
                try verdict(Machine.password, on: machine), try verdict("", on: bare), try verdict("", on: nullok)
            )
        }
        #expect(right == .right && empty == .wrong && open == .wrong)
    }

    @Test("an expired password, an account at its end and a locked one, each its own answer")
    func states() async throws {
        let (mustChange, expired, ended, locked) = try await onThread {
            var never = Machine.Days()
            never.changed = "0"
            var old = Machine.Days()
            old.good = "30"
            var gone = Machine.Days()
            gone.end = "19001"
            return (
                try verdict(Machine.password, on: Machine(days: never)), try verdict(Machine.password, on: Machine(days: old)),
                try verdict(Machine.password, on: Machine(days: gone)),
                // A locked password is one that no password is.
                try verdict(Machine.password, on: Machine(hash: "!*"))
            )
        }
        #expect(mustChange == .expired && expired == .expired && ended == .locked && locked == .wrong)
    }

    @Test("what is wrong stays wrong on an account that is at its end: nobody learns a password there")
    func endedAndWrong() async throws {
        let found = try await onThread {
            var gone = Machine.Days()
            gone.end = "19001"
            return try verdict("guess", on: Machine(days: gone))
        }
        #expect(found == .wrong)
    }

    @Test("a service with more than one question: the first that isn't seen is the password, the rest is asked")
    func questions() async throws {
        let (question, right, wrong, unanswered) = try await onThread {
            let lines =
                Machine.matrix("auth", "first", "verbose") + Machine.matrix("auth", "second", "echo verbose")
                + Machine.matrix("account", "first")
            let machine = try Machine(["thumbturn": lines])
            try machine.accounts("first", password: "tulip field")
            try machine.accounts("second", password: "424242")
            func run(_ code: String?) throws -> (HelperAnswer?, HelperAnswer?) {
                let helper = try Helper(on: machine)
                try helper.send(.check(uid: 0, secret("tulip field")))
                let question = try helper.next()
                guard let code else {
                    helper.close()
                    return (question, helper.child.end() == 0 ? question : nil)
                }
                try helper.send(.reply(secret(code)))
                return (question, try helper.next())
            }
            let (question, right) = try run("424242")
            return (question, right, try run("171717").1, try run(nil).1)
        }
        #expect(question == .question(AccountQuestion(text: "Password: ", isHidden: false)))
        #expect(right == .verdict(.right, delay: 0) && wrong == .verdict(.wrong, delay: 0) && unanswered == nil)
    }

    @Test("a second question that isn't seen is asked too: it doesn't get the password, and its answer isn't cut at a zero byte")
    func hiddenQuestions() async throws {
        let (question, right, cut) = try await onThread {
            let lines =
                Machine.matrix("auth", "first", "verbose") + Machine.matrix("auth", "second", "verbose")
                + Machine.matrix("account", "first")
            let machine = try Machine(["thumbturn": lines])
            try machine.accounts("first", password: "tulip field")
            try machine.accounts("second", password: "424242")
            func run(_ code: String) throws -> (HelperAnswer?, HelperAnswer?) {
                let helper = try Helper(on: machine)
                try helper.send(.check(uid: 0, secret("tulip field")))
                let question = try helper.next()
                guard case .question? = question else { return (question, nil) }
                try helper.send(.reply(secret(code)))
                return (question, try helper.next())
            }
            let (question, right) = try run("424242")
            return (question, right, try run("424242\0more").1)
        }
        #expect(question == .question(AccountQuestion(text: "Password: ", isHidden: true)))
        // An answer that PAM can't have ends its run, and what it says then is still a verdict.
        #expect(right == .verdict(.right, delay: 0) && cut != nil && cut != right)
    }

    @Test("an account that the service isn't for is locked out of it, with the right password")
    func otherService() async throws {
        let found = try await onThread {
            let machine = try Machine([
                "thumbturn": Machine.matrix("auth", "accounts") + Machine.matrix("account", "accounts")
            ])
            try machine.accounts("accounts", password: "tulip field", service: "sshd")
            return try verdict("tulip field", on: machine)
        }
        #expect(found == .locked)
    }

    @Test("without a service of its own it asks no other's: what stands for every program would let anybody in")
    func noService() async throws {
        let (none, control) = try await onThread {
            let permit = "auth required pam_permit.so\naccount required pam_permit.so\n"
            return (
                try verdict("anything", on: Machine(["other": permit])),
                // Else nothing would show that the other service was there to be taken.
                try verdict("anything", on: Machine(["thumbturn": permit]))
            )
        }
        #expect(none == .unavailable && control == .right)
    }

    @Test("a module that isn't there is nobody's verdict, and in a file that makes no sense PAM lets nobody in")
    func broken() async throws {
        let (module, nonsense) = try await onThread {
            (
                try verdict("x", on: Machine(["thumbturn": "auth required pam_nowhere.so\naccount required pam_permit.so\n"])),
                try verdict("x", on: Machine(["thumbturn": "auth nonsense\n"]))
            )
        }
        #expect(module == .unavailable && nonsense == .locked)
    }

    @Test("a password with a zero byte isn't cut to one without")
    func zero() async throws {
        let found = try await onThread { try verdict(Machine.password + "\0more", on: Machine()) }
        #expect(found == .wrong)
    }

    @Test("an account that isn't there, a word for the other stack, an answer without a question: no verdict but 'not here'")
    func outOfPlace() async throws {
        let (stranger, look, check, reply) = try await onThread {
            let machine = try Machine(["thumbturn": Machine.unix, "thumbturn-face": "auth required pam_permit.so\n"])
            let first = try Helper(on: machine)
            try first.send(.look(uid: 0))
            let second = try Helper(on: machine, ["--face"])
            try second.send(.check(uid: 0, secret(Machine.password)))
            let third = try Helper(on: machine)
            try third.send(.reply(secret("x")))
            return (
                try Helper(on: machine).verdict(Machine.password, uid: 4242), try first.next(), try second.next(),
                try third.next()
            )
        }
        #expect(stranger == .unavailable && look == nil && check == nil && reply == nil)
    }

    @Test("once the front has said whom a conversation is for, nobody else's password is judged, whoever is named later")
    func served() async throws {
        let (own, other, later) = try await onThread {
            let machine = try Machine()
            func judged(for users: [UInt32]) throws -> AccountVerdict? {
                let helper = try Helper(on: machine)
                for uid in users { try helper.send(Serve(uid: uid)) }
                // It may have ended before it hears of the password.
                return try? helper.verdict(Machine.password)
            }
            return (try judged(for: [0]), try judged(for: [4242]), try judged(for: [4242, 0]))
        }
        #expect(own == .right && other == nil && later == nil)
    }

    @Test("it ends with the daemon, whatever its module is waiting for")
    func endsWithDaemon() async throws {
        let status = try await onThread {
            let machine = try Machine(["thumbturn": "auth required pam_exec.so /bin/sleep 600\n"])
            let helper = try Helper(on: machine)
            try helper.send(.check(uid: 0, secret("x")))
            helper.close()
            return helper.child.end()
        }
        #expect(status == 1)
    }

    @Test("started by hand it does nothing")
    func byHand() async throws {
        let (status, odd) = try await onThread {
            (try Child("thumbturn-passcode", []).end(), try Child("thumbturn-passcode", ["--other"]).end())
        }
        #expect(status == 1 && odd == 64)
    }

    private static let asNobody = ["/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]

    @Test("for a user, who may not read the shadow file, the system's own program does")
    func ofUser() async throws {
        let (right, wrong, bound) = try await onThread {
            let machine = try Machine()
            try machine.becomeNobodys()
            func helper() throws -> Helper { try Helper(on: machine, outside: Self.asNobody) }
            return (
                try helper().verdict(Machine.password, uid: 65534), try helper().verdict("guess", uid: 65534),
                // In a box that lets no program gain anything, every password would be called wrong.
                try Helper(on: machine, as: Self.asNobody).verdict(Machine.password, uid: 65534)
            )
        }
        #expect(right == .right)
        #expect(wrong == .wrong)
        #expect(bound == .unavailable)
    }

    @Test("another program of the same user can't read it while it is at work")
    func memory() async throws {
        let seen = try await onThread {
            // The program that looks is the helper's child, by a module of the test's: of its uid, and it knows its number.
            let machine = try Machine([
                "thumbturn-face": "auth required pam_exec.so quiet /bin/sh /etc/look\naccount required pam_permit.so\n"
            ])
            try machine.write(
                "look",
                """
                for process in $$ $PPID; do
                    if (: < /proc/$process/mem) 2>/dev/null; then echo open; else echo shut; fi
                done > /etc/seen
                ulimit -c >> /etc/seen
                """)
            try machine.write("seen", "")
            try machine.becomeNobodys()
            let helper = try Helper(on: machine, ["--face"], as: Self.asNobody)
            try helper.send(.look(uid: 65534))
            let answer = try helper.next()
            guard case .verdict(.right, _)? = answer else { throw Helper.Silence() }
            return try machine.read("seen").split(separator: "\n").map { String($0) }
        }
        // The first is the looker's own: it could look.
        #expect(seen == ["open", "shut", "0"])
        Tally.check("PAM's helper is looked into while it is at work", succeeded: seen.dropFirst().first != "shut")
    }
}
