import Testing
import ThumbAccess
import ThumbConversation

@Suite("The audit in a frame")
struct AuditFrameTests {
    @Test("the largest report there can be fits a frame: three full rings and what was before, all of it broken and dropped")
    func report() {
        let name = String(repeating: "n", count: 255)
        let dropped = ([nil] + AuditEvent.allCases.map(Optional.some)).map {
            AuditReport.Dropped(event: $0, count: .max, since: 0, until: 0)
        }
        let chain = AuditReport.Chain(
            ring: .notice, program: Array(0..<16), name: name, records: .max, brokenCount: .max,
            broken: Array(repeating: .max, count: AuditReport.Chain.namedBroken), endsWhereItShould: false, dropped: dropped)
        let report = AuditReport(areChainsWhole: false, chains: Array(repeating: chain, count: 3 * 513 + 1))
        #expect(report.frame(call: 1).plain.count < WireLimit.frame)
    }

    @Test("so does the largest page of records")
    func page() {
        let record = AuditRecord(
            date: 0, event: .released, failure: .damaged, factors: [.biometry, .passcode, .companion], uid: .max,
            name: String(repeating: "n", count: 255), program: Array(0..<16), itemClass: .key, item: Array(0..<16),
            reference: Array(0..<20))
        let page = AuditAnswer(Array(repeating: record, count: WireLimit.auditRecords), next: .max)
        #expect(page.frame(call: 1).plain.count < WireLimit.page)
    }

    @Test("a factor that is listed twice is malformed, because each record has one form")
    func factorTwice() throws {
        let record = AuditRecord(date: 0, event: .released, factors: [.biometry, .passcode], uid: 0, name: "n")
        var body = AuditAnswer([record], next: nil).body
        // The count of factors, and the two of them.
        let place = try #require(body.indices.first { body[$0...].starts(with: [0, 0, 0, 2, 1, 2]) }) + 5
        body[place] = 1
        #expect(throws: Refusal.malformed) { try Frame(body).word(AuditAnswer.self) }
    }
}
