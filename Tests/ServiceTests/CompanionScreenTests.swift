import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import thumbturn_test_daemon
import thumbturn_test_wire

@testable import ThumbService

// Where a prompt stands while companions are asked, and what counts there: only what the owner sees, and does.
extension CompanionAttackTests {
    /// An app of the desk's that asks, and the ticket of its prompt.
    private static func asking(_ machines: TwoMachines, _ context: UInt64 = 1) throws -> Peer {
        let app = try machines.desk.app(label: "org.example.vault")
        let words = PromptWords(reason: TwoMachines.reason)
        try app.send(.evaluate(EvaluationRequest(context: context, subject: .policy(.companion), words: words)))
        return app
    }

    @Test("a program of a remote session has no companion, and a preflight says so")
    func remote() throws {
        let machines = try TwoMachines()
        machines.desk.place.withLock { $0 = .remote }
        #expect(try CompanionTests.failure(machines.desk) == .companionNotAvailable)
        let app = try Self.asking(machines)
        let outcome = try app.evaluated()
        Tally.check("a program asks a companion over SSH", succeeded: outcome != .failure(.companionNotAvailable))
        #expect(outcome == .failure(.companionNotAvailable))
        try app.send(GetCompanionState())
        guard case .companionState(let state)? = try app.next() else { throw Peer.Surprise() }
        #expect(state.digest != nil && !state.isNear)
        // The carrier was given nothing.
        #expect(try machines.deskCarrier.isHeard())
    }

    @Test("a prompt that isn't on the owner's screen, as on a hidden terminal, has no companion asked")
    func hidden() throws {
        let machines = try TwoMachines()
        let app = try Self.asking(machines)
        let ticket = try app.ticket()
        machines.desk.onLoop { $0.seat.isSeated = false }
        let prompt = try machines.prompt(machines.desk, ticket)
        // It may be gone already: there is nothing to show.
        try? prompt.send(.shown)
        let outcome = try app.evaluated()
        Tally.check("a prompt on a hidden terminal has a companion asked", succeeded: outcome != .failure(.companionNotAvailable))
        #expect(outcome == .failure(.companionNotAvailable))
        #expect(try machines.deskCarrier.isHeard())
    }

    @Test("a yes counts for nothing once the session whose screen showed the question is gone")
    func leftScreen() throws {
        let machines = try TwoMachines()
        let (app, _, _) = try machines.ask()
        try machines.reach()
        let (there, _) = try machines.laptopPrompt()
        try there.send(.typed(secret("1234")))
        let yes = try machines.taken(from: machines.laptopCarrier)
        machines.desk.onLoop { $0.seat.isSeated = false }
        try machines.bring(yes, to: machines.deskCarrier)
        let outcome = try app.evaluated()
        Tally.check("a companion's yes counts after its session has ended", succeeded: outcome == .success(.companion))
        #expect(outcome == .failure(.systemCancel))
    }

    @Test(
        "a machine can't show a code by its name: the code stands first, and a name that is like one loses its digits",
        arguments: [
            "laptop, if its screen shows 123 456 too", "123456", "１２３ ４５６", "laptop-2",
        ])
    func codeInName(_ name: String) throws {
        let machines = try TwoMachines(isPaired: false)
        let (asks, answers) = try machines.meet(naming: name)
        _ = try machines.confirm(asks, at: machines.desk)
        _ = try machines.confirm(answers, at: machines.laptop)
        // The laptop shows an honest name, and the same code.
        let (shown, code) = (machines.comparisons[0], machines.comparisons[1].filter(\.isNumber))
        let first = shown.filter(\.isNumber).prefix(code.count)
        Tally.check("a machine has a code compared that stands in its name", succeeded: first != code)
        #expect(code.count == 6 && first == code)
        #expect(shown.filter(\.isNumber).count == (name == "laptop-2" ? 7 : 6))
        #expect(shown.contains("‘laptop-2’") == (name == "laptop-2"))
    }

    @Test("no camera says yes for another machine: the companion's prompt takes the passcode, whatever the other machine demands")
    func picture() throws {
        let machines = try TwoMachines(biometry: .faceID)
        machines.laptop.onLoop { $0.sensor.level = .convenience }
        let (app, _, _) = try machines.ask()
        try machines.reach()
        let (there, shown) = try machines.laptopPrompt()
        Tally.check("a picture before a companion's camera says yes", succeeded: shown.listening != .none)
        #expect(shown.listening == .none && shown.acceptsPasscode)
        try there.send(.typed(secret("1234")))
        try machines.carry(from: machines.laptopCarrier, to: machines.deskCarrier)
        #expect(try app.evaluated() == .success(.companion))
        #expect(machines.noted(.companionAnswered, at: machines.laptop) == [[.passcode]])
    }

    @Test("without an answer too, the question is taken back when its session is gone")
    func sessionGone() throws {
        let machines = try TwoMachines()
        let (app, _, _) = try machines.ask()
        try machines.reach()
        let (there, _) = try machines.laptopPrompt()
        machines.desk.onLoop { $0.seat.isSeated = false }
        machines.pass(PromptLimit.secondsForSeat, at: machines.desk)
        #expect(try app.evaluated() == .failure(.systemCancel))
        try machines.carry(from: machines.deskCarrier, to: machines.laptopCarrier)
        #expect(try there.dismissed() == .cancelled)
    }
}
