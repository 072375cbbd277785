import Foundation
import Testing
import ThumbStorage
import thumbturn_test_daemon
import thumbturn_test_programs
import thumbturn_test_store

/// An older store is opened for the first time, and its service or its disk ends in the middle of that.
@Suite(.timeLimit(.minutes(30))) struct MigrationTests {
    private let scratch: Scratch
    /// A store of format 4 with its log, in which the house's rows are items.
    private let start: [String: [UInt8]]
    private let whole: Contents

    init() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "StorageTests/Fixtures/format-4")
        var files: [String: [UInt8]] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            files[name] = try [UInt8](Data(contentsOf: folder.appending(path: name)))
        }
        let scratch = try Scratch()
        try scratch.hold(files)
        (self.scratch, start) = (scratch, files)
        whole = try scratch.open().contents().readable
    }

    @Test("an error at any write or sync of a migration leaves the older store or the newer one, with all of it")
    func errors() throws {
        #expect(whole.words.count == 3)
        try scratch.hold(start)
        let disk = Disk()
        disk.count()
        try { _ = try scratch.open(on: disk) }()
        let steps = disk.steps
        #expect(steps > 5)
        var (found, tried): ([String], Int) = ([], 0)
        for place in 0..<steps {
            for (fault, lasting) in [(Disk.Fault.broken, false), (.broken, true), (.full, false), (.full, true)] {
                try scratch.hold(start)
                let disk = Disk()
                disk.fail(at: place, fault, lasting: lasting)
                do {
                    let store = try scratch.open(on: disk)
                    if try store.contents().readable != whole { found.append("\(fault) at \(place): it holds something else") }
                } catch is StorageError {}
                tried += 1
                if let wrong = complaint(about: scratch, expected: [whole]) {
                    found.append("\(fault)\(lasting ? " from" : " at") \(place): \(wrong)")
                }
            }
        }
        #expect(found == [])
        Tally.note("faults", tried)
        Tally.note("lost", found.count)
    }

    @Test("whatever a crash leaves of a migration, all of the store is there")
    func crashes() throws {
        try scratch.hold(start)
        let disk = Disk()
        disk.isRecording = true
        try { _ = try scratch.open(on: disk) }()
        var (wreck, dice) = (Wreck(start), Dice(for: "crashes of a migration", usually: 5))
        var (tried, complaints): (Int, [String]) = (0, [])
        for (index, event) in disk.events.enumerated() {
            wreck.take(event)
            var seen: [[String: [UInt8]]] = []
            for fate in Wreck.Fate.allCases {
                let files = wreck.files(fate, &dice)
                guard !seen.contains(files) else { continue }
                seen.append(files)
                try scratch.hold(files)
                tried += 1
                if let found = complaint(about: scratch, expected: [whole]) {
                    complaints.append("after \(index) of \(disk.events.count) events, \(fate): \(found)")
                }
            }
        }
        #expect(tried > 20)
        #expect(complaints == [], "\(complaints.count) of \(tried)")
        Tally.note("faults", tried)
        Tally.note("lost", complaints.count)
    }
}
