import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_login
import thumbturn_test_programs
import thumbturn_test_wire

@testable import ThumbService

/// The module where a password is asked, with the real libpam, pam_unix and pamtester, and the daemon's own service behind it.
@Suite("Finger and password at once", .timeLimit(.minutes(10)), .enabled(if: geteuid() == 0, "takes root"))
struct LoginModuleTests {
    private static let question = "Touch the sensor to let ada become owner, or type the password."

    @Test("a finger is enough, the question says what for, and the terminal is as it was", arguments: BuiltModule.Kind.allCases)
    func finger(kind: BuiltModule.Kind) async throws {
        try await onThread {
            let stand = try Stand()
            let stage = try LoginStage(.service(stand), module: kind)
            let applicant = try stage.su()
            try applicant.wait(for: "Password: ")
            try applicant.wait(for: Self.question)
            #expect(!applicant.echoes)
            #expect(stand.see(owner: true))
            #expect(try applicant.end() == 0, "\(applicant.said)")
            #expect(applicant.echoes && applicant.isAlone())
        }
    }

    @Test("a password is enough, a wrong one isn't, and the sensor is free again", arguments: BuiltModule.Kind.allCases)
    func password(kind: BuiltModule.Kind) async throws {
        try await onThread {
            let stand = try Stand()
            let stage = try LoginStage(.service(stand), module: kind)
            for (typed, status) in [(LoginStage.password, Int32(0)), ("no such word", 1), ("", 1)] {
                let applicant = try stage.su()
                try applicant.wait(for: "Password: ")
                applicant.type(typed + "\n")
                #expect(try applicant.end() == status, "\(applicant.said)")
                #expect(applicant.echoes && applicant.isAlone())
                // A connection that was closed is noticed in the loop's next turns.
                self.settles(stand) { !$0.sensor.isListening }
            }
        }
    }

    /// Waits until something holds on the loop.
    func settles(_ stand: Stand, _ holds: @escaping @OnLoop @Sendable (Stand.Graph) -> Bool) {
        for _ in 0..<6000 {
            if stand.onLoop(holds) { return }
            usleep(5000)
        }
        Issue.record("it never came to that")
    }

    @Test("somebody else's finger doesn't count, and the password still does")
    func miss() async throws {
        try await onThread {
            let stand = try Stand()
            let applicant = try LoginStage(.service(stand)).su()
            try applicant.wait(for: "Password: ")
            for left in ["2 tries", "1 try"] {
                #expect(stand.see(owner: false))
                try applicant.wait(for: "Not recognized; \(left) left.")
            }
            #expect(stand.see(owner: false))
            try applicant.wait(for: "No finger counts any more; type the password.")
            settles(stand) { $0.ledger.attempts.biometric == 3 }
            applicant.type(LoginStage.password + "\n")
            #expect(try applicant.end() == 0)
        }
    }

    @Test("what was typed before the finger goes to nobody else")
    func typedAhead() async throws {
        try await onThread {
            let stand = try Stand()
            let applicant = try LoginStage(.service(stand)).su()
            try applicant.wait(for: "Password: ")
            applicant.type("correct hor")
            #expect(stand.see(owner: true))
            #expect(try applicant.end() == 0)
            let left = applicant.lineLeft()
            Tally.check("a password that was begun is read by the shell", succeeded: left != "\n")
            #expect(left == "\n")
        }
    }

