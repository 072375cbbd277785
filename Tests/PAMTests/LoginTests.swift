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
    ) throws -> Int32 { try offer(password, type, at: owner.machine, user: user, real: real) }

    private static func offer(
        _ password: String, _ type: String, at machine: Machine, user: String = "owner", real: UInt32 = 0
    ) throws -> Int32 {
        let script = "printf '%s\\0' \"$1\" | env PAM_TYPE=$2 PAM_USER=$3 setpriv --ruid $5 \"$4\""
        return try machine.start(
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

    /// The program with these variables alone, as they stand: of two with one name too. `env` would leave one.
    private static func offer(_ password: String, among variables: [String], on owner: Owner) throws -> Int32 {
        let start = """
            import ctypes, sys
            def words(all): return (ctypes.c_char_p * (len(all) + 1))(*[word.encode() for word in all])
            ctypes.CDLL(None).execve(sys.argv[1].encode(), words(sys.argv[1:2]), words(sys.argv[2:]))
            """
        let script = "printf '%s\\0' \"$1\" | { shift; exec python3 -c \"$@\"; }"
        let program = Machine.program("thumbturn-login")
        return try owner.machine.start(
            ["/bin/sh", "-c", script, "sh", password, start, program] + variables, path: "/usr/bin:/bin"
        ).end()
    }

    @Test("of two variables with one name the last one counts: pam_exec's stand behind those that a user wrote")
    func variables() async throws {
        let right = ["PAM_TYPE=auth", "PAM_USER=owner"]
        let wrong = [["PAM_TYPE=open_session"], ["PAM_USER=stranger"]]
        let (statuses, before, after) = try await onThread {
            let owner = try Self.owner()
            try owner.restart()
            var statuses = try wrong.map { try Self.offer(Machine.password, among: right + $0, on: owner) }
            let before = try owner.status.passcodeWasGiven
            statuses.append(try Self.offer(Machine.password, among: wrong.joined() + right, on: owner))
            return (statuses, before, try owner.status.passcodeWasGiven)
        }
        #expect(statuses == [0, 0, 0])
        #expect(!before && after)
    }

    /// What somebody hears who listens where the front does, and how the program ends that offers a password meanwhile.
    private static func heard(by uid: UInt32, on machine: Machine) throws -> (status: Int32, said: Data) {
        let script = """
            import contextlib, os, socket, sys
            with contextlib.suppress(FileNotFoundError): os.unlink(sys.argv[1])
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(sys.argv[1])
            os.chmod(sys.argv[1], 0o777)
            listener.listen()
            listener.settimeout(60)
            os.write(3, b"!")
            caller = listener.accept()[0]
            os.write(3, b".")
            os.write(3, caller.recv(4096))
            """
        let (reading, writing) = try makePipe()
        let pipe = FileHandle(fileDescriptor: reading, closeOnDealloc: true)
        let listening = Result {
            try Child(
                "/usr/bin/setpriv",
                ["--reuid", "\(uid)", "--regid", "\(uid)", "--clear-groups", "/usr/bin/python3", "-c", script]
                    + [machine.root.path + "/run/login"],
                passing: writing)
        }
        close(writing)
        let child = try listening.get()
        guard try pipe.read(upToCount: 1) == Data("!".utf8) else { throw CannotStart(program: "a listener") }
        let status = try offer(Machine.password, "auth", at: machine)
        let said = try pipe.readToEnd() ?? Data()
        child.end()
        return (status, said)
    }

    @Test("whoever listens there without being root is told nothing")
    func stranger() async throws {
        let (stranger, root) = try await onThread {
            let machine = try Machine()
            // So that another user can listen there.
            guard chmod(machine.root.path, 0o711) == 0, chmod(machine.root.path + "/run", 0o777) == 0 else {
                throw CannotStart(program: "a machine")
            }
            return (try Self.heard(by: 61_000, on: machine), try Self.heard(by: 0, on: machine))
        }
        #expect(stranger.status == 0 && root.status == 0)
        // Each has had a caller, and root was told something.
        #expect(stranger.said == Data(".".utf8))
        #expect(root.said.starts(with: ".".utf8) && root.said.count > 1)
    }

    @Test("it ends by itself where nobody ends what it reads")
    func endless() async throws {
        let (isRead, status) = try await onThread { () -> (Bool, Int32?) in
            let machine = try Machine()
            let (reading, writing) = try makePipe()
            defer {
                close(reading)
                close(writing)
                withExtendedLifetime(machine) {}
            }
            let child = try machine.start(
                ["/usr/bin/env", "PAM_TYPE=auth", "PAM_USER=owner", Machine.program("thumbturn-login")], input: reading)
            defer { child.killed() }
            guard write(writing, Array("abc".utf8), 3) == 3 else { throw CannotStart(program: "a pipe") }
            // It reads what there is, and then on.
            var rest = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
            for _ in 0..<6000 where poll(&rest, 1, 0) == 1 { usleep(10_000) }
            let isRead = poll(&rest, 1, 0) == 0
            let process = pidfd_open(child.pid, 0)
            defer { close(process) }
            var end = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
            // Several times as long as it says.
            let isOver = poll(&end, 1, 100_000) == 1
            return (isRead, isOver ? child.end() : nil)
        }
        #expect(isRead && status == 0)
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
