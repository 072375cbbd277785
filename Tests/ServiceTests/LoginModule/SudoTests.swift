import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbConversation
import thumbturn_test_daemon
import thumbturn_test_login
import thumbturn_test_programs

/// The real sudo, run by a user without rights.
@Suite("Real sudo", .timeLimit(.minutes(10)), .enabled(if: geteuid() == 0, "takes root"))
struct SudoTests {
    /// A user who is on every machine.
    private static let user: UInt32 = 1

    /// What has a program run as the user.
    private static let become = ["/usr/bin/setpriv", "--reuid", "\(user)", "--regid", "\(user)", "--clear-groups"]

    private static func sudo(_ stage: LoginStage, _ words: [String]) throws -> Applicant {
        try stage.start(become + ["/usr/bin/sudo"] + words)
    }

    /// sudo under another name, as whoever starts it may choose.
    private static func sudo(_ stage: LoginStage, called name: String, _ words: String) throws -> Applicant {
        try stage.start(become + ["/bin/bash", "-c", "exec -a '\(name)' sudo \(words)"])
    }

    @Test("a finger gives root, and so does the password; the question says which command, for whom and as whom")
    func both() async throws {
        try await onThread {
            let stand = try Stand(onlyUser: Self.user)
            let stage = try LoginStage(.service(stand), owner: Self.user)
            let touched = try Self.sudo(stage, ["/usr/bin/id", "-u"])
            try touched.wait(for: "password for owner: ")
            let question = "Touch the sensor to let sudo run 'sudo /usr/bin/id -u' as root, or type the password."
            try touched.wait(for: question)
            #expect(stand.see(owner: true))
            #expect(try touched.end() == 0, "\(touched.said)")
            #expect(touched.said.hasSuffix("0\r\n"))
            #expect(touched.isAlone() && touched.echoes)
            let typed = try Self.sudo(stage, ["--user=other", "/usr/bin/id", "-un"])
            try typed.wait(for: "password for owner: ")
            try typed.wait(for: "as other,")
            typed.type(LoginStage.password + "\n")
            #expect(try typed.end() == 0, "\(typed.said)")
            #expect(typed.said.hasSuffix("other\r\n"))
        }
    }

    @Test("a wrong password is asked again, and the finger counts at the second question too")
    func again() async throws {
        try await onThread {
            let stand = try Stand(onlyUser: Self.user)
            let stage = try LoginStage(.service(stand), owner: Self.user)
            let applicant = try Self.sudo(stage, ["/usr/bin/id", "-u"])
            try applicant.wait(for: "password for owner: ")
            try applicant.wait(for: "Touch the sensor")
            applicant.type("no such word\n")
            try applicant.wait(for: "try again")
            // The first question is over by then: a touch that it still heard would count for nobody.
            try applicant.wait(for: "Touch the sensor", times: 2)
            #expect(stand.see(owner: true))
            #expect(try applicant.end() == 0, "\(applicant.said)")
            #expect(applicant.said.hasSuffix("0\r\n"))
        }
    }

    @Test("a password from elsewhere than the terminal is taken from there, and no finger is asked for")
    func elsewhere() async throws {
        try await onThread {
            let stand = try Stand(onlyUser: Self.user)
            let stage = try LoginStage(.service(stand), owner: Self.user)
            let become = "setpriv --reuid \(Self.user) --regid \(Self.user) --clear-groups"
            let applicant = try stage.start([
                "/bin/sh", "-c", "echo '\(LoginStage.password)' | \(become) sudo -S /usr/bin/id -u",
            ])
            #expect(try applicant.end() == 0, "\(applicant.said)")
            #expect(applicant.said.hasSuffix("0\r\n") && !applicant.said.contains("Touch"))
        }
    }