    /// The answers are told apart by what is typed: a wrong password.
    @Test("the side that comes first counts, the other one doesn't, and there is one answer: a hundred times")
    func race() async throws {
        try await onThread {
            let stand = try Stand()
            let stage = try LoginStage(.service(stand))
            var dice = Dice(for: "LoginModuleTests")
            for round in 0..<100 {
                let applicant = try stage.su()
                try applicant.wait(for: "Password: ")
                switch round % 3 {
                case 0:
                    // Without this the finger could be one for the question of the login before, which the daemon hasn't seen end.
                    try applicant.wait(for: Self.question)
                    // The daemon has answered when this returns.
                    #expect(stand.see(owner: true))
                    applicant.type("wrong\n")
                    #expect(try applicant.end() == 0, "round \(round): \(applicant.said)")
                case 1:
                    applicant.type("wrong\n")
                    #expect(try applicant.end() == 1, "round \(round): \(applicant.said)")
                default:
                    // Within ten milliseconds, in either order: one of the two, whole.
                    let isFingerFirst = dice.roll(2) == 0
                    let gap = UInt32(dice.roll(10_000))
                    if !isFingerFirst { applicant.type("wrong\n") }
                    usleep(gap)
                    stand.onLoop { $0.sensor.see(owner: true) }
                    if isFingerFirst {
                        usleep(gap)
                        applicant.type("wrong\n")
                    }
                    let status = try applicant.end()
                    #expect(status == 0 || status == 1, "round \(round): \(applicant.said)")
                }
                let answers = ["successfully authenticated", "Authentication failure"].filter { applicant.said.contains($0) }
                #expect(answers.count == 1, "round \(round): \(applicant.said)")
                #expect(applicant.echoes && applicant.isAlone(), "round \(round)")
                // A touch for one login must not be one for the next.
                self.settles(stand) { !$0.sensor.isListening }
            }
        }
    }

    @Test(
        "with a daemon that isn't there, hangs, closes or says nonsense, the password works",
        arguments: BuiltModule.Kind.allCases)
    func daemons(kind: BuiltModule.Kind) async throws {
        let evaluated: [UInt8] = [0, 0, 0, 9, 134, 0, 0, 0, 1, 0, 1, 1, 0]
        let daemons: [(String, LoginStage.Daemon)] =
            [("none", .none)]
            + (0...3).flatMap { said in
                [
                    ("hangs after \(said)", .silent(after: said, closes: false)),
                    ("closes after \(said)", .silent(after: said, closes: true)),
                ]
            } + [
                ("says a yes to everything", .says(evaluated)), ("says an empty frame", .says([0, 0, 0, 0])),
                ("says a long frame", .says([0xFF, 0xFF, 0xFF, 0xFF, 1])), ("says half a frame", .says([0, 0, 0, 9, 134])),
                ("says done", .says([0, 0, 0, 5, 130, 0, 0, 0, 1])), ("says noise", .says((0...255).map { $0 })),
            ]
        try await onThread {
            for (name, daemon) in daemons {
                let stage = try LoginStage(daemon, module: kind)
                for (typed, status) in [(LoginStage.password, Int32(0)), ("no such word", 1)] {
                    let applicant = try stage.su()
                    try applicant.wait(for: "Password: ")
                    applicant.type(typed + "\n")
                    let ended = try applicant.end()
                    #expect(ended == status, "\(name): \(applicant.said)")
                    #expect(applicant.echoes && applicant.isAlone(), "\(name)")
                }
            }
        }
    }

    @Test("a daemon that isn't root hears nothing, and the password works")
    func stranger() async throws {
        try await onThread {
            for (user, expected) in [(0, [.whose, nil]), (65_534, [nil])] as [(UInt32, [WordKind?])] {
                let heard = Notes<WordKind?>()
                let daemon = LoginStage.Daemon.answers { _, frame in
                    heard.add(frame?.kind)
                    return []
                }
                let stage = try LoginStage(daemon, daemonUser: user)
                let applicant = try stage.su()
                try applicant.wait(for: "Password: ")
                applicant.type(LoginStage.password + "\n")
                #expect(try applicant.end() == 0, "\(applicant.said)")
                // It has come, and has gone again.
                #expect(heard.wait { $0.contains(nil) } == expected, "user \(user)")
            }
        }
    }

    @Test("a yes counts under the question's own number, and only where a sensor brought it about")
    func yeses() async throws {
        let yeses: [(beside: Int, factor: Factor, counts: Bool)] = [
            (0, .biometry, true), (-1, .biometry, false), (1, .biometry, false), (0, .passcode, false), (0, .companion, false),
        ]
        try await onThread {
            for yes in yeses {
                let stage = try LoginStage(
                    .judges { call in
                        let reply = EvaluationReply(result: .success(yes.factor), kind: .touchID)
                        return reply.frame(call: UInt32(Int(call) + yes.beside)).bytes
                    })
                let applicant = try stage.su()
                if !yes.counts {
                    try applicant.wait(for: "Password: ")
                    applicant.type("no such word\n")
                }
                #expect(try applicant.end() == (yes.counts ? 0 : 1), "\(yes): \(applicant.said)")
            }
        }
    }

