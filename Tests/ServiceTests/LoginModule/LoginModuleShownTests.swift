import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbConversation
import thumbturn_test_login
import thumbturn_test_programs
import thumbturn_test_wire

/// The daemon hears all of a login's question, and never that a question was shown which nobody saw.
extension LoginModuleTests {
    /// A stand-in for a daemon: it greets, notes what the owner is to be asked, and asks nobody.
    static func notes(_ asked: Notes<AskOwner>) -> LoginStage.Daemon {
        .answers { _, frame in
            guard let frame else { return [] }
            switch frame.kind {
            case .whose: return Done().frame(call: frame.call).bytes
            case .hello: return Welcome(mode: .system).frame(call: frame.call).bytes
            default:
                if let word = try? frame.word(AskOwner.self) { asked.add(word) }
                return EvaluationReply(result: .failure(.notInteractive), kind: .touchID).frame(call: frame.call).bytes
            }
        }
    }

    @Test("the daemon is told whose finger is wanted, for which service, who asks, who they become, and where")
    func deed() async throws {
        try await onThread {
            let asked = Notes<AskOwner>()
            let stage = try LoginStage(Self.notes(asked))
            let applicants = [try stage.su(), try stage.login(), try stage.su(service: "vlock")]
            for applicant in applicants { try applicant.wait(for: "Password: ") }
            // A password would end a question that the daemon hasn't heard yet.
            let words = asked.wait { $0.count == applicants.count }
            for applicant in applicants {
                applicant.type(LoginStage.password + "\n")
                #expect(try applicant.end() == 0, "\(applicant.said)")
            }
            #expect(words.allSatisfy { $0.uid == 0 })
            // They were started at once, so they may have come in any order.
            let expected: Set = [
                LoginDeed(service: "su", person: "ada", becomes: "owner", terminal: "tty2"),
                LoginDeed(service: "login", becomes: "owner", terminal: "tty2"),
                // Whoever unlocks becomes nobody else.
                LoginDeed(service: "vlock", becomes: "owner", terminal: "tty2"),
            ]
            #expect(words.count == 3 && Set(words.map(\.deed)) == expected, "\(words)")
        }
    }

    /// Runs what its words say, says its number and when it is gone, and waits for a line.
    private static let parent = """
        import subprocess, sys
        child = subprocess.Popen(sys.argv[1:])
        print(f"{child.pid} is the process", flush=True)
        child.wait()
        print("it is gone", flush=True)
        sys.stdin.readline()
        """

    /// The leader of a terminal's session takes everybody in front with it, by the kernel's SIGHUP. This one is no leader.
    @Test("killed below a shell that lives on, it leaves nobody who reads what is typed next")
    func orphan() async throws {
        try await onThread {
            let stand = try Stand()
            let stage = try LoginStage(.service(stand))
            let applicant = try stage.start(["/usr/bin/python3", "-c", Self.parent] + LoginStage.asking())
            try applicant.wait(for: " is the process")
            try applicant.wait(for: "Password: ")
            // Nothing else that is said has a number.
            let number = try #require(applicant.said.split { !$0.isNumber }.first.flatMap { pid_t($0) })
            kill(number, SIGKILL)
            try applicant.wait(for: "it is gone")
            #expect(applicant.isAlone() && applicant.echoes)
            applicant.type("\n")
            #expect(try applicant.end() == 0, "\(applicant.said)")
        }
    }

    @Test("a terminal that is stopped takes no question, so none counts there; the password does when it goes on")
    func stoppedTerminal() async throws {
        try await onThread {
            let said = Notes<Said>()
            // The prompt's end says that what was to be shown has been read.
            let stage = try LoginStage(.asks(dismisses: true) { said.add(Self.said($0)) })
            let asking = LoginStage.asking().joined(separator: " ")
            let applicant = try stage.start(["/bin/sh", "-c", "echo ready; read line; exec \(asking)"])
            try applicant.wait(for: "ready")
            applicant.type("\u{13}")
            applicant.type("go\n")
            let all = said.wait { $0.contains(.gone) }
            #expect(all == [.gone])
            applicant.type("\u{11}")
            try applicant.wait(for: "Password: ")
            applicant.type(LoginStage.password + "\n")
            #expect(try applicant.end() == 0, "\(applicant.said)")
            #expect(!applicant.said.contains("Touch"))
        }
    }

    @Test("a greeter that can't show its question shows none, so no finger counts")
    func greeterUnshown() async throws {
        try await onThread {
            let said = Notes<Said>()
            let stage = try LoginStage(.asks(dismisses: true) { said.add(Self.said($0)) })
            let asking = "pamtester -E XDG_SEAT=seat0 gdm-fingerprint owner authenticate"
            // What it shows is written at once, and there is no room for it.
            let applicant = try stage.start(["/bin/sh", "-c", "exec stdbuf -o0 \(asking) >/dev/full"])
            let all = said.wait { $0.contains(.gone) }
            #expect(all == [.gone])
            // It waits for the daemon, which could have more to say.
            kill(applicant.pid, SIGKILL)
            #expect(try applicant.end() == 128 + SIGKILL)
        }
    }

    @Test("a greeter's question says each second that it is still there, as one on a terminal does")
    func greeterStays() async throws {
        try await onThread {
            let said = Notes<Said>()
            let applicant = try Self.greeter(LoginStage(.asks { said.add(Self.said($0)) }))
            try applicant.wait(for: "Touch the sensor to let owner in")
            #expect(Array(said.wait { $0.count >= 4 }.prefix(4)) == [.shown, .here, .here, .here])
            kill(applicant.pid, SIGKILL)
            #expect(try applicant.end() == 128 + SIGKILL)
        }
    }

    @Test("a login's password is offered once: it is forgotten when the session has opened")
    func typedOnce() async throws {
        try await onThread {
            let (offers, _) = try Self.offers(least: 1, ends: 2) { stage in
                let deeds = ["authenticate", "open_session", "open_session"]
                let applicant = try stage.start(["/usr/bin/pamtester", "typed", "owner"] + deeds)
                try applicant.wait(for: "Password: ")
                applicant.type(LoginStage.password + "\n")
                #expect(try applicant.end() == 0, "\(applicant.said)")
            }
            // Whoever offers waits for an answer that doesn't come here, so each offer has been heard by now.
            #expect(offers.count == 1)
        }
    }
}
