import Foundation
import ThumbStorage
import thumbturn_test_daemon
import thumbturn_test_store

/// What is found wrong with a store after a crash; nil if it is one of `expected`, whole and sound.
func complaint(about folder: Scratch, expected: [Contents]) -> String? {
    do {
        let store = try folder.open()
        let (readable, unreadable) = try store.contents()
        guard unreadable.isEmpty, store.items.quarantined == 0 else { return "half there: \(unreadable)" }
        guard expected.contains(readable) else { return "holds \(readable.items.keys.sorted())" }
        let report = try store.items.verify()
        return report.isSound ? nil : "not sound: \(report)"
    } catch {
        return "\(error)"
    }
}

/// Numbers that come out the same in every run, so that a failure can be looked at again.
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        // SplitMix64.
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }
}
