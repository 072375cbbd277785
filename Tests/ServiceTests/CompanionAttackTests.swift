import Foundation
import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbKeychain
import ThumbLoop
import thumbturn_test_daemon
import thumbturn_test_wire

@testable import ThumbService

/// What a carrier, another program of the user's, and whoever has the companion can't do.
@Suite("Attacks on paired machines")
struct CompanionAttackTests {
    /// Why a call failed; nil if it didn't.
    private func failure(_ peer: Peer) throws -> KeychainFailure? {
        while let answer = try peer.next() {
            switch answer {
            case .failed(let failure): return failure
            case .pairingFrame: continue
            default: return nil
            }
        }
        return nil
    }

    @Test("a carrier sees nothing of machine, program or text, and the next question looks like another")
    func unreadable() throws {
        let machines = try TwoMachines()
        var crossed: [[UInt8]] = []
        for context in [UInt64(1), 2] {
            let (app, prompt, _) = try machines.ask(.companion, nil, context: context)
            let frames = try machines.reach()
            let (there, _) = try machines.laptopPrompt()
            try there.send(.typed(secret("1234")))
            let yes = try machines.carry(from: machines.laptopCarrier, to: machines.deskCarrier)
            #expect(try app.evaluated() == .success(.companion))
            _ = try prompt.dismissed()
            crossed += [frames.call, frames.here, frames.question, yes]
        }
        let text = String(decoding: crossed.joined(), as: UTF8.self)
        let seen = [TwoMachines.reason, "org.example.vault", "xctest", "desk", "laptop", "1234"].filter { text.contains($0) }
        #expect(seen.isEmpty && Set(crossed).count == crossed.count)
        Tally.check("the carrier of a real device reads which program asks a companion, and what for", succeeded: !seen.isEmpty)
    }

