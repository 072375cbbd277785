import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbLoop
import thumbturn_test_daemon
import thumbturn_test_wire

@testable import ThumbService

// Somebody on the link who connects again and again, and what changes while a machine waits for the other.
extension CompanionAttackTests {
    /// The laptop's line goes, and comes back, as with a stranger who hangs up and connects again.
    private static func flap(_ machines: TwoMachines) throws {
        for isUp in [false, true] {
            try machines.laptopCarrier.send(CompanionLine(machines.pairing, isUp: isUp), call: 6)
        }
    }

    @Test("whoever calls, hangs up and calls again has the link key agree no more often than whoever stays")
    func callsAnew() throws {
        let machines = try TwoMachines()
        let (app, _, _) = try machines.ask()
        let call = try machines.taken(from: machines.deskCarrier)
        /// The same call under another conversation's number.
        func bring(_ number: UInt8) throws {
            let frame = [call[0]] + [UInt8](repeating: number, count: 8) + call[9...]
            try machines.bring(frame, to: machines.laptopCarrier)
        }
        for number in UInt8(1)...4 {
            try bring(number)
            #expect(try machines.taken(from: machines.laptopCarrier)[1] == number)
            try Self.flap(machines)
        }
        try bring(5)
        #expect(try machines.laptopCarrier.isHeard())
        machines.pass(1, at: machines.laptop)
        try bring(6)
        // An answer to the fifth would come first.
        let answered = try machines.taken(from: machines.laptopCarrier)[1]
        Tally.check("a new connection renews how often a stranger may call", succeeded: answered != 6)
        #expect(answered == 6)
        app.close()
    }

    @Test("only the connection over which a question opened counts as the other machine's")
    func proof() throws {
        let machines = try TwoMachines()
        let (app, _, _) = try machines.ask()
        func bring(_ frame: [UInt8], over connection: UInt32) throws {
            try machines.laptopCarrier.send(CarriedIn(machines.pairing, frame, connection: connection), call: 7)
        }
        try bring(machines.taken(from: machines.deskCarrier), over: 8)
        try machines.carry(from: machines.laptopCarrier, to: machines.deskCarrier)
        let question = try machines.taken(from: machines.deskCarrier)
        try bring(question.dropLast() + [question[question.count - 1] ^ 1], over: 8)
        let isSilent = try machines.laptopCarrier.isHeard()
        Tally.check("a frame that doesn't open keeps a stranger's connection", succeeded: !isSilent)
        #expect(isSilent)
        try bring(question, over: 7)
        guard case .companionProven(let pairing, let connection)? = try machines.laptopCarrier.next() else {
            throw Peer.Surprise()
        }
        #expect(pairing == machines.pairing && connection == 7)
        // Whoever repeats it is late.
        try bring(question, over: 8)
        _ = try machines.laptopPrompt()
        #expect(try machines.laptopCarrier.isHeard())
        app.close()
    }

    @Test("a passcode that is removed while the other side is waited for leaves no pairing behind")
    func withoutPasscode() throws {
        let machines = try TwoMachines(isPaired: false)
        let (asks, answers) = try machines.meet()
        _ = try machines.confirm(asks, at: machines.desk)
        let confirmation = try machines.confirm(answers, at: machines.laptop)
        let done = Notes<Bool>()
        EventLoop.shared.post { [desk = machines.desk] in desk.ownerRemovesPasscode { done.add($0) } }
        #expect(done.wait { !$0.isEmpty } == [true])
        try asks.send(PairingFrameIn(confirmation), call: 2)
        let answer = try asks.next()
        let kept = machines.desk.onLoop { (try? $0.device.companionDesk.machines.all())?.count }
        Tally.check("a machine without a passcode keeps a pairing", succeeded: kept != 0)
        #expect(kept == 0)
        guard case .failed(.authenticationFailed)? = answer else { throw Peer.Surprise() }
    }

    @Test("a stranger's connections that come and go tell no app anything; the loss of a machine that may be asked does")
    func flaps() throws {
        let machines = try TwoMachines()
        let watching = try machines.laptop.app()
        try watching.send(.watchEnvironment, call: 3)
        #expect(try watching.isHeard())
        for _ in 0..<3 { try Self.flap(machines) }
        #expect(try machines.laptopCarrier.isHeard())
        let isQuiet = try watching.isHeard()
        Tally.check("a stranger on the link wakes every app that watches", succeeded: !isQuiet)
        #expect(isQuiet)

        let other = try machines.desk.app()
        try other.send(.watchEnvironment, call: 3)
        #expect(try other.isHeard())
        try machines.deskCarrier.send(CompanionLine(machines.pairing, isUp: false), call: 6)
        guard case .changed? = try other.next() else { throw Peer.Surprise() }
    }
}
