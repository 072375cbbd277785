import Foundation
import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_wire

@testable import ThumbService

/// Two machines, and a carrier on each that a test plays: it sees every frame, and passes on what it likes.
final class TwoMachines {
    let desk: Stand
    let laptop: Stand
    private(set) var pairing: [UInt8] = []
    /// What each prompt of the pairing showed.
    private(set) var comparisons: [String] = []
    private var carriers: (desk: Peer, laptop: Peer)?
    /// Prompts stay up until the machines go: one that a test has no more use for isn't one that crashed.
    private var prompts: [Peer] = []

    var deskCarrier: Peer { get throws { try #require(carriers?.desk) } }
    var laptopCarrier: Peer { get throws { try #require(carriers?.laptop) } }

    /// The number of a carrier's call.
    private static let carrying: UInt32 = 5

    /// - Parameters:
    ///   - sensor: the desk's.
    ///   - biometry: the laptop's sensor.
    ///   - isPaired: whether the two are paired, and their carriers reach each other.
    init(desk sensor: BiometryKind = .none, biometry: BiometryKind = .none, isPaired: Bool = true) throws {
        desk = try Stand(biometry: sensor)
        laptop = try Stand(biometry: biometry)
        guard isPaired else { return }
        try pair()
        try carry()
    }

    // MARK: Pairing

    /// Pairs them as their owner does, comparing nothing: a test looks at `comparisons`.
    ///
    /// - Parameter name: what each calls the other one; nil: what that one says.
    func pair(as name: String? = nil) throws {
        let (asks, answers) = try meet(as: name)
        let (first, second) = (try confirm(asks, at: desk), try confirm(answers, at: laptop))
        try asks.send(PairingFrameIn(second), call: 2)
        try answers.send(PairingFrameIn(first), call: 2)
        guard case .paired(let mine)? = try asks.next(), case .paired(let theirs)? = try answers.next() else {
            throw Peer.Surprise()
        }
        #expect(mine.id == theirs.id && mine.side == .asks && theirs.side == .answers)
        #expect(mine.name == name ?? "laptop" && theirs.name == name ?? "desk")
        #expect(mine.place == "laptop:8876" && theirs.place.isEmpty)
        pairing = mine.id
    }

    /// The first three frames of a pairing, passed on as they are or as `relay` changes them. Each machine calls the other by `name`, if
    /// given; the laptop calls itself by `ownName`.
    func meet(
        as name: String? = nil, naming ownName: String = "laptop", _ relay: (Int, [UInt8]) throws -> [UInt8] = { $1 }
    ) throws -> (asks: Peer, answers: Peer) {
        let (asks, answers) = (try desk.app(), try laptop.app())
        try answers.send(PairCompanion(PairingWish(side: .answers, ownName: ownName, otherName: name)), call: 1)
        try asks.send(
            PairCompanion(PairingWish(side: .asks, ownName: "desk", otherName: name, place: "laptop:8876")), call: 1)
        try answers.send(PairingFrameIn(try relay(0, try Self.frame(of: asks))), call: 2)
        try asks.send(PairingFrameIn(try relay(1, try Self.frame(of: answers))), call: 2)
        try answers.send(PairingFrameIn(try relay(2, try Self.frame(of: asks))), call: 2)
        return (asks, answers)
    }

    static func frame(of peer: Peer) throws -> [UInt8] {
        guard case .pairingFrame(let frame)? = try peer.next() else { throw Peer.Surprise() }
        return frame
    }

    /// The owner looks at the code and types the passcode; the frame that says so.
    func confirm(_ peer: Peer, at stand: Stand) throws -> [UInt8] {
        let prompt = try prompt(stand, try peer.ticket())
        comparisons.append(try #require(try prompt.shown()).words.reason)
        try prompt.send(.typed(secret("1234")))
        return try Self.frame(of: peer)
    }

    // MARK: Carrying

    /// Each machine gets a carrier that reaches the other one.
    func carry() throws {
        let pair = (desk: try carrier(of: desk), laptop: try carrier(of: laptop))
        carriers = pair
    }

    func carrier(of stand: Stand) throws -> Peer {
        let peer = try stand.app()
        try peer.send(CarryCompanions(), call: Self.carrying)
        try peer.send(CompanionLine(pairing, isUp: true), call: 6)
        _ = try peer.isHeard()
        return peer
    }

    /// The next frame that a carrier is given.
    func taken(from carrier: Peer) throws -> [UInt8] {
        guard case .carried(let id, let frame)? = try carrier.next() else { throw Peer.Surprise() }
        #expect(id == pairing)
        return frame
    }

    func bring(_ frame: [UInt8], to carrier: Peer) throws { try carrier.send(CarriedIn(pairing, frame), call: 7) }

    /// Carries the next frame from one carrier to the other, and returns it.
    @discardableResult
    func carry(from one: Peer, to other: Peer) throws -> [UInt8] {
        let frame = try taken(from: one)
        try bring(frame, to: other)
        return frame
    }

    // MARK: Asking

    static let reason = "unlock the vault"

    /// An app of the desk's that asks, and its prompt on the screen.
    func ask(
        _ policy: Policy = .companion, _ app: Peer? = nil, context: UInt64 = 1
    ) throws -> (app: Peer, prompt: Peer, content: PromptContent) {
        let app = try app ?? desk.app(label: "org.example.vault")
        try app.send(
            .evaluate(EvaluationRequest(context: context, subject: .policy(policy), words: PromptWords(reason: Self.reason))))
        let prompt = try prompt(desk, try app.ticket())
        return (app, prompt, try #require(try prompt.shown()))
    }

    /// The question on its way to the laptop's owner: called, answered, asked. Returns the frames that crossed.
    @discardableResult
    func reach() throws -> (call: [UInt8], here: [UInt8], question: [UInt8]) {
        let call = try carry(from: deskCarrier, to: laptopCarrier)
        let here = try carry(from: laptopCarrier, to: deskCarrier)
        return (call, here, try carry(from: deskCarrier, to: laptopCarrier))
    }

    /// The prompt at the laptop, once the question has come there.
    func laptopPrompt() throws -> (prompt: Peer, content: PromptContent) {
        let prompt = try prompt(laptop, try laptopCarrier.ticket())
        return (prompt, try #require(try prompt.shown()))
    }

    func prompt(_ stand: Stand, _ ticket: [UInt8]) throws -> Peer {
        let prompt = try stand.connect()
        try prompt.send(.hello(Hello(role: .prompt, ticket: ticket)))
        guard case .welcome? = try prompt.next() else { throw Peer.Surprise() }
        prompts.append(prompt)
        return prompt
    }

    /// Removes the pairing on one machine, as its owner does.
    func unpair(_ stand: Stand) throws {
        let app = try stand.app()
        try app.send(RemoveCompanion(pairing), call: 9)
        let prompt = try prompt(stand, try app.ticket())
        _ = try prompt.shown()
        try prompt.send(.typed(secret("1234")))
        guard case .done? = try app.next() else { throw Peer.Surprise() }
    }

    /// What removing the pairing does once the owner has allowed it.
    func forget(at stand: Stand) {
        stand.onLoop { [pairing] graph in
            let desk = graph.device.companionDesk
            #expect(throws: Never.self) { try desk.machines.remove(pairing) }
            desk.removed(pairing)
        }
    }

    /// The factors of everything noted about an event, in order.
    func noted(_ event: AuditEvent, at stand: Stand) -> [Set<Factor>] {
        stand.onLoop { graph in
            let page = try? graph.device.audit.read(from: 0, of: nil)
            return (page?.entries ?? []).map(\.record).filter { $0.event == event }.map(\.factors)
        }
    }

    /// Lets the desk's or the laptop's clock go on.
    func pass(_ seconds: Double, at stand: Stand) { stand.onLoop { $0.clock.advance(by: seconds) } }
}
