import CThumbLinux
import Foundation
import Testing
import thumbturn_test_programs

@Suite("The prompt in a terminal", .serialized)
struct PromptTests {
    private static let passcode = "staple-7731-battery"

    /// A client in a terminal, on a device whose passcode it has just set.
    private static func client(_ home: Home) throws -> Program {
        let client = try home.client(in: .terminal)
        client.type("passcode\n")
        for field in ["New passcode: ", "Again: "] {
            guard try client.wait(for: field) else { throw Program.TookTooLong(output: client.said) }
            client.type(passcode + "\r")
        }
        guard try client.answer() == "passcode set" else { throw Program.TookTooLong(output: client.said) }
        return client
    }

    @Test("a wrong passcode is said to be wrong, the right one succeeds, and neither is ever shown")
    func wrongThenRight() async throws {
        let home = try Home()
        let (answer, said) = try await onThread {
            let client = try Self.client(home)
            client.type("evaluate open%20the%20vault\n")
            _ = try client.wait(for: "Passcode: ")
            client.type("wrong-guess\r")
            _ = try client.wait(for: "That passcode is not right.")
            _ = try client.wait(for: "Passcode: ")
            client.type(Self.passcode + "\r")
            return (try client.answer(), client.said)
        }
        #expect(answer == "success passcode")
        #expect(said.contains("“open the vault”") && said.contains("thumbturn-test-client asks for you"))
        #expect(!said.contains("staple") && !said.contains("wrong-guess"))
    }

    @Test(
        "Ctrl-C, Ctrl-D and Escape are the user's cancel, and leave the terminal as it was",
        arguments: ["\u{3}", "\u{4}", "\u{1b}"])
    func cancel(key: String) async throws {
        let home = try Home()
        let (answer, next) = try await onThread {
            let client = try Self.client(home)
            client.type("evaluate open\n")
            _ = try client.wait(for: "Passcode: ")
            client.type("half" + key)
            let answer = try client.answer()
            // A terminal that still echoes and reads lines takes the next command.
            let next = try client.ask("pid")
            return (answer, next?.hasPrefix("pid "))
        }
        #expect(answer == "failure userCancel" && next == true)
    }

    @Test("the passcode is never in the app's memory")
    func memory() async throws {
        let home = try Home()
        let (answer, hasReason, hasPasscode) = try await onThread {
            let client = try Self.client(home)
            client.type("evaluate a-reason-to-be-found\n")
            _ = try client.wait(for: "Passcode: ")
            client.type(Self.passcode + "\r")
            let answer = try client.answer()
            return (
                answer, try MemoryImage(of: client.pid).found(["a-reason-to-be-found"]) != [],
                try MemoryImage(of: client.pid).found([Self.passcode]) != []
            )
        }
        #expect(answer == "success passcode")
        // Else the search would find nothing whatever there was.
        #expect(hasReason)
        #expect(!hasPasscode)
    }

    @Test("an app's words that turn the writing, move the cursor or end the line are shown and do nothing")
    func words() async throws {
        let home = try Home()
        let (answer, said) = try await onThread {
            let client = try Self.client(home)
            let bad = "pay%E2%80%AEevil%1B%5D0;owned%07%0D%0Athumbturn:%20approved"
            client.type("evaluate \(bad) \(bad) \(bad)\n")
            _ = try client.wait(for: "Passcode: ")
            client.type("\u{3}")
            return (try client.answer(), client.said)
        }
        #expect(answer == "failure userCancel")
        #expect(said.contains("“pay\u{fffd}evil\u{fffd}]0;owned\u{fffd} thumbturn: approved”"))
        #expect(said.contains("Ctrl-C: pay\u{fffd}evil"))
        #expect(!said.contains("\u{202e}") && !said.contains("\u{1b}]") && !said.contains("\u{7}"))
        #expect(!said.split(separator: "\r\n").contains { $0.hasPrefix("thumbturn: approved") })
    }