    @Test("a relay in the middle of a pairing: the two prompts show two codes, and nothing is kept without the owner")
    func relay() throws {
        let machines = try TwoMachines(isPaired: false)
        // The relay has a machine of its own for each side.
        let relay = try TwoMachines(isPaired: false)
        let (deskApp, laptopApp) = (try machines.desk.app(), try machines.laptop.app())
        let (relayAnswers, relayAsks) = (try relay.laptop.app(), try relay.desk.app())
        try deskApp.send(PairCompanion(PairingWish(side: .asks, ownName: "desk", place: "laptop:8876")), call: 1)
        try relayAnswers.send(PairCompanion(PairingWish(side: .answers, ownName: "laptop")), call: 1)
        try relayAsks.send(PairCompanion(PairingWish(side: .asks, ownName: "desk", place: "laptop:8876")), call: 1)
        try laptopApp.send(PairCompanion(PairingWish(side: .answers, ownName: "laptop")), call: 1)
        for (asks, answers) in [(deskApp, relayAnswers), (relayAsks, laptopApp)] {
            try answers.send(PairingFrameIn(TwoMachines.frame(of: asks)), call: 2)
            try asks.send(PairingFrameIn(TwoMachines.frame(of: answers)), call: 2)
            try answers.send(PairingFrameIn(TwoMachines.frame(of: asks)), call: 2)
        }
        var codes: [String] = []
        for (app, stand) in [(deskApp, machines.desk), (laptopApp, machines.laptop)] {
            let prompt = try machines.prompt(stand, try app.ticket())
            codes.append(try #require(try prompt.shown()).words.reason.filter(\.isNumber))
            try prompt.send(.cancelled)
            #expect(try failure(app) == .userCanceled)
        }
        #expect(codes.allSatisfy { $0.count == 6 } && codes[0] != codes[1])
        for stand in [machines.desk, machines.laptop] {
            #expect(stand.onLoop { (try? $0.device.companionDesk.machines.all())?.isEmpty } == true)
        }
    }

    @Test("a pairing that only one side confirmed is kept by neither")
    func oneSided() throws {
        let machines = try TwoMachines(isPaired: false)
        let (asks, answers) = try machines.meet()
        _ = try machines.confirm(asks, at: machines.desk)
        let prompt = try machines.prompt(machines.laptop, try answers.ticket())
        _ = try prompt.shown()
        try prompt.send(.cancelled)
        #expect(try failure(answers) == .userCanceled)
        // What a carrier makes up in the place of the other's word is none.
        try asks.send(PairingFrameIn([4] + [UInt8](repeating: 7, count: 28)), call: 2)
        #expect(try failure(asks) == .agreementFailed)
        for stand in [machines.desk, machines.laptop] {
            #expect(stand.onLoop { (try? $0.device.companionDesk.machines.all())?.isEmpty } == true)
        }
    }

    @Test(
        "whoever stands between two machines holds a pairing up for its time and no longer, and nothing of it is kept",
        arguments: [false, true])
    func heldUp(isConfirmed: Bool) throws {
        let machines = try TwoMachines(isPaired: false)
        let app: Peer
        if isConfirmed {
            app = try machines.meet().asks
            _ = try machines.confirm(app, at: machines.desk)
        } else {
            app = try machines.desk.app()
            try app.send(PairCompanion(PairingWish(side: .asks, ownName: "desk", place: "laptop:8876")))
            _ = try TwoMachines.frame(of: app)
        }
        // As long as the longest prompt.
        machines.pass(PromptLimit.secondsAtMost - 1, at: machines.desk)
        #expect(try app.isHeard())
        machines.pass(1, at: machines.desk)
        #expect(try failure(app) == .interactionNotAllowed)
        #expect(machines.desk.onLoop { (try? $0.device.companionDesk.machines.all())?.isEmpty } == true)
    }

    @Test("a program that only claims another's name learns nothing of the pairings under that name")
    func claimed() throws {
        let machines = try TwoMachines()
        let (claim, first): (ExactName, ExactName) = ("org.example.tied", "/usr/bin/the-bank")
        let isNoted = machines.desk.onLoop { graph in
            graph.device.asksConsent = true
            return
                (try? graph.device.consents.keep(
                    .noted, on: claim, .program(first), named: first.text, .consented,
                    tie: Consent.Tie(program: first, file: [])))
                != nil
        }
        try #require(isNoted)
        func digest(_ label: String?) throws -> [UInt8]? {
            let app = try machines.desk.app(label: label)
            try app.send(GetCompanionState())
            guard case .companionState(let state)? = try app.next() else { throw Peer.Surprise() }
            return state.digest
        }
        #expect(try digest(claim.text) == nil)
        #expect(try digest("org.example.other") != nil)
    }

    @Test("pairing takes the passcode, a finger isn't enough, and without a passcode there is none")
    func passcode() throws {
        let machines = try TwoMachines(desk: .touchID, biometry: .touchID, isPaired: false)
        let (asks, _) = try machines.meet()
        let prompt = try machines.prompt(machines.desk, try asks.ticket())
        let content = try #require(try prompt.shown())
        #expect(content.acceptsPasscode && content.listening == .none && content.words.areOurs)
        let bare = try Stand(passcode: nil)
        let app = try bare.app()
        try app.send(PairCompanion(PairingWish(side: .answers, ownName: "laptop")), call: 1)
        #expect(try failure(app) == .authenticationFailed)
    }

    @Test("only the carrier is heard: another program's frames and lines are nobody's, and it can't take the carrier's place")
    func otherPrograms() throws {
        let machines = try TwoMachines()
        let stranger = try machines.desk.app()
        try stranger.send(CarryCompanions(), call: 3)
        #expect(try failure(stranger) == .duplicateItem)
        try stranger.send(CompanionLine(machines.pairing, isUp: false), call: 4)
        #expect(try stranger.isHeard())
        #expect(try CompanionTests.failure(machines.desk) == nil)

        let (app, _, _) = try machines.ask()
        try machines.carry(from: machines.deskCarrier, to: machines.laptopCarrier)
        let here = try machines.taken(from: machines.laptopCarrier)
        try stranger.send(CarriedIn(machines.pairing, here), call: 5)
        #expect(try stranger.isHeard())
        // Nothing was said to the companion.
        #expect(try machines.deskCarrier.isHeard())
        // Of a pairing that isn't, the carrier's own frames are nobody's too.
        try machines.deskCarrier.send(CarriedIn(Array(0..<16), here), call: 5)
        #expect(try machines.deskCarrier.isHeard())
        try machines.bring(here, to: machines.deskCarrier)
        _ = try machines.taken(from: machines.deskCarrier)
        app.close()
    }

    @Test("a program in a sandbox neither pairs, lists and removes machines nor carries for them")
    func sandboxed() throws {
        let machines = try TwoMachines()
        let app = Caller(uid: getuid(), pid: 1, kind: .sandboxed, name: "app", groups: ["flatpak:org.example.App"])
        let answers = [
            try machines.desk.ask(PairCompanion(PairingWish(side: .answers, ownName: "laptop")), as: app),
            try machines.desk.ask(ListCompanions(), as: app),
            try machines.desk.ask(RemoveCompanion(machines.pairing), as: app),
            try machines.desk.ask(CarryCompanions(), as: app),
        ]
        for answer in answers {
            guard case .failed(.missingEntitlement)? = answer else {
                Issue.record("\(String(describing: answer))")
                continue
            }
        }
        // Which machines there are isn't told either, only that there is one.
        guard case .companionState(let state)? = try machines.desk.ask(GetCompanionState(), as: app) else {
            throw Peer.Surprise()
        }
        #expect(state.digest != nil && state.isNear)
    }

    @Test("a companion that was stolen and started again says nothing before its passcode was given")
    func stolen() throws {
        let machines = try TwoMachines()
        // What a start leaves: the keys are sealed, and nobody has typed the passcode.
        machines.laptop.onLoop { $0.device.parts.passcode.dropKeys() }
        let (app, _, _) = try machines.ask()
        try machines.carry(from: machines.deskCarrier, to: machines.laptopCarrier)
        #expect(try machines.laptopCarrier.isHeard())
        machines.pass(3.1, at: machines.desk)
        #expect(try app.evaluated() == .failure(.companionNotAvailable))
        // The same holds for the asking machine: after a start it has no companion.
        machines.desk.onLoop { $0.device.parts.passcode.dropKeys() }
        #expect(try CompanionTests.failure(machines.desk) == .companionNotAvailable)
    }

    @Test(
        "whoever guesses at a companion guesses at its passcode, with its counters, and the owner's finger there can be missed thrice"
    )
    func guesses() throws {
        let machines = try TwoMachines(biometry: .touchID)
        let (app, _, _) = try machines.ask()
        try machines.reach()
        let (there, _) = try machines.laptopPrompt()
        for _ in 0..<3 { #expect(machines.laptop.see(owner: false)) }
        #expect(machines.laptop.onLoop { $0.ledger.attempts.biometric } == 3)
        for guess in 0..<2 {
            try there.send(.typed(secret("000\(guess)")))
            while case .show(let content)? = try there.next() { if content.notice == .wrongPasscode { break } }
        }
        #expect(machines.laptop.onLoop { $0.ledger.attempts.passcode } == 2)
        #expect(machines.desk.onLoop { $0.ledger.attempts } == Attempts())
        try there.send(.cancelled)
        try machines.carry(from: machines.laptopCarrier, to: machines.deskCarrier)
        #expect(try app.evaluated() == .failure(.userCancel))
    }

    // MARK: Calls, questions and programs again and again

    /// The same call under another conversation's number: anybody who saw one can send such.
    private static func call(_ call: [UInt8], numbered number: UInt8) -> [UInt8] {
        [call[0]] + [UInt8](repeating: number, count: 8) + call[9...]
    }

    @Test("whoever calls and calls has the link key agree four times, and then once each second")
    func calls() throws {
        let machines = try TwoMachines()
        let (app, _, _) = try machines.ask()
        let call = try machines.taken(from: machines.deskCarrier)
        func answered() throws -> UInt8 { try machines.taken(from: machines.laptopCarrier)[1] }
        for number in UInt8(1)...4 {
            try machines.bring(Self.call(call, numbered: number), to: machines.laptopCarrier)
            #expect(try answered() == number)
        }
        try machines.bring(Self.call(call, numbered: 5), to: machines.laptopCarrier)
        #expect(try machines.laptopCarrier.isHeard())
        machines.pass(1, at: machines.laptop)
        try machines.bring(Self.call(call, numbered: 6), to: machines.laptopCarrier)
        #expect(try answered() == 6)
        app.close()
    }

    @Test("a stranger's calls between here and question change nothing: the question is asked all the same")
    func callsBetween() throws {
        let machines = try TwoMachines()
        let (app, _, _) = try machines.ask()
        let call = try machines.carry(from: machines.deskCarrier, to: machines.laptopCarrier)
        try machines.carry(from: machines.laptopCarrier, to: machines.deskCarrier)
        // The very same call, and one with another number.
        var answers: [[UInt8]] = []
        for other in [call, Self.call(call, numbered: 9)] {
            try machines.bring(other, to: machines.laptopCarrier)
            answers.append(try machines.taken(from: machines.laptopCarrier))
            // A carrier brings whatever comes, before the question goes out and after.
            try machines.bring(answers[answers.count - 1], to: machines.deskCarrier)
        }
        try machines.carry(from: machines.deskCarrier, to: machines.laptopCarrier)
        let (there, shown) = try machines.laptopPrompt()
        #expect(shown.words.reason == TwoMachines.reason)
        for answer in answers { try machines.bring(answer, to: machines.deskCarrier) }
        #expect(try machines.deskCarrier.isHeard())
        try there.send(.typed(secret("1234")))
        try machines.carry(from: machines.laptopCarrier, to: machines.deskCarrier)
        #expect(try app.evaluated() == .success(.companion))
    }

    @Test("a question that a carrier held back asks nobody any more, and what was dropped is one line of the log a minute")
    func lateQuestion() throws {
        let machines = try TwoMachines()
        let (app, _, _) = try machines.ask()
        try machines.carry(from: machines.deskCarrier, to: machines.laptopCarrier)
        try machines.carry(from: machines.laptopCarrier, to: machines.deskCarrier)
        let question = try machines.taken(from: machines.deskCarrier)
        machines.pass(25.1, at: machines.laptop)
        func dropped() -> Int { machines.laptop.log.all.count { $0.contains("was dropped") } }
        for _ in 0..<3 { try machines.bring(question, to: machines.laptopCarrier) }
        #expect(try machines.laptopCarrier.isHeard())
        #expect(machines.laptop.onLoop { $0.device.desk.turns.waiting } == 0 && dropped() == 1)
        machines.pass(60, at: machines.laptop)
        try machines.bring(question, to: machines.laptopCarrier)
        #expect(try machines.laptopCarrier.isHeard() && dropped() == 2)
        #expect(try app.isHeard())
    }

    @Test("a repeated call doesn't keep the word from being heard that a question is taken back")
    func repeatedCall() throws {
        let machines = try TwoMachines()
        let (app, _, _) = try machines.ask()
        let call = try machines.carry(from: machines.deskCarrier, to: machines.laptopCarrier)
        try machines.carry(from: machines.laptopCarrier, to: machines.deskCarrier)
        try machines.carry(from: machines.deskCarrier, to: machines.laptopCarrier)
        let (there, _) = try machines.laptopPrompt()
        // It has the question's own number.
        try machines.bring(call, to: machines.laptopCarrier)
        _ = try machines.taken(from: machines.laptopCarrier)
        app.close()
        try machines.carry(from: machines.deskCarrier, to: machines.laptopCarrier)
        #expect(try there.dismissed() == .cancelled)
    }

    @Test("a carrier that keeps the word that a question is taken back: its prompt goes when the asking machine waits no longer")
    func keptWithdrawal() throws {
        let machines = try TwoMachines()
        let (app, _, _) = try machines.ask()
        try machines.reach()
        let (there, _) = try machines.laptopPrompt()
        machines.pass(25.1, at: machines.desk)
        #expect(try app.evaluated() == .failure(.companionNotAvailable))
        machines.pass(25.1, at: machines.laptop)
        #expect(try there.dismissed() == .cancelled)
    }

    @Test("an app that asks and asks: refused for a minute at the companion, nothing of that machine's is shown there")
    func again() throws {
        let machines = try TwoMachines()
        let first = try machines.ask()
        try machines.reach()
        let (there, _) = try machines.laptopPrompt()
        try there.send(.dismissProgram)
        try machines.carry(from: machines.laptopCarrier, to: machines.deskCarrier)
        #expect(try first.app.evaluated() == .failure(.userCancel))
        for context in [UInt64(2), 3] {
            let next = try machines.ask(.companion, nil, context: context)
            try machines.reach()
            // The next that the carrier gets is the verdict, and no ticket for a prompt.
            try machines.carry(from: machines.laptopCarrier, to: machines.deskCarrier)
            #expect(try next.app.evaluated() == .failure(.userCancel))
        }
        machines.pass(60, at: machines.laptop)
        let last = try machines.ask(.companion, nil, context: 4)
        try machines.reach()
        let (again, _) = try machines.laptopPrompt()
        try again.send(.typed(secret("1234")))
        try machines.carry(from: machines.laptopCarrier, to: machines.deskCarrier)
        #expect(try last.app.evaluated() == .success(.companion))
    }

    // MARK: Limits

    @Test("a machine is paired once under a name, and there are eight in each direction, not nine")
    func limits() throws {
        let machines = try TwoMachines(isPaired: false)
        for number in 0..<8 { try machines.pair(as: "machine \(number)") }
        for (stand, full, open) in [(machines.desk, PairingSide.asks, PairingSide.answers), (machines.laptop, .answers, .asks)] {
            let app = try stand.app()
            func refusal(_ side: PairingSide, _ name: String) throws -> KeychainFailure? {
                try app.send(PairCompanion(PairingWish(side: side, ownName: "me", otherName: name)), call: 1)
                return try failure(app)
            }
            #expect(try refusal(full, "machine 8") == .quotaReached)
            #expect(try refusal(full, "machine 3") == .duplicateItem)
            // A name is taken in both directions.
            #expect(try refusal(open, "machine 3") == .duplicateItem)
        }
        // Who gives no name hears it from the other machine, and only then looks for room.
        let nameless = try machines.meet()
        #expect(try failure(nameless.asks) == .quotaReached && failure(nameless.answers) == .quotaReached)

        // There is room in the other direction.
        let (asks, answers) = (try machines.laptop.app(), try machines.desk.app())
        try answers.send(PairCompanion(PairingWish(side: .answers, ownName: "desk", otherName: "machine 8")), call: 1)
        try asks.send(PairCompanion(PairingWish(side: .asks, ownName: "laptop", otherName: "machine 8")), call: 1)
        try answers.send(PairingFrameIn(TwoMachines.frame(of: asks)), call: 2)
        _ = try TwoMachines.frame(of: answers)
    }
}
