import Testing
import ThumbAccess

/// Stores that were written long ago have these numbers in them, and older libraries send them. docs/STORE.md and docs/PROTOCOL.md
/// say what the numbers mean.
@Suite("Numbers that are on disk and on the wire") struct KeptNumberTests {
    @Test("an allowance keeps its number: another one would allow what the owner never did")
    func allowances() {
        #expect(Allowance.softwareKeys.rawValue == 1 && Allowance.weakEnrolment.rawValue == 2)
        #expect(Allowance.openByFinger.rawValue == 3 && Allowance.allCases.count == 3)
    }

    @Test("a side of a pairing keeps its number: the other one would let a machine say yes that only asks")
    func sides() {
        #expect(PairingSide.asks.rawValue == 1 && PairingSide.answers.rawValue == 2 && PairingSide.allCases.count == 2)
    }

    @Test("an item's class keeps its number: under another one, what was to stay on this device would leave it")
    func classes() {
        let numbers: [(Accessibility, UInt8)] = [
            (.whenUnlocked, 1), (.afterFirstUnlock, 2), (.always, 3), (.whenUnlockedThisDeviceOnly, 4),
            (.afterFirstUnlockThisDeviceOnly, 5), (.alwaysThisDeviceOnly, 6), (.whenPasscodeSetThisDeviceOnly, 7),
        ]
        for (accessibility, number) in numbers { #expect(accessibility.rawValue == number, "\(accessibility)") }
        #expect(numbers.count == Accessibility.allCases.count)
    }

    @Test("an event and a ring of the audit keep their numbers, or old records would tell another story")
    func audit() {
        let events: [(AuditEvent, UInt8)] = [
            (.released, 1), (.added, 2), (.changed, 3), (.removed, 4), (.evaluated, 5), (.died, 6), (.passcodeSet, 7),
            (.passcodeRemoved, 8), (.recoveryCodeMade, 9), (.recovered, 10), (.appJudged, 11), (.exported, 12), (.imported, 13),
            (.keyUsed, 14), (.allowanceChanged, 15), (.statementSigned, 16), (.auditRead, 17), (.fingerEnrolled, 20),
            (.fingerForgotten, 21), (.companionPaired, 24), (.companionRemoved, 25), (.companionAnswered, 26),
        ]
        for (event, number) in events { #expect(event.rawValue == number, "\(event)") }
        #expect(events.count == AuditEvent.allCases.count)
        let rings: [(AuditRing, UInt8)] = [(.earlier, 0), (.protection, 1), (.notice, 2), (.everyday, 3)]
        for (ring, number) in rings { #expect(ring.rawValue == number, "\(ring)") }
        #expect(rings.count == AuditRing.allCases.count)
    }
}