    /// The environments of the prompts in that session.
    private static func environments(ofPromptsIn session: pid_t) throws -> [Data] {
        let files = FileManager.default
        return try files.contentsOfDirectory(atPath: "/proc").filter { pid in
            // Its name is cut to fifteen letters. Behind it stand its state, its parent, its group and its session.
            let status = files.contents(atPath: "/proc/\(pid)/stat").map { String(decoding: $0, as: UTF8.self) }
            guard let status, let name = status.range(of: "(thumbturn-promp) ") else { return false }
            let fields = status[name.upperBound...].split(separator: " ")
            return fields.count > 3 && fields[3] == "\(session)"
        }.compactMap { files.contents(atPath: "/proc/\($0)/environ") }
    }

    @Test(
        "it has the variables of the terminal and of the language, and no others of the app's",
        .enabled(if: getuid() == 0, "takes root, to look into a process that nobody may look into"))
    func variables() async throws {
        let home = try Home()
        let found = try await onThread {
            let client = try Self.client(home)
            client.type("evaluate open\n")
            _ = try client.wait(for: "Passcode: ")
            let found = try Self.environments(ofPromptsIn: client.pid)
            client.type("\u{3}")
            _ = try client.answer()
            return found
        }
        #expect(found.count == 1)
        let lines = found.flatMap { String(decoding: $0, as: UTF8.self).split(separator: "\0") }
        let names = Set(lines.map { String($0.prefix { $0 != "=" }) })
        // The app has both, and more that isn't the prompt's.
        #expect(names.isSuperset(of: ["TERM", "LANG"]))
        #expect(names.isSubset(of: ["TERM", "NO_COLOR", "LANG", "LC_ALL", "LC_MESSAGES", "LC_CTYPE"]), "\(names)")
    }

    @Test("started by hand, or with a ticket nobody gave, it is let in nowhere")
    func byHand() async throws {
        let home = try Home()
        let program = Home.program("thumbturn-prompt")
        let (status, said, other) = try await onThread {
            _ = try home.ask("pid")
            let bare = try Program([program], environment: [:], in: .terminal)
            while try bare.line() != nil {}
            var ends: [Int32] = [-1, -1]
            guard thumb_pipe2(&ends, O_CLOEXEC) == 0 else { throw CannotStart(program: "a pipe") }
            defer { for end in ends { close(end) } }
            let ticket = [UInt8](repeating: 7, count: 32) + Array(home.socket.utf8)
            _ = write(ends[1], ticket, ticket.count)
            let forged = try Program([program], environment: [:], in: .terminal, inherited: ends[0])
            while try forged.line() != nil {}
            return (bare.status(), bare.said, forged.status())
        }
        #expect(status == 1 && said.contains("Programs that ask for you start this one; it does nothing by itself."))
        #expect(other == 1)
    }

    @Test("without a terminal nobody is asked, and the app learns that at once")
    func noTerminal() async throws {
        let home = try Home()
        let answer = try await onThread {
            _ = try Self.client(home)
            return try home.ask("evaluate open")
        }
        #expect(answer == "failure notInteractive")
    }

    @Test("Ctrl-X refuses all that the program asks for a while, and leaves the terminal as it was")
    func dismissed() async throws {
        let home = try Home()
        let (answer, again, next) = try await onThread {
            let client = try Self.client(home)
            client.type("evaluate open\n")
            _ = try client.wait(for: "Passcode: ")
            client.type("half\u{18}")
            let answer = try client.answer()
            // Nobody is asked any more, so the answer comes at once.
            let again = try client.ask("evaluate open")
            let next = try client.ask("pid")
            return (answer, again, next?.hasPrefix("pid "))
        }
        #expect(answer == "failure userCancel" && again == "failure userCancel" && next == true)
    }

    @Test("Ctrl-U takes back all that was typed, and backspace the last character, whichever of its two codes a terminal sends")
    func corrections() async throws {
        let home = try Home()
        let answer = try await onThread {
            let client = try Self.client(home)
            client.type("evaluate open\n")
            _ = try client.wait(for: "Passcode: ")
            client.type("wrong\u{15}" + Self.passcode + "xy\u{7f}\u{8}\r")
            return try client.answer()
        }
        #expect(answer == "success passcode")
    }
}