    @Test("interrupted or stopped by its keys, it does as it always does, and nothing is left")
    func keys() async throws {
        try await onThread {
            let stand = try Stand(onlyUser: Self.user)
            let stage = try LoginStage(.service(stand), owner: Self.user)
            let interrupted = try Self.sudo(stage, ["/usr/bin/id", "-u"])
            try interrupted.wait(for: "password for owner: ")
            try interrupted.press("\u{3}") { interrupted.hasEnded }
            #expect(try interrupted.end() != 0)
            #expect(interrupted.isAlone() && interrupted.echoes)
            // A shell with jobs of its own, in which sudo is stopped and goes on.
            let shell = try stage.start([
                "/usr/bin/setpriv", "--reuid", "1", "--regid", "1", "--clear-groups", "/bin/bash", "--norc", "--noprofile", "-i",
            ])
            shell.type("PS1='$ '; sudo /usr/bin/id -u; echo stopped=$?\n")
            try shell.wait(for: "password for owner: ")
            try shell.press("\u{1A}") { shell.said.contains("stopped=1") }
            shell.type("fg\n")
            try shell.wait(for: "password for owner: ", times: 2)
            shell.type(LoginStage.password + "\n")
            try shell.wait(for: "\r\n0\r\n")
            shell.type("exit\n")
            _ = try shell.end()
        }
    }

    /// Each of these is run by sudo as it stands here, or refused by it after the password.
    private static let unclear: [[String]] = [
        // Options behind a variable count for sudo.
        ["X=1", "/usr/bin/id"], ["-E", "X=1", "-u", "other", "/usr/bin/id"],
        // A group can be as good as root.
        ["-g", "owner", "/usr/bin/id"], ["--group=owner", "/usr/bin/id"],
        // Somebody without a name.
        ["-u", "#0", "/usr/bin/id"],
        // Words of the caller's below the question, or in the command's place.
        ["-p", "Touch the sensor to unlock the browser: ", "/usr/bin/id"], ["--prompt=x", "/usr/bin/id"],
        ["-kp", "x", "/usr/bin/id"],
        // Abbreviations, and what changes where it runs.
        ["--pro=x", "/usr/bin/id"], ["-D", "/", "/usr/bin/id"], ["-T", "5", "/usr/bin/id"],
        // What would be shown otherwise than it is: a line's end begins another command.
        ["/bin/sh", "-c", "echo hi\n/tmp/x"], ["/bin/echo", "a\tb"], ["/bin/echo", "a  b"], ["/bin/echo", "`a`"],
        ["/bin/echo", "it's"], ["/bin/echo", "a\" \"b"],
        ["/bin/echo", "\u{1B}[2J\u{1B}]0;x\u{7}"], ["/bin/echo", "2J' as   nobody, or"], ["/bin/echo", "日本"],
        // More than the question has room for.
        ["/bin/echo", String(repeating: "x", count: 200)], ["/bin/echo", String(repeating: "x", count: 9000)],
        ["/bin/echo"] + Array(repeating: "x", count: 4000),
    ]

    @Test("where the question couldn't say all that sudo is going to do, only the password is asked", arguments: unclear)
    func unsaid(words: [String]) async throws {
        try await onThread {
            let stand = try Stand(onlyUser: Self.user)
            let stage = try LoginStage(.service(stand), owner: Self.user)
            let applicant = try Self.sudo(stage, ["-k"] + words)
            // Its prompt, or what it says in place of one.
            try applicant.wait(for: ": ")
            let obeyed = applicant.said.unicodeScalars.filter { $0.value < 0x20 && $0 != "\r" && $0 != "\n" || $0.value == 0x9B }
            #expect(obeyed.isEmpty, "\(applicant.said)")
            applicant.type(LoginStage.password + "\n")
            _ = try applicant.end()
            let isAsked = applicant.said.contains("Touch the sensor to let")
            Tally.check("sudo's question leaves out what is going to be done", succeeded: isAsked)
            #expect(!isAsked, "\(applicant.said)")
        }
    }

    @Test("neither sudo's other name nor the user's own prompt gets into the question")
    func names() async throws {
        try await onThread {
            let stand = try Stand(onlyUser: Self.user)
            let stage = try LoginStage(.service(stand), owner: Self.user)
            let named = try Self.sudo(stage, called: "apt list", "/usr/bin/id -u")
            try named.wait(for: "password for owner: ")
            try named.wait(for: "run 'sudo /usr/bin/id -u' as root,")
            #expect(stand.see(owner: true))
            #expect(try named.end() == 0, "\(named.said)")
            let prompted = try stage.start(
                ["/usr/bin/env", "SUDO_PROMPT=look: "] + Self.become + ["/usr/bin/sudo", "/usr/bin/id", "-u"])
            try prompted.wait(for: "look: ")
            #expect(!prompted.said.contains("Touch"))
            prompted.type(LoginStage.password + "\n")
            #expect(try prompted.end() == 0)
        }
    }