    /// What a login's prompt said.
    enum Said: Sendable, Equatable { case shown, here, anAct, gone, otherwise(WordKind) }

    static func said(_ frame: Frame?) -> Said {
        switch frame?.kind {
        case nil: .gone
        case .shown?: .shown
        case .here?: (try? frame?.word(Here.self))?.acts == false ? .here : .anAct
        case let kind?: .otherwise(kind)
        }
    }

    /// The daemon gives up a prompt that is silent, and one at which nobody does anything has the screen for a while only.
    @Test("a question says each second that it is still there, and that nobody has done anything at it")
    func stays() async throws {
        try await onThread {
            let said = Notes<Said>()
            let applicant = try LoginStage(.asks { said.add(Self.said($0)) }).su()
            try applicant.wait(for: Self.question)
            #expect(Array(said.wait { $0.count >= 4 }.prefix(4)) == [.shown, .here, .here, .here])
            applicant.type(LoginStage.password + "\n")
            #expect(try applicant.end() == 0, "\(applicant.said)")
            #expect(said.wait { $0.contains(.gone) }.last == .gone)
        }
    }

    /// Runs what its words say as a job of its own, and takes the terminal from it and gives it back as signals say.
    private static let jobs = """
        import os, signal, sys
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        terminal, own = os.open("/dev/tty", os.O_RDWR), os.getpgrp()
        signal.signal(signal.SIGUSR1, lambda *_: os.tcsetpgrp(terminal, own))
        signal.signal(signal.SIGUSR2, lambda *_: os.tcsetpgrp(terminal, job))
        job = os.fork()
        if job == 0:
            os.setpgid(0, 0)
            os.tcsetpgrp(terminal, os.getpid())
            signal.signal(signal.SIGTTOU, signal.SIG_DFL)
            os.execv(sys.argv[1], sys.argv[1:])
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(job, 0)[1]))
        """

    /// Whether a process of its is reading the terminal: the kernel names the call, `read`, and its descriptor.
    private static func isReading(_ applicant: Applicant) -> Bool {
        applicant.others.contains { pid in
            (try? String(contentsOfFile: "/proc/\(pid)/syscall", encoding: .utf8))?.hasPrefix("\(SYS_read) 0x0 ") == true
        }
    }

    @Test("a question that goes out of sight is taken back, and the password still counts when it is seen again")
    func behind() async throws {
        try await onThread {
            let said = Notes<Said>()
            let stage = try LoginStage(.asks { said.add(Self.said($0)) })
            let applicant = try stage.start(["/usr/bin/python3", "-c", Self.jobs] + LoginStage.asking())
            try applicant.wait(for: Self.question)
            try applicant.wait(for: "Password: ")
            // A program that begins to read in the background is stopped, and says nothing at all.
            for _ in 0..<6000 where !Self.isReading(applicant) { usleep(10_000) }
            #expect(Self.isReading(applicant))
            let job = applicant.front
            #expect(job != applicant.pid)
            kill(applicant.pid, SIGUSR1)
            try applicant.wait(forFront: applicant.pid)
            let all = said.wait { $0.contains(.gone) }
            #expect(all.first == .shown && all.last == .gone, "\(all)")
            kill(applicant.pid, SIGUSR2)
            try applicant.wait(forFront: job)
            applicant.type(LoginStage.password + "\n")
            #expect(try applicant.end() == 0, "\(applicant.said)")
        }
    }

    /// Stands before the C library, and has every terminal be a console in this mode.
    private static let console = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <linux/kd.h>
        #include <stdarg.h>
        #include <stdlib.h>
        int ioctl(int fd, unsigned long request, ...) {
            va_list rest;
            va_start(rest, request);
            void *argument = va_arg(rest, void *);
            va_end(rest);
            if (request == KDGETMODE) {
                *(int *)argument = atoi(getenv("CONSOLE_MODE"));
                return 0;
            }
            int (*own)(int, unsigned long, ...) = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
            return own(fd, request, argument);
        }

