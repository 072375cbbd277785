import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbConversation
import ThumbLoop
import ThumbPrompting
import thumbturn_test_programs

enum Prompting {
    /// A prompt of the test's own, let in with a ticket.
    static func prompt(_ socket: String, _ ticket: [UInt8]) -> Link? {
        Link(Ticket(ticket: ticket, socket: socket), surface: nil)
    }
}

/// The real daemon, started by the test's app, and a display.
final class UserMachine {
    let display: Display
    let folder: String

    init() throws {
        folder = "/tmp/turn-\(UInt32.random(in: 0 ... .max))"
        for name in ["", "/state"] {
            try FileManager.default.createDirectory(
                atPath: folder + name, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        display = try Display(in: folder)
    }

    deinit {
        if case .success(let fd) = UnixSocket.connect(to: folder + "/run/thumbturn/socket") {
            let daemon = UnixSocket.peer(of: fd)?.pid
            UnixSocket.close(fd)
            if let daemon, daemon != getpid() { endAndWait(daemon) }
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// It isn't our child, and its locks go with it.
    private func endAndWait(_ pid: pid_t) {
        let process = pidfd_open(pid, 0)
        guard process >= 0 else { return }
        defer { close(process) }
        kill(pid, SIGTERM)
        var wait = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
        _ = poll(&wait, 1, Running.patience)
    }

    /// An app without a terminal.
    func app(_ more: [String: String]) throws -> Running {
        let own = ["THUMBTURN_STATE": folder + "/state", "THUMBTURN_LIBEXEC": builtPrograms.path]
        return try Running(
            [builtPrograms.path + "/thumbturn-test-client"],
            display.environment.merging(own) { $1 }.merging(more) { $1 }.filter { !$0.value.isEmpty })
    }

    /// Has a passcode chosen in a window.
    func choosePasscode(_ app: Running) throws -> String? {
        app.say("passcode")
        for _ in 1...2 {
            _ = try display.window()
            try display.type("1234")
            try display.press("Return")
        }
        return try app.line()
    }
}

@Suite("Where a prompt shows", .serialized)
struct PlaceTests {
    @Test("an app whose user says so has a window, through the real daemon")
    func window() async throws {
        let (chosen, answer) = try await onThread {
            let machine = try UserMachine()
            let app = try machine.app(["THUMBTURN_PROMPT": "window"])
            let chosen = try machine.choosePasscode(app)
            app.say("evaluate open%20the%20vault")
            _ = try machine.display.window()
            try machine.display.type("1234")
            try machine.display.press("Return")
            return (chosen, try app.line())
        }
        #expect(chosen == "> passcode set" && answer == "> success passcode")
    }

    @Test(
        "without a terminal, and without a display that is known to be its user's, nobody is asked, at once",
        arguments: [[:], ["DISPLAY": ""], ["THUMBTURN_PROMPT": "window", "DISPLAY": ":65535"], ["THUMBTURN_PROMPT": "terminal"]])
    func nowhere(environment: [String: String]) async throws {
        let (chosen, answers, isAtOnce) = try await onThread {
            let machine = try UserMachine()
            let chosen = try machine.choosePasscode(try machine.app(["THUMBTURN_PROMPT": "window"]))
            let app = try machine.app(environment)
            var (answers, isAtOnce): ([String?], Bool) = ([], false)
            // A ticket that nobody came with is void after thirty seconds and no earlier, so one answer that came sooner wasn't that. A
            // busy machine has a few tries.
            while !isAtOnce, answers.count < 5 {
                app.say("evaluate open")
                let begin = ContinuousClock.now
                answers.append(try app.line())
                isAtOnce = ContinuousClock.now - begin < .seconds(PromptLimit.secondsForTicket)
            }
            return (chosen, answers, isAtOnce)
        }
        #expect(chosen == "> passcode set")
        #expect(answers.allSatisfy { $0 == "> failure notInteractive" })
        #expect(isAtOnce)
    }
}