    /// sudo with these variables alone, in this order.
    private static func sudo(_ stage: LoginStage, in variables: [String]) throws -> Applicant {
        try stage.start(become + ["/usr/bin/env", "-i"] + variables + ["/usr/bin/sudo", "/usr/bin/id", "-u"])
    }

    /// The module reads the environment in parts of 4096 bytes: the name is across their border, right behind it, and far from it.
    @Test("the user's own prompt is found wherever it lies in the environment", arguments: [4085, 4090, 4095, 4096, 10_000])
    func ownPrompt(place: Int) async throws {
        try await onThread {
            let stand = try Stand(onlyUser: Self.user)
            let stage = try LoginStage(.service(stand), owner: Self.user)
            // With its name, its sign and the zero behind it.
            let before = "A=" + String(repeating: "x", count: place - 3)
            let prompted = try Self.sudo(stage, in: [before, "SUDO_PROMPT=look: "])
            try prompted.wait(for: "look: ")
            prompted.type(LoginStage.password + "\n")
            #expect(try prompted.end() == 0, "\(prompted.said)")
            #expect(!prompted.said.contains("Touch"), "\(prompted.said)")
        }
    }

    @Test(
        "what only looks like a prompt of the user's keeps no finger from being asked for",
        arguments: ["XSUDO_PROMPT=x", "A=SUDO_PROMPT=x", "A=" + String(repeating: "x", count: 4094) + "SUDO_PROMPT=x"])
    func otherVariable(variable: String) async throws {
        try await onThread {
            let stand = try Stand(onlyUser: Self.user)
            let stage = try LoginStage(.service(stand), owner: Self.user)
            let applicant = try Self.sudo(stage, in: [variable])
            try applicant.wait(for: "password for owner: ")
            try applicant.wait(for: "Touch the sensor to let sudo run 'sudo /usr/bin/id -u' as root,")
            try applicant.press("\u{3}") { applicant.hasEnded }
        }
    }

    /// What sudo is called decides what it does with the words behind it.
    @Test(
        "the question says whether a file is edited or run",
        arguments: [("sudoedit", "sudoedit"), ("edit", "sudo"), ("edits", "sudo")])
    func edits(name: String, question: String) async throws {
        try await onThread {
            let stand = try Stand(onlyUser: Self.user)
            let stage = try LoginStage(.service(stand), owner: Self.user)
            let applicant = try Self.sudo(stage, called: name, "/usr/bin/id")
            try applicant.wait(for: ", or type the password.")
            #expect(applicant.said.contains("run '\(question) /usr/bin/id' as root,"), "\(applicant.said)")
            try applicant.wait(for: "password for owner: ")
            try applicant.press("\u{3}") { applicant.hasEnded }
        }
    }

    @Test("under a name that some versions of sudo take for sudoedit, and others don't, the password alone is asked")
    func maybeEdits() async throws {
        try await onThread {
            let stand = try Stand(onlyUser: Self.user)
            let stage = try LoginStage(.service(stand), owner: Self.user)
            let applicant = try Self.sudo(stage, called: "x-edit", "/usr/bin/id -u")
            try applicant.wait(for: "password for owner: ")
            applicant.type(LoginStage.password + "\n")
            _ = try applicant.end()
            let isAsked = applicant.said.contains("Touch")
            Tally.check("a command is run by a touch for editing a file", succeeded: isAsked)
            #expect(!isAsked, "\(applicant.said)")
        }
    }

    @Test("a shell of root's is asked for as such: its service has another name")
    func shell() async throws {
        try await onThread {
            let stand = try Stand(onlyUser: Self.user)
            let stage = try LoginStage(.service(stand), owner: Self.user)
            let applicant = try Self.sudo(stage, ["-i"])
            try applicant.wait(for: "password for owner: ")
            try applicant.wait(for: "Touch the sensor to let sudo-i run 'sudo -i' as root, or type the password.")
            try applicant.press("\u{3}") { applicant.hasEnded }
        }
    }

