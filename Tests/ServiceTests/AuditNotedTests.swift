import Testing
import ThumbAccess
import ThumbConversation
import ThumbKeychain
import ThumbLoop
import thumbturn_test_wire

@testable import ThumbService

@Suite("What is in the log afterwards") struct AuditNotedTests {
    @Test("an evaluation that came to nothing is in its program's log: the owner's no, and a stranger's fingers")
    func failures() throws {
        let stand = try Stand()
        let app = try stand.app(label: "org.asking")
        /// The prompt of an evaluation that begins now.
        func prompt() throws -> Peer {
            let words = PromptWords(reason: "open")
            try app.send(.evaluate(EvaluationRequest(context: 1, subject: .policy(.biometrics), words: words)))
            let prompt = try stand.connect()
            try prompt.send(.hello(Hello(role: .prompt, ticket: try app.ticket())))
            guard case .welcome? = try prompt.next(), try prompt.shown() != nil else { throw Peer.Surprise() }
            return prompt
        }
        let refusing = try prompt()
        try refusing.send(.cancelled)
        #expect(try app.evaluated() == .failure(.userCancel))
        let missing = try prompt()
        for _ in 0..<3 { #expect(stand.see(owner: false)) }
        #expect(try app.evaluated() == .failure(.authenticationFailed))
        missing.close()
        try app.send(.readAudit(.own, from: 0))
        guard case .audit(let page)? = try app.next() else { throw Peer.Surprise() }
        let failures = page.records.filter { $0.event == .evaluated }.compactMap(\.failure)
        #expect(failures.count == 2 && Set(failures) == [.userCanceled, .authenticationFailed])
    }

    @Test("what is noted is written by itself, all that waits at once, though nobody reads the log or ends the device")
    func byItself() {
        let written = Notes<Int>()
        let desk = EventLoop.shared.sync { AuditDesk(CountingTrail(written)) { _ in } }
        let note = AuditNote(
            date: 0, event: .released, by: Caller(uid: 1, pid: 1, kind: .consented, name: "busy", groups: ["org.busy"]))
        EventLoop.shared.sync { for _ in 0..<2 { desk.note(note) } }
        #expect(written.wait { !$0.isEmpty } == [2])
        EventLoop.shared.sync { desk.note(note) }
        #expect(written.wait { $0.count == 2 } == [2, 1])
        withExtendedLifetime(desk) {}
    }

    @Test("what was noted, or only counted so far, when a device ends is on the disk by then")
    func atTheEnd() throws {
        let stand = try Stand(passcode: nil)
        let records = stand.onLoop { graph -> [AuditRecord] in
            let busy = Caller(uid: 1, pid: 1, kind: .consented, name: "busy", groups: ["org.busy"])
            for _ in 0..<2 { graph.device.note(.evaluated, by: busy) }
            graph.device.audit.flushNow()
            // The same again within a minute is only counted.
            for _ in 0..<3 { graph.device.note(.evaluated, by: busy) }
            graph.device.note(.recovered, by: busy)
            graph.device.shutDown()
            // The store's own reading, before which nothing is written.
            let page = try? graph.device.parts.audit.records(from: 0, limit: 100, of: nil)
            return (page?.entries ?? []).map(\.record).filter { $0.name == "busy" }
        }
        #expect(records.filter { $0.event == .evaluated }.map(\.times) == [2, 3])
        #expect(records.filter { $0.event == .recovered }.map(\.times) == [1])
    }
}

/// An audit that says how many notes each writing writes.
private final class CountingTrail: AuditTrail {
    private let written: Notes<Int>
    private var waiting = 0

    init(_ written: Notes<Int>) { self.written = written }

    func note(_ note: AuditNote) { waiting += 1 }
    func noting<Result>(
        _ notes: [AuditNote], _ write: () throws(KeychainFailure) -> Result
    ) throws(KeychainFailure) -> Result { try write() }
    /// This comes of itself too, after a minute, and so is too late.
    func settle() { written.add(-1) }
    func flush() throws(KeychainFailure) {
        written.add(waiting)
        waiting = 0
    }
    func records(from place: UInt64, limit: Int, of program: AuditProgram?) throws(KeychainFailure) -> AuditPage {
        throw .unsupported
    }
    func verifyAudit(
        _ progress: inout AuditProgress, limit: Int, of program: AuditProgram?
    ) throws(KeychainFailure) -> Bool { throw .unsupported }
}
