import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbLoop
import thumbturn_test_wire

@testable import ThumbService

// What a sign-in says at a companion, what becomes of a carrier's word, and what the companion keeps of a no.
extension CompanionTests {
    @Test("a sign-in that a companion answers says there where, as whom and what for, and no word of the program's beside that")
    func signsIn() throws {
        let machines = try TwoMachines()
        let app = try machines.desk.app(label: "org.example.vault")
        let rule = try AccessRule(.whenUnlocked, [.privateKeyUsage, .signIn, .companion])
        try app.send(
            .makeKey(NewKey(kind: .elliptic(.p256), isEnclave: true, isPermanent: false, attributes: [:], rule: rule)))
        guard case .key(let record)? = try app.next(), let key = record.detached else { throw Peer.Surprise() }
        let words = SignInWords(origin: "https://bank.example", account: "anna", purpose: .deleteAccount)
        let asking = AskingTerms(words: PromptWords(reason: "look at the weather"))
        let challenge = [UInt8](repeating: 7, count: 32)
        try app.send(.signStatement(StatementUse(.detached(key), words, challenge: challenge, asking: asking)), call: 2)
        let prompt = try machines.prompt(machines.desk, try app.ticket())
        #expect(try prompt.shown()?.signIn == words)
        try machines.reach()
        let (there, shown) = try machines.laptopPrompt()
        #expect(shown.signIn == words && shown.words.reason.isEmpty)
        try there.send(.typed(secret("1234")))
        try machines.carry(from: machines.laptopCarrier, to: machines.deskCarrier)
        guard case .keyUsed? = try app.next() else { throw Peer.Surprise() }
    }

    @Test("a carrier's word goes with it: what it reached is away, what it brought is taken back, and the next begins anew")
    func nextCarrier() throws {
        let machines = try TwoMachines()
        let open = try machines.ask()
        try machines.reach()
        let (there, _) = try machines.laptopPrompt()
        try machines.laptopCarrier.close()
        #expect(try there.dismissed() == .cancelled)
        try machines.deskCarrier.close()
        // The question ended because it is gone, so by now there is none.
        #expect(try open.app.evaluated() == .failure(.companionNotAvailable))
        let next = try machines.desk.app()
        try next.send(CarryCompanions(), call: 5)
        #expect(try next.isHeard())
        #expect(try Self.failure(machines.desk) == .companionNotAvailable)
        try next.send(CompanionLine(machines.pairing, isUp: true), call: 6)
        #expect(try next.isHeard())
        #expect(try Self.failure(machines.desk) == nil)
    }

    @Test("the owner's no at the companion is in its log, as a no for which nothing was shown")
    func refusalNoted() throws {
        let machines = try TwoMachines()
        let first = try machines.ask()
        try machines.reach()
        let (there, _) = try machines.laptopPrompt()
        try there.send(.cancelled)
        try machines.carry(from: machines.laptopCarrier, to: machines.deskCarrier)
        #expect(try first.app.evaluated() == .failure(.userCancel))
        let records = machines.laptop.onLoop { graph -> [AuditRecord] in
            let page = try? graph.device.audit.read(from: 0, of: nil)
            return (page?.entries ?? []).map(\.record).filter { $0.event == .companionAnswered }
        }
        #expect(records.map(\.failure) == [.userCanceled] && records.map(\.factors) == [[]])
    }
}
