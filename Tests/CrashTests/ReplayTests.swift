import Testing
import thumbturn_test_daemon
import thumbturn_test_programs
import thumbturn_test_store

@testable import ThumbStorage

@Suite(.timeLimit(.minutes(30))) struct ReplayTests {
    /// A run with everything in it that the store does: small and large secrets, a log folded at a close, a log started anew.
    private static let runs: [[Deed]] = [
        [
            .add("a", .init(1)), .add("b", .init(2, size: 9000)), .update("a", .init(3, size: 70)), .add("c", .init(4)),
            .say("app", .init(9)), .remove("b"), .update("c", .init(5, size: 5000)), .say("app", .init(10, size: 5000)),
        ],
        [
            .add("d", .init(6)), .update("a", .init(7)), .unsay("app"), .remove("c"), .say("other", .init(11)),
            .add("b", .init(8)),
        ],
    ]

    private struct Recording {
        let start: [String: [UInt8]]
        let events: [Disk.Event]
    }

    /// Records the runs, one opening each; a mark with an even number stands before its deed, with an odd one after.
    private func record(_ pragma: String? = nil) throws -> Recording {
        let scratch = try Scratch()
        try { try scratch.open().perform(.add("first", .init(0))) }()
        let start = try scratch.files
        let disk = Disk()
        disk.isRecording = true
        var number = 0
        for run in Self.runs {
            let store = try scratch.open(on: disk)
            if let pragma { try store.items.connection.run(pragma) }
            for deed in run {
                disk.mark(2 * number)
                try store.perform(deed)
                disk.mark(2 * number + 1)
                number += 1
            }
        }
        return Recording(start: start, events: disk.events)
    }

    /// Replays every beginning of a recording, each with every fate; what was found wrong.
    private func replay(_ recording: Recording, every step: Int = 1) throws -> (tried: Int, complaints: [String]) {
        let deeds = Self.runs.flatMap { $0 }
        let scratch = try Scratch()
        var wreck = Wreck(recording.start)
        var dice = Dice(for: "what a crash leaves", usually: 42)
        var (tried, complaints): (Int, [String]) = (0, [])
        let first = Contents().after(.add("first", .init(0)))
        var expected = [first]
        for (index, event) in recording.events.enumerated() {
            wreck.take(event)
            if case .marked(let mark) = event {
                let before = first.after(Array(deeds[..<(mark / 2)]))
                let after = before.after(deeds[mark / 2])
                // A deed that is under way may be done or not; one that was acknowledged is done.
                expected = mark % 2 == 0 ? [before, after] : [after]
            }
            var seen: [[String: [UInt8]]] = []
            for fate in Wreck.Fate.allCases {
                let files = wreck.files(fate, &dice)
                guard index % step == 0, !seen.contains(files) else { continue }
                seen.append(files)
                try scratch.hold(files)
                tried += 1
                if let found = complaint(about: scratch, expected: expected) {
                    complaints.append("after \(index) of \(recording.events.count) events, \(fate): \(found)")
                }
            }
        }
        return (tried, complaints)
    }

    @Test("whatever a crash leaves of what was not synced, all that was acknowledged is there whole and nothing is half there")
    func everyBeginning() throws {
        let recording = try record()
        let (tried, complaints) = try replay(recording, every: isWhole ? 1 : 3)
        #expect(tried > (isWhole ? 500 : 100))
        #expect(complaints == [], "\(complaints.count) of \(tried)")
        Tally.note("faults", tried)
        Tally.note("lost", complaints.count)
    }

    @Test("a store that didn't sync what it acknowledges would be caught")
    func withoutSync() throws {
        let (_, complaints) = try replay(record("PRAGMA synchronous=OFF"), every: 4)
        #expect(complaints.contains { $0.contains("dropped: holds") }, "\(complaints)")
    }
}