        """

    /// Builds a library of C that a program loads before all others.
    static func library(_ text: String, in folder: Scratch) throws -> String {
        let (source, library) = (folder.path + "/before.c", folder.path + "/before.so")
        try Data(text.utf8).write(to: URL(filePath: source))
        let words = ["-shared", "-fPIC", "-o", library, source]
        guard try Child("/usr/bin/cc", words, path: "/usr/bin:/bin").end() == 0 else { throw CannotStart(program: "cc") }
        return library
    }

    @Test("a console that shows graphics shows no question, so none counts there")
    func graphics() async throws {
        try await onThread {
            let folder = try Scratch(inMemory: false)
            let library = try Self.library(Self.console, in: folder)
            // KD_TEXT and KD_GRAPHICS.
            for (mode, expected) in [(0, [.shown, .gone]), (1, [.gone])] as [(Int, [Said])] {
                let said = Notes<Said>()
                // The prompt's end says that what was to be shown has been read.
                let stage = try LoginStage(.asks(dismisses: true) { said.add(Self.said($0)) })
                let applicant = try stage.start(["LD_PRELOAD=\(library)", "CONSOLE_MODE=\(mode)"] + LoginStage.asking())
                try applicant.wait(for: "Password: ")
                #expect(said.wait { $0.contains(.gone) } == expected, "mode \(mode)")
                applicant.type(LoginStage.password + "\n")
                #expect(try applicant.end() == 0, "\(applicant.said)")
                #expect(applicant.said.contains("Touch the sensor") == (mode == 0))
            }
        }
    }

    @Test("a service that isn't known, or asks for somebody elsewhere, and user mode, get the password alone")
    func others() async throws {
        try await onThread {
            let stand = try Stand()
            let remote = ["/usr/bin/pamtester", "-I", "rhost=example.org", "su", "owner", "authenticate"]
            let (stage, user) = (try LoginStage(.service(stand)), try LoginStage(.service(stand), isSystemMode: false))
            // pamtester's own arguments are none of sudo's.
            let all = [
                try stage.su(service: "sshd"), try stage.start(remote), try user.su(), try stage.su(service: "sudo"),
            ]
            for applicant in all {
                try applicant.wait(for: "Password: ")
                #expect(!applicant.said.contains("Touch the sensor"))
                #expect(!stand.onLoop { $0.sensor.isListening })
                applicant.type(LoginStage.password + "\n")
                #expect(try applicant.end() == 0, "\(applicant.said)")
            }
        }
    }

    @Test("a line for logins asks for a finger at logins, and for nothing else")
    func logins() async throws {
        try await onThread {
            let stand = try Stand()
            let stage = try LoginStage(.service(stand))
            let applicant = try stage.login()
            try applicant.wait(for: "Password: ")
            try applicant.wait(for: "Touch the sensor to let owner log in, or type the password.")
            #expect(stand.see(owner: true))
            #expect(try applicant.end() == 0, "\(applicant.said)")
            let other = try stage.su(service: "su-l")
            try other.wait(for: "Password: ")
            #expect(!other.said.contains("Touch"))
            other.type(LoginStage.password + "\n")
            #expect(try other.end() == 0)
        }
    }

    @Test("polkit's helper gets a touch that was lent to its process, and asks for the password otherwise")
    func polkit() async throws {
        try await onThread {
            let stand = try Stand()
            let stage = try LoginStage(.service(stand))
            // The process is the same that reads the line.
            let asking = LoginStage.asking(service: "polkit-1").joined(separator: " ")
            for isLent in [true, false] {
                let applicant = try stage.start(["/bin/sh", "-c", "echo ready; read line; exec \(asking)"])
                try applicant.wait(for: "ready")
                let process = applicant.pid
                if isLent { stand.onLoop { $0.device.lentTouches.lend(to: process, by: getpid()) } }
                applicant.type("go\n")
                if !isLent {
                    try applicant.wait(for: "Password: ")
                    applicant.type(LoginStage.password + "\n")
                }
                #expect(try applicant.end() == 0, "\(applicant.said)")
                #expect(applicant.said.contains("Password: ") != isLent && !applicant.said.contains("Touch"))
                #expect(!stand.onLoop { $0.sensor.isListening })
            }
        }
    }

    @Test("a screen lock asks for both too, and says that it unlocks", arguments: BuiltModule.Kind.allCases)
    func lock(kind: BuiltModule.Kind) async throws {
        try await onThread {
            let stand = try Stand()
            stand.place.withLock { $0 = .console(session: "2") }
            let stage = try LoginStage(.service(stand), module: kind)
            let question = "Touch the sensor to unlock this screen, or type the password."
            let touched = try stage.su(service: "vlock")
            try touched.wait(for: "Password: ")
            try touched.wait(for: question)
            #expect(stand.see(owner: true))
            #expect(try touched.end() == 0, "\(touched.said)")
            #expect(stand.onLoop { $0.device.session.wasUnlockedByBiometry(within: 300) })
            for (typed, status) in [(LoginStage.password, Int32(0)), ("no such word", 1)] {
                let applicant = try stage.su(service: "vlock")
                try applicant.wait(for: question)
                try applicant.wait(for: "Password: ")
                applicant.type(typed + "\n")
                #expect(try applicant.end() == status, "\(applicant.said)")
            }
        }
    }

    /// Somebody who asks as GDM's process does.
    ///
    /// - Parameters:
    ///   - seat: the greeter's seat, as GDM says it; nil if there is none.
    ///   - unlocks: whether a session is to be unlocked.
    static func greeter(
        _ stage: LoginStage, seat: String? = "seat0", unlocks: Bool = false, environment own: [String] = [],
        _ items: [String] = [], then deeds: String...
    ) throws -> Applicant {
        let environment = unlocks ? ["/usr/bin/env", "GDM_SESSION_FOR_REAUTH=1"] : own
        let seat = seat.map { ["-E", "XDG_SEAT=" + $0] } ?? []
        let words = ["/usr/bin/pamtester"] + seat + items.flatMap { ["-I", $0] } + ["gdm-fingerprint", "owner", "authenticate"]
        return try stage.start(environment + words + deeds)
    }

    @Test("a greeter's finger is enough, what it shows says for whom, and misses are told", arguments: BuiltModule.Kind.allCases)
    func greeter(kind: BuiltModule.Kind) async throws {
        try await onThread {
            let stand = try Stand()
            let stage = try LoginStage(.service(stand), module: kind)
            let applicant = try Self.greeter(stage, then: "setcred(PAM_ESTABLISH_CRED)")
            try applicant.wait(for: "Touch the sensor to let owner in")
            #expect(stand.see(owner: false))
            try applicant.wait(for: "Not recognized; 2 tries left")
            #expect(stand.see(owner: true))
            #expect(try applicant.end() == 0, "\(applicant.said)")
            #expect(!applicant.said.contains("Password"))
            // That was a login, as one at a text console is.
            settles(stand) { $0.device.session.wasUnlockedByBiometry(within: 300) }
            let strange = try Self.greeter(stage)
            for left in ["2 tries", "1 try"] {
                try strange.wait(for: "Touch the sensor")
                stand.onLoop { $0.clock.advance(by: TouchLimit.rest) }
                #expect(stand.see(owner: false))
                try strange.wait(for: "Not recognized; \(left) left")
            }
            #expect(stand.see(owner: false))
            try strange.wait(for: "No finger counts any more; type the password")
            #expect(try strange.end() == 1, "\(strange.said)")
        }
    }

    @Test("a finger unlocks a session at the greeter, which counts as its biometric unlock")
    func greeterUnlocks() async throws {
        try await onThread {
            let stand = try Stand()
            stand.place.withLock { $0 = .display(session: "2") }
            let applicant = try Self.greeter(LoginStage(.service(stand)), unlocks: true)
            try applicant.wait(for: "Touch the sensor to let owner in")
            #expect(stand.see(owner: true))
            #expect(try applicant.end() == 0, "\(applicant.said)")
            #expect(stand.onLoop { $0.device.session.wasUnlockedByBiometry(within: 300) })
        }
    }

    @Test("a greeter's question is asked again where the daemon took it back, and comes back with a daemon that was away")
    func greeterAgain() async throws {
        try await onThread {
            let stand = try Stand()
            let asked = Notes<Bool>()
            // The first question is lost with the connection, after it was shown.
            let daemon = LoginStage.Daemon.serves { fd in
                asked.add(true)
                stand.onLoop { $0.service.serve(fd, as: .login) }
            }
            let applicant = try Self.greeter(LoginStage(daemon))
            try applicant.wait(for: "Touch the sensor to let owner in")
            settles(stand) { $0.sensor.isListening }
            stand.onLoop { $0.service.stop() }
            try applicant.wait(for: "Touch the sensor to let owner in", times: 2)
            settles(stand) { $0.sensor.isListening }
            stand.onLoop { $0.clock.advance(by: TouchLimit.rest) }
            #expect(stand.see(owner: true))
            #expect(try applicant.end() == 0, "\(applicant.said)")
            // The question and its prompt, twice.
            #expect(asked.all.count == 4)
        }
    }

    /// The lines around the module's let everybody through, so its own word is the only one.
    @Test("a greeter lets nobody in without the finger, whatever the daemon does and wherever the module is asked")
    func greeterOtherwise() async throws {
        let evaluated: [UInt8] = [0, 0, 0, 9, 134, 0, 0, 0, 1, 0, 1, 1, 0]
        try await onThread {
            let stand = try Stand()
            let away = try Stand()
            away.onLoop { $0.seat.isSeated = false }
            let well = try LoginStage(.service(stand))
            let stages: [(String, LoginStage, String?, [String])] = [
                ("no daemon", try LoginStage(.none), "seat0", []),
                ("a daemon that closes", try LoginStage(.silent(after: 2, closes: true)), "seat0", []),
                ("a yes to everything", try LoginStage(.says(evaluated)), "seat0", []),
                ("a daemon that isn't root", try LoginStage(.service(stand), daemonUser: 65_534), "seat0", []),
                ("user mode", try LoginStage(.service(stand), isSystemMode: false), "seat0", []),
                ("somebody at another machine", well, "seat0", ["rhost=example.org"]), ("another seat", well, "seat1", []),
                ("a session without a seat", well, nil, []),
                ("nobody at the machine", try LoginStage(.service(away)), "seat0", []),
            ]
            for (name, stage, seat, items) in stages {
                let applicant = try Self.greeter(stage, seat: seat, items)
                let ended = try applicant.end()
                let isListening = stand.onLoop { $0.sensor.isListening }
                Tally.check("a greeter lets somebody in without a finger: \(name)", succeeded: ended == 0 || isListening)
                #expect(ended == 1 && !isListening, "\(name): \(applicant.said)")
            }
        }
    }

    @Test(
        "a login's password goes to the daemon when the session opens, for the account that it is of, and to root's daemon alone")
    func typed() async throws {
        try await onThread {
            // Each login first has the front be started, and says nothing to it.
            let offer: [WordKind] = [.whose, .hello, .offerPasscode]
            for (user, service, deeds, expected, ends) in [
                (0, "typed", ["authenticate", "open_session"], offer, 2), (0, "typed", ["authenticate"], [], 1),
                (0, "elsewhere", ["authenticate", "open_session"], [], 1),
                (65_534, "typed", ["authenticate", "open_session"], [], 2),
            ] as [(UInt32, String, [String], [WordKind], Int)] {
                // The session of `elsewhere` is another's.
                let words = ["PAM_USER=other", "/usr/bin/pamtester", service, "owner"] + deeds
                let (offers, all) = try Self.offers(least: expected.isEmpty ? 0 : 1, user: user, ends: ends) { stage in
                    let applicant = try stage.start(words)
                    try applicant.wait(for: "Password: ")
                    applicant.type(LoginStage.password + "\n")
                    #expect(try applicant.end() == 0, "\(applicant.said)")
                }
                let kinds = all.compactMap { $0 }
                let isWrong = service == "elsewhere" && !offers.isEmpty || user != 0 && !kinds.isEmpty
                Tally.check("a login's password is told to somebody else", succeeded: isWrong)
                #expect(kinds == expected && all.count { $0 == nil } == ends, "user \(user), \(service), \(deeds): \(all)")
                #expect(offers.map(\.password) == (expected.isEmpty ? [] : [secret(LoginStage.password)]))
                #expect(offers.allSatisfy { $0.uid == 0 && !$0.isNew })
            }
        }
    }

    /// Runs a login beside a daemon that takes passwords. Returns the passwords that the daemon was offered, and each word that it heard,
    /// with nil where a connection ended.
    ///
    /// The module waits for a short time for the daemon, which a busy machine doesn't always keep: then there is another login.
    ///
    /// - Parameter answersOffers: whether an offer has an answer; the module waits for one otherwise.
    static func offers(
        least: Int, user: UInt32 = 0, ends: Int = 0, answersOffers: Bool = false, _ login: (LoginStage) throws -> Void
    ) throws -> (offers: [OfferPasscode], heard: [WordKind?]) {
        for isLast in [false, false, false, false, true] {
            let heard = Notes<WordKind?>()
            let offers = Notes<OfferPasscode>()
            let daemon = LoginStage.Daemon.answers { _, frame in
                if let offer = try? frame?.word(OfferPasscode.self) { offers.add(offer) }
                heard.add(frame?.kind)
                guard let frame else { return [] }
                let isAnswered = frame.kind == .whose || answersOffers && frame.kind == .offerPasscode
                return isAnswered ? Done().frame(call: frame.call).bytes : []
            }
            let stage = try LoginStage(daemon, daemonUser: user)
            try login(stage)
            // The daemon listens for as long as there is the stage.
            let all = withExtendedLifetime(stage) { heard.wait { $0.count { $0 == nil } >= ends } }
            if isLast || offers.all.count >= least { return (offers.all, all) }
        }
        return ([], [])
    }

    @Test("where nobody can touch, the password is asked as if the module weren't there")
    func away() async throws {
        try await onThread {
            let stand = try Stand()
            stand.place.withLock { $0 = .remote }
            let applicant = try LoginStage(.service(stand)).su()
            try applicant.wait(for: "Password: ")
            #expect(!applicant.said.contains("Touch the sensor"))
            applicant.type(LoginStage.password + "\n")
            #expect(try applicant.end() == 0)
        }
    }

    @Test("killed, it leaves no process and the terminal as it was; stopped, it goes on; interrupted, it ends")
    func signals() async throws {
        try await onThread {
            let stand = try Stand()
            let stage = try LoginStage(.service(stand))
            for signal in [SIGKILL, SIGTERM] {
                let applicant = try stage.su()
                try applicant.wait(for: "Password: ")
                #expect(!applicant.others.isEmpty)
                kill(applicant.pid, signal)
                #expect(try applicant.end() == 128 + signal)
                #expect(applicant.isAlone() && applicant.echoes)
            }
            let stopped = try stage.su()
            try stopped.wait(for: "Password: ")
            // Stopped earlier, it would never say that its question is shown.
            settles(stand) { $0.sensor.isListening }
            kill(stopped.pid, SIGSTOP)
            usleep(20_000)
            #expect(stand.see(owner: true))
            kill(stopped.pid, SIGCONT)
            #expect(try stopped.end() == 0)
            #expect(stopped.isAlone() && stopped.echoes)
            let interrupted = try stage.su()
            try interrupted.wait(for: "Password: ")
            interrupted.type("\u{3}")
            #expect(try interrupted.end() != 0)
            #expect(interrupted.isAlone() && interrupted.echoes)
        }
    }

    @Test("the child's end, whoever brings it about, ends the question and lets nobody in")
    func childKilled() async throws {
        try await onThread {
            let stand = try Stand()
            let applicant = try LoginStage(.service(stand)).su()
            try applicant.wait(for: "Password: ")
            let child = try #require(applicant.others.first)
            kill(child, SIGKILL)
            #expect(try applicant.end() == 1, "\(applicant.said)")
            #expect(applicant.isAlone() && applicant.echoes)
        }
    }
}
