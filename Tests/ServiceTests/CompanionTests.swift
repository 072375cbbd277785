import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbLoop
import thumbturn_test_wire

@testable import ThumbService

@Suite("Two paired machines")
struct CompanionTests {
    @Test("the yes at the companion is the owner's: the prompt there says which machine, which program and what for")
    func yes() throws {
        let machines = try TwoMachines()
        let (app, prompt, content) = try machines.ask()
        #expect(content.companion == .mayAnswer(["laptop"]) && !content.acceptsPasscode && content.listening == .none)
        try machines.reach()
        let (there, shown) = try machines.laptopPrompt()
        #expect(shown.companion == .asksFrom(machine: "desk") && shown.words.reason == TwoMachines.reason)
        #expect(shown.program.shortName == "thumbturnPackageTests.xctest" && shown.program.claim == "org.example.vault")
        #expect(shown.acceptsPasscode && !shown.words.areOurs)
        try there.send(.typed(secret("1234")))
        try machines.carry(from: machines.laptopCarrier, to: machines.deskCarrier)
        #expect(try app.evaluated() == .success(.companion))
        #expect(try prompt.dismissed() == .success)
        #expect(machines.noted(.companionAnswered, at: machines.laptop) == [[.passcode]])
        #expect(machines.noted(.evaluated, at: machines.desk) == [[.companion]])
    }

    @Test("a finger at the companion does as well as its passcode")
    func fingers() throws {
        let machines = try TwoMachines(biometry: .touchID)
        let first = try machines.ask()
        try machines.reach()
        let (_, shown) = try machines.laptopPrompt()
        #expect(shown.listening == .touchID)
        #expect(machines.laptop.see(owner: true))
        try machines.carry(from: machines.laptopCarrier, to: machines.deskCarrier)
        #expect(try first.app.evaluated() == .success(.companion))
    }

    @Test("the keys of a pairing are sealed under the passcode on both machines: no login by finger opens them")
    func sealed() throws {
        let machines = try TwoMachines()
        var sealed: [Accessibility] = []
        for stand in [machines.desk, machines.laptop] {
            sealed += stand.onLoop { graph in
                let all = (try? graph.device.companionDesk.machines.all()) ?? []
                return all.flatMap { [$0.link, $0.yes] }.compactMap {
                    try? graph.device.parts.store.attach($0).item.rule.accessibility
                }
            }
        }
        // Each has a key for the line between them, and the laptop one for the owner's yes.
        #expect(sealed == [Accessibility](repeating: .whenPasscodeSetThisDeviceOnly, count: 3))
    }

    @Test("the two screens of a pairing show one code, and each names the other machine")
    func comparison() throws {
        let machines = try TwoMachines()
        #expect(machines.comparisons.count == 2)
        let codes = machines.comparisons.map { $0.filter(\.isNumber) }
        #expect(codes[0].count == 6 && codes[0] == codes[1])
        #expect(machines.comparisons[0].contains("‘laptop’") && machines.comparisons[1].contains("‘desk’"))
        let list = try machines.desk.app()
        try list.send(ListCompanions())
        guard case .companions(let all)? = try list.next() else { throw Peer.Surprise() }
        #expect(all.map(\.name) == ["laptop"] && all.map(\.isNear) == [true] && all.map(\.id) == [machines.pairing])
    }

    @Test("two pairings of the same machines have two codes and two ids")
    func anew() throws {
        let machines = try TwoMachines()
        let before = (machines.comparisons, machines.pairing)
        try machines.unpair(machines.desk)
        try machines.unpair(machines.laptop)
        try machines.pair()
        #expect(machines.comparisons[2] != before.0[0] && machines.pairing != before.1)
    }

    // MARK: No

