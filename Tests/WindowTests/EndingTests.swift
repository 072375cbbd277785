import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbConversation
import ThumbLoop
import thumbturn_test_programs
import thumbturn_test_wire

@Suite("A window's beginning and end", .serialized)
struct WindowEndingTests {
    @Test("a ticket that nobody gave shows nothing, and the one that was given is still good")
    func forged() async throws {
        let (forged, status, result) = try await onThread {
            let stage = try Stage()
            let app = try stage.ask()
            let ticket = try Stage.ticket(app)
            let (program, stands) = try stage.start([UInt8](repeating: 7, count: 32))
            let status = program.status()
            let (right, _) = try stage.start(ticket)
            _ = try stage.display.window()
            stage.see(owner: true)
            let result = try Stage.outcome(app)
            _ = right.status()
            return (stands, status, result)
        }
        #expect(!forged && status == 1)
        #expect(result == .success(.biometry))
    }

    @Test("without a display it says so by ending, and its ticket is still good for a terminal")
    func noDisplay() async throws {
        let (stands, status, result) = try await onThread {
            let stage = try Stage()
            let app = try stage.ask()
            let ticket = try Stage.ticket(app)
            let (program, stands) = try stage.start(ticket, ["DISPLAY": ":65535"])
            let status = program.status()
            guard let prompt = Prompting.prompt(stage.socket, ticket) else { throw Stage.Surprise() }
            guard prompt.tell(.cancelled) else { throw Stage.Surprise() }
            return (stands, status, try Stage.outcome(app))
        }
        #expect(!stands && status == 3)
        #expect(result == .failure(.userCancel))
    }

    @Test("it goes when the app takes its question back, and when the daemon goes", arguments: [true, false])
    func takenBack(byApp: Bool) async throws {
        let status = try await onThread {
            let stage = try Stage()
            var app: AnyObject?
            let program: Running
            do {
                let shown = try stage.show()
                (app, program) = (shown.app, shown.program)
            }
            if !byApp { stage.onLoop { $0.service.stop() } }
            _ = app
            app = nil
            return program.status()
        }
        #expect(status == 1)
    }

    @Test("started by hand it is let in nowhere")
    func byHand() async throws {
        let status = try await onThread {
            let program = try Running([builtPrograms.path + "/thumbturn-window"], [:])
            let other = try Running([builtPrograms.path + "/thumbturn-window", "--approve"], [:])
            return (program.status(), other.status())
        }
        #expect(status.0 == 1 && status.1 == 64)
    }
}
