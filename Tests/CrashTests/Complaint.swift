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
        guard expected.contains(readable) else {
            return "holds \(readable.items.keys.sorted()) and words on \(readable.words.keys.sorted())"
        }
        let report = try store.items.verify()
        return report.isSound ? nil : "not sound: \(report)"
    } catch {
        return "\(error)"
    }
}
