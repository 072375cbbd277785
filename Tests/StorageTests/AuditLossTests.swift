import Testing
import ThumbAccess
import ThumbKeychain

@testable import ThumbStorage

@Suite("What the audit loses, and what it keeps") struct AuditLossTests {
    /// Two records of one program in each ring.
    private func notes(by caller: Caller) -> [AuditNote] {
        [1.0, 100.0].flatMap { date in
            [
                AuditNote(date: date, event: .passcodeSet, by: caller),
                AuditNote(date: date, event: .released, by: caller, failure: .userCanceled),
                AuditNote(date: date, event: .released, by: caller),
            ]
        }
    }

    @Test("after the total was lost, what is left of the audit stays: a new program's chain has a number that no other has")
    func totalLost() throws {
        let scratch = try Scratch()
        do {
            let items = try scratch.open().items
            for note in notes(by: .of("vault")) + notes(by: .of("mail")) { items.note(note) }
            try items.flush()
            #expect(try items.verified().chains.count == 6 && items.all().count == 12)
        }
        try scratch.sql("UPDATE state SET sealed = x'00' WHERE name = 1")
        do { _ = try scratch.open(acceptingLosses: true) }
        do {
            let items = try scratch.open().items
            items.note(AuditNote(date: 200, event: .released, by: .of("late")))
            try items.flush()
        }
        let items = try scratch.open().items
        let report = try items.verified()
        #expect(report.isSound && report.chains.count == 7)
        #expect(try items.all().count == 13 && items.all(of: .of("vault")).count == 6)
    }

    @Test("what is lost on a full disk is counted for 512 programs, and for all others together")
    func lost() {
        var waiting = AuditWaiting()
        for number in 0..<600 { waiting.add(AuditNote(date: 1, event: .released, by: .of("p\(number)"))) }
        waiting.makeRoom { AuditChain.Key(ring: $0.ring, program: Array($0.name.utf8)) }
        #expect(waiting.notes.isEmpty && waiting.lost.count == AuditBook.chainsInRing + 1)
        let others = AuditChain.Key(ring: .everyday, program: AuditChain.others)
        #expect(waiting.lost[others]?.drops.shown.map(\.count) == [88])
    }

    @Test("the rings keep 8,192 records of what protects the owner, 24,576 of what they must learn, and 32,768 others")
    func rings() {
        let limits = [AuditRing.protection, .notice, .everyday].map { AuditBook.limit(of: $0) }
        #expect(limits == [8_192, 24_576, 32_768])
    }
}