    @Test("the owner's no at the companion is the owner's no; a stranger's passcode there is nobody's yes")
    func refused() throws {
        let machines = try TwoMachines()
        let first = try machines.ask()
        try machines.reach()
        let (there, _) = try machines.laptopPrompt()
        try there.send(.typed(secret("9999")))
        #expect(
            try there.next().map { if case .show(let content) = $0 { content.notice == .wrongPasscode } else { false } } == true)
        try there.send(.cancelled)
        try machines.carry(from: machines.laptopCarrier, to: machines.deskCarrier)
        #expect(try first.app.evaluated() == .failure(.userCancel))
    }

    @Test("with a sensor here, a no there leaves the sensor; and a finger here takes the question there back")
    func sensorHere() throws {
        let machines = try TwoMachines(desk: .touchID)
        let first = try machines.ask(.biometricsOrCompanion)
        #expect(first.content.companion == .mayAnswer(["laptop"]) && first.content.listening == .touchID)
        try machines.reach()
        let (there, _) = try machines.laptopPrompt()
        try there.send(.cancelled)
        try machines.carry(from: machines.laptopCarrier, to: machines.deskCarrier)
        let content = try #require(try first.prompt.shown())
        #expect(content.companion == nil && content.listening == .touchID)
        #expect(machines.desk.see(owner: true))
        #expect(try first.app.evaluated() == .success(.biometry))

        let second = try machines.ask(.biometricsOrCompanion, nil, context: 2)
        try machines.reach()
        let (again, _) = try machines.laptopPrompt()
        // The finger has to leave the reader between two prompts.
        machines.pass(1, at: machines.desk)
        #expect(machines.desk.see(owner: true))
        #expect(try second.app.evaluated() == .success(.biometry))
        try machines.carry(from: machines.deskCarrier, to: machines.laptopCarrier)
        #expect(try again.dismissed() == .cancelled)
    }

    @Test("asleep: a companion that doesn't say that it is here within its seconds is away, and what it says later is dropped")
    func asleep() throws {
        let machines = try TwoMachines()
        let (app, _, _) = try machines.ask()
        let call = try machines.taken(from: machines.deskCarrier)
        machines.pass(2.9, at: machines.desk)
        #expect(try app.isHeard())
        machines.pass(0.2, at: machines.desk)
        #expect(try app.evaluated() == .failure(.companionNotAvailable))
        try machines.bring(call, to: machines.laptopCarrier)
        try machines.carry(from: machines.laptopCarrier, to: machines.deskCarrier)
        #expect(try machines.deskCarrier.isHeard())
    }

    @Test("asleep after it was asked: no answer within its seconds is a no, and the question is taken back there")
    func fallsAsleep() throws {
        let machines = try TwoMachines()
        let (app, _, _) = try machines.ask()
        try machines.reach()
        let (there, _) = try machines.laptopPrompt()
        machines.pass(24.9, at: machines.desk)
        #expect(try app.isHeard())
        machines.pass(0.2, at: machines.desk)
        #expect(try app.evaluated() == .failure(.companionNotAvailable))
        try machines.carry(from: machines.deskCarrier, to: machines.laptopCarrier)
        #expect(try there.dismissed() == .cancelled)
    }

    @Test("relayed late: a yes that comes after the asking machine's seconds is no yes")
    func late() throws {
        let machines = try TwoMachines()
        let (app, _, _) = try machines.ask()
        try machines.reach()
        let (there, _) = try machines.laptopPrompt()
        try there.send(.typed(secret("1234")))
        let yes = try machines.taken(from: machines.laptopCarrier)
        machines.pass(25.1, at: machines.desk)
        #expect(try app.evaluated() == .failure(.companionNotAvailable))
        try machines.bring(yes, to: machines.deskCarrier)
        // Nor is it one for the next question.
        let next = try machines.ask(.companion, app, context: 2)
        _ = try machines.taken(from: machines.deskCarrier)
        _ = try machines.taken(from: machines.deskCarrier)
        try machines.bring(yes, to: machines.deskCarrier)
        machines.pass(3.1, at: machines.desk)
        #expect(try next.app.evaluated() == .failure(.companionNotAvailable))
    }

    @Test("replayed: nothing of one question opens in the next, in either direction")
    func replayed() throws {
        let machines = try TwoMachines()
        let first = try machines.ask()
        let frames = try machines.reach()
        let (there, _) = try machines.laptopPrompt()
        try there.send(.typed(secret("1234")))
        let yes = try machines.carry(from: machines.laptopCarrier, to: machines.deskCarrier)
        #expect(try first.app.evaluated() == .success(.companion))

        // The desk's frames again: the laptop says that it is here, as to anybody, and asks its owner nothing.
        try machines.bring(frames.call, to: machines.laptopCarrier)
        let here = try machines.taken(from: machines.laptopCarrier)
        #expect(here != frames.here)
        try machines.bring(frames.question, to: machines.laptopCarrier)
        #expect(try machines.laptopCarrier.isHeard())
        #expect(machines.laptop.onLoop { $0.device.desk.turns.waiting } == 0)

        // The laptop's frames again, for another question of the desk's.
        let second = try machines.ask(.companion, nil, context: 2)
        let call = try machines.taken(from: machines.deskCarrier)
        for frame in [frames.here, yes, here] { try machines.bring(frame, to: machines.deskCarrier) }
        #expect(try second.app.isHeard())
        // And under the new conversation's number.
        try machines.bring([17] + call[1..<9] + frames.here.dropFirst(9), to: machines.deskCarrier)
        #expect(try second.app.evaluated() == .failure(.companionNotAvailable))
    }

    @Test("lost: without a carrier, or with a line that is down, there is nobody to ask; in the middle of a question it ends")
    func lost() throws {
        let machines = try TwoMachines()
        let (app, _, _) = try machines.ask()
        try machines.reach()
        let (there, _) = try machines.laptopPrompt()
        try machines.deskCarrier.send(CompanionLine(machines.pairing, isUp: false), call: 6)
        #expect(try app.evaluated() == .failure(.companionNotAvailable))
        #expect(try Self.failure(machines.desk) == .companionNotAvailable)
        try machines.laptopCarrier.send(CompanionLine(machines.pairing, isUp: false), call: 6)
        #expect(try there.dismissed() == .cancelled)

        let again = try TwoMachines()
        let second = try again.ask()
        try again.deskCarrier.close()
        #expect(try second.app.evaluated() == .failure(.companionNotAvailable))
    }

    /// Why the companion policy can't be evaluated now.
    static func failure(_ stand: Stand) throws -> EvaluationFailure? {
        let app = try stand.app()
        try app.send(.capability(context: 1, policy: 3))
        guard case .capability(let found)? = try app.next() else { throw Peer.Surprise() }
        return found.failure
    }

    @Test("taken back: removed on the asking machine, a companion is asked no more, and what it said before is forgotten")
    func takenBackHere() throws {
        let machines = try TwoMachines()
        let (app, _, _) = try machines.ask()
        try machines.reach()
        let (there, _) = try machines.laptopPrompt()
        try there.send(.typed(secret("1234")))
        try machines.carry(from: machines.laptopCarrier, to: machines.deskCarrier)
        #expect(try app.evaluated() == .success(.companion))
        // The context still has it.
        let request = EvaluationRequest(
            context: 1, subject: .policy(.companion), words: PromptWords(reason: "again"), interactionNotAllowed: true)
        try app.send(.evaluate(request))
        #expect(try app.evaluated() == .success(.companion))

        let open = try machines.ask(.companion, nil, context: 2)
        try machines.reach()
        let (second, _) = try machines.laptopPrompt()
        try second.send(.typed(secret("1234")))
        let yes = try machines.taken(from: machines.laptopCarrier)
        machines.forget(at: machines.desk)
        #expect(try open.app.evaluated() == .failure(.companionNotAvailable))
        try machines.bring(yes, to: machines.deskCarrier)
        try app.send(.evaluate(request))
        #expect(try app.evaluated() == .failure(.companionNotAvailable))
        #expect(try Self.failure(machines.desk) == .companionNotAvailable)
    }

    @Test("taken back on the companion: it answers no more")
    func takenBackThere() throws {
        let machines = try TwoMachines()
        let open = try machines.ask()
        try machines.reach()
        let (there, _) = try machines.laptopPrompt()
        machines.forget(at: machines.laptop)
        #expect(try there.dismissed() == .cancelled)
        machines.pass(25.1, at: machines.desk)
        #expect(try open.app.evaluated() == .failure(.companionNotAvailable))
        _ = try machines.taken(from: machines.deskCarrier)
        let next = try machines.ask(.companion, nil, context: 2)
        try machines.carry(from: machines.deskCarrier, to: machines.laptopCarrier)
        #expect(try machines.laptopCarrier.isHeard())
        machines.pass(3.1, at: machines.desk)
        #expect(try next.app.evaluated() == .failure(.companionNotAvailable))
    }

    @Test("taken back while its question waits for the screen: a pairing that was removed asks nobody any more")
    func takenBackWaiting() throws {
        let machines = try TwoMachines()
        let app = try machines.laptop.app()
        try app.send(RemoveCompanion(machines.pairing), call: 9)
        let removing = try machines.prompt(machines.laptop, try app.ticket())
        _ = try removing.shown()
        let open = try machines.ask()
        try machines.reach()
        let waiting = try machines.prompt(machines.laptop, try machines.laptopCarrier.ticket())
        try removing.send(.typed(secret("1234")))
        guard case .done? = try app.next() else { throw Peer.Surprise() }
        // It may have had the screen for a moment, before the passcode had removed the pairing.
        var ending: PromptEnding?
        while ending == nil, let answer = try waiting.next() { if case .dismiss(let said) = answer { ending = said } }
        #expect(ending == .cancelled)
        #expect(machines.noted(.companionPaired, at: machines.laptop) == [[.passcode]])
        #expect(machines.noted(.companionRemoved, at: machines.laptop) == [[.passcode]])
        machines.pass(25.1, at: machines.desk)
        #expect(try open.app.evaluated() == .failure(.companionNotAvailable))
    }

    @Test("two companions: one that is away leaves the question to the other, whose yes is the owner's")
    func two() throws {
        let machines = try TwoMachines(isPaired: false)
        try machines.pair(as: "one")
        let first = machines.pairing
        try machines.pair(as: "two")
        try machines.carry()
        try machines.deskCarrier.send(CompanionLine(first, isUp: true), call: 6)
        #expect(try machines.deskCarrier.isHeard())
        let (app, _, content) = try machines.ask()
        #expect(content.companion == .mayAnswer(["one", "two"]))
        var calls: [[UInt8]: [UInt8]] = [:]
        for _ in 0..<2 {
            guard case .carried(let pairing, let frame)? = try machines.deskCarrier.next() else { throw Peer.Surprise() }
            calls[pairing] = frame
        }
        try machines.deskCarrier.send(CompanionLine(first, isUp: false), call: 6)
        #expect(try machines.deskCarrier.isHeard())
        // The app has been told nothing yet.
        try #require(try app.isHeard())
        try machines.bring(try #require(calls[machines.pairing]), to: machines.laptopCarrier)
        try machines.carry(from: machines.laptopCarrier, to: machines.deskCarrier)
        try machines.carry(from: machines.deskCarrier, to: machines.laptopCarrier)
        let (there, _) = try machines.laptopPrompt()
        try there.send(.typed(secret("1234")))
        try machines.carry(from: machines.laptopCarrier, to: machines.deskCarrier)
        #expect(try app.evaluated() == .success(.companion))
    }

    @Test(
        "locked: a companion whose session is locked says at once that it can't ask, and one that gets locked takes its prompt away"
    )
    func locked() throws {
        let machines = try TwoMachines()
        machines.laptop.onLoop { $0.device.lock() }
        let first = try machines.ask()
        try machines.carry(from: machines.deskCarrier, to: machines.laptopCarrier)
        try machines.carry(from: machines.laptopCarrier, to: machines.deskCarrier)
        #expect(try first.app.evaluated() == .failure(.companionNotAvailable))

        machines.laptop.onLoop { $0.device.unlock() }
        let second = try machines.ask(.companion, nil, context: 2)
        try machines.reach()
        let (there, _) = try machines.laptopPrompt()
        machines.laptop.onLoop { $0.device.lock() }
        #expect(try there.dismissed() == .cancelled)
        try machines.carry(from: machines.laptopCarrier, to: machines.deskCarrier)
        #expect(try second.app.evaluated() == .failure(.companionNotAvailable))
    }

    @Test("removing the passcode ends every pairing on that side, and what a companion said before is forgotten")
    func passcodeRemoved() throws {
        let machines = try TwoMachines()
        let (app, _, _) = try machines.ask()
        try machines.reach()
        let (there, _) = try machines.laptopPrompt()
        try there.send(.typed(secret("1234")))
        try machines.carry(from: machines.laptopCarrier, to: machines.deskCarrier)
        #expect(try app.evaluated() == .success(.companion))
        let done = Notes<Bool>()
        EventLoop.shared.post { [desk = machines.desk] in desk.ownerRemovesPasscode { done.add($0) } }
        #expect(done.wait { !$0.isEmpty } == [true])
        let list = try machines.desk.app()
        try list.send(ListCompanions())
        guard case .companions(let all)? = try list.next() else { throw Peer.Surprise() }
        #expect(all.isEmpty)
        // The app's context had the yes.
        let request = EvaluationRequest(
            context: 1, subject: .policy(.companion), words: PromptWords(reason: "again"), interactionNotAllowed: true)
        try app.send(.evaluate(request))
        #expect(try app.evaluated() == .failure(.companionNotAvailable))
    }
}