    @Test("sudo's session is no login: the password that opens a shell, or another account's, is told to no daemon")
    func session() async throws {
        try await onThread {
            for (words, shell) in [(["-i"], "# "), (["-i", "-u", "other"], "$ ")] {
                let heard = Notes<WordKind?>()
                let daemon = LoginStage.Daemon.answers { _, frame in
                    heard.add(frame?.kind)
                    return frame.map { $0.kind == .whose ? Done().frame(call: $0.call).bytes : [] } ?? []
                }
                let applicant = try Self.sudo(LoginStage(daemon, owner: Self.user), words)
                try applicant.wait(for: "password for owner: ")
                applicant.type(LoginStage.password + "\n")
                try applicant.wait(for: shell)
                applicant.type("exit\n")
                _ = try applicant.end()
                // A password that is kept has the front be woken, by a caller of its own who says nothing.
                let all = heard.wait { $0.contains(nil) }
                #expect(all.count { $0 == nil } == 1, "\(all)")
                let isTold = all.contains(.offerPasscode)
                Tally.check("sudo -i tells a password to a daemon", succeeded: isTold)
                #expect(!isTold && all.contains(.whose), "\(all)")
            }
        }
    }

    @Test("in the background nobody sees the question, so no finger is asked for")
    func background() async throws {
        try await onThread {
            let stand = try Stand(onlyUser: Self.user)
            let stage = try LoginStage(.service(stand), owner: Self.user)
            let shell = try stage.start([
                "/usr/bin/setpriv", "--reuid", "\(Self.user)", "--regid", "\(Self.user)", "--clear-groups", "/bin/bash", "--norc",
                "--noprofile", "-i",
            ])
            shell.type("PS1='$ '; sudo /usr/bin/id -u &\nsleep 1; echo be\"\"hind\n")
            try shell.wait(for: "behind")
            let isListening = stand.onLoop { $0.sensor.isListening }
            Tally.check("a touch counts for a sudo in the background", succeeded: isListening)
            #expect(!isListening && !shell.said.contains("Touch"))
            shell.type("kill -9 %1; wait\nexit\nexit\n")
            _ = try shell.end()
        }
    }

    @Test("the daemon is told the command as sudo was given it, who asks and who they become")
    func deed() async throws {
        try await onThread {
            let asked = Notes<AskOwner>()
            let stage = try LoginStage(LoginModuleTests.notes(asked), owner: Self.user)
            let applicant = try Self.sudo(stage, ["-u", "other", "/usr/bin/id", "-un"])
            try applicant.wait(for: "password for owner: ")
            // A password would end a question that the daemon hasn't heard yet.
            let words = asked.wait { !$0.isEmpty }
            applicant.type(LoginStage.password + "\n")
            #expect(try applicant.end() == 0, "\(applicant.said)")
            let word = try #require(words.first)
            #expect(word.uid == Self.user && word.deed.service == "sudo" && word.deed.command == "sudo /usr/bin/id -un")
            #expect(word.deed.person == "owner" && word.deed.becomes == "other" && word.deed.terminal?.hasPrefix("pts/") == true)
        }
    }

    @Test("a word with blanks stands in marks, and so does an empty one: the question has as many words as the command")
    func oneWord() async throws {
        try await onThread {
            let asked = Notes<AskOwner>()
            let stage = try LoginStage(LoginModuleTests.notes(asked), owner: Self.user)
            let applicant = try Self.sudo(stage, ["/bin/echo", "rm -rf", "", "x"])
            try applicant.wait(for: "password for owner: ")
            // A password would end a question that the daemon hasn't heard yet.
            let words = asked.wait { !$0.isEmpty }
            applicant.type(LoginStage.password + "\n")
            #expect(try applicant.end() == 0, "\(applicant.said)")
            #expect(words.first?.deed.command == "sudo /bin/echo \"rm -rf\" \"\" x")
        }
    }

    /// The module reads 8192 bytes. The name, which the question leaves out, takes all of them but the first word's.
    @Test("where a name is so long that the rest of the command isn't read, only the password is asked")
    func longName() async throws {
        try await onThread {
            let stand = try Stand(onlyUser: Self.user)
            let stage = try LoginStage(.service(stand), owner: Self.user)
            // Each of the two ends with a zero.
            let name = String(repeating: "x", count: 8192 - 1 - "/usr/bin/env".utf8.count - 1)
            let applicant = try Self.sudo(stage, called: name, "/usr/bin/env /usr/bin/id -u")
            try applicant.wait(for: "password for owner: ")
            applicant.type(LoginStage.password + "\n")
            _ = try applicant.end()
            let isAsked = applicant.said.contains("Touch the sensor to let")
            Tally.check("sudo's question leaves out words behind a long name", succeeded: isAsked)
            #expect(!isAsked)
        }
    }
}
