import Foundation
import Testing
import ThumbAccess
import ThumbStorage
import thumbturn_test_daemon
import thumbturn_test_programs
import thumbturn_test_store

/// Every write and every sync of one add, one update and one removal fails once, of an item and of a word of the owner's.
@Suite(.timeLimit(.minutes(30))) struct FaultTests {
    private static let deeds: [Deed] = [
        .add("new", .init(9, size: 6000)), .update("a", .init(9, size: 6000)), .remove("b"),
        .say("new app", .init(9)), .say("app", .init(9, size: 6000)), .unsay("other app"),
    ]
    private static let there: [Deed] = [
        .add("a", .init(1)), .add("b", .init(2, size: 6000)), .add("c", .init(3)), .say("app", .init(4)),
        .say("other app", .init(5, size: 6000)),
    ]

    private let scratch: Scratch
    private let start: [String: [UInt8]]
    private let before = Contents().after(FaultTests.there)

    init() throws {
        let scratch = try Scratch()
        try {
            let store = try scratch.open()
            for deed in Self.there { try store.perform(deed) }
        }()
        self.scratch = scratch
        start = try scratch.files
    }

    /// How many writes and syncs a deed has.
    private func steps(_ deed: Deed) throws -> Int {
        try scratch.hold(start)
        let disk = Disk()
        let store = try scratch.open(on: disk)
        disk.count()
        try store.perform(deed)
        return disk.steps
    }

    /// What is wrong after one fault: in the process that met it, after a crash then, and after its end.
    private func complaints(_ deed: Deed, at place: Int, _ fault: Disk.Fault, lasting: Bool) throws -> [String] {
        try scratch.hold(start)
        var found: [String] = []
        let crashed = try Scratch()
        var expected = before
        do {
            let disk = Disk()
            let store = try scratch.open(on: disk)
            disk.fail(at: place, fault, lasting: lasting)
            do {
                try store.perform(deed)
                expected = expected.after(deed)
            } catch KeychainFailure.storeUnavailable {
                // What is on the disk now may be all of it, or nothing; here nothing has changed.
                try crashed.hold(scratch.files)
                if let wrong = complaint(about: crashed, expected: [before, before.after(deed)]) { found.append(wrong) }
            }
            if disk.failures == 0 { found.append("nothing failed") }
            disk.count()
            if try store.contents().readable != expected { found.append("it goes on with other contents") }
            let next = Deed.add("next", .init(10))
            try store.perform(next)
            expected = expected.after(next)
            try crashed.hold(scratch.files)
            if let wrong = complaint(about: crashed, expected: [expected]) { found.append("after a crash: \(wrong)") }
        }
        if let wrong = complaint(about: scratch, expected: [expected]) { found.append("after the end: \(wrong)") }
        return found.map { "\(deed), \(fault)\(lasting ? " from" : " at") \(place): \($0)" }
    }

    @Test(
        "a log that finds no room once is folded into the file and tried again, so that a change needs no room twice",
        arguments: deeds)
    func folded(deed: Deed) throws {
        try scratch.hold(start)
        let expected = before.after(deed)
        do {
            let disk = Disk()
            let store = try scratch.open(on: disk)
            disk.fail(at: 0, .full)
            try store.perform(deed)
            #expect(disk.failures == 1)
            #expect(try store.contents().readable == expected)
        }
        #expect(complaint(about: scratch, expected: [expected]) == nil)
    }

    @Test("an error at any write or sync is said or got over, and nothing is lost or half there", arguments: deeds)
    func errors(deed: Deed) throws {
        let steps = try steps(deed)
        #expect(steps > 5)
        var (found, tried): ([String], Int) = ([], 0)
        for place in 0..<steps {
            for (fault, lasting) in [(Disk.Fault.broken, false), (.broken, true), (.full, false), (.full, true)] {
                found += try complaints(deed, at: place, fault, lasting: lasting)
                tried += 1
            }
        }
        #expect(found == [])
        Tally.note("faults", tried)
        Tally.note("lost", found.count)
    }

    @Test(
        "an error at any write or sync of opening and closing loses nothing, after a clean end and after a crash",
        arguments: [false, true])
    func openingAndClosing(isAfterCrash: Bool) throws {
        var start = start
        if isAfterCrash {
            let store = try scratch.open()
            start = try withExtendedLifetime(store) { try scratch.files }
        }
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
                do { _ = try scratch.open(on: disk) } catch is StorageError {}
                tried += 1
                if let wrong = complaint(about: scratch, expected: [before]) {
                    found.append("\(fault)\(lasting ? " from" : " at") \(place): \(wrong)")
                }
            }
        }
        #expect(found == [])
        Tally.note("faults", tried)
        Tally.note("lost", found.count)
    }

    @Test("a kill at any write or sync loses nothing and leaves nothing half there", arguments: deeds)
    func kills(deed: Deed) async throws {
        let steps = try steps(deed)
        let (scratch, start, before) = (scratch, start, before)
        let found = try await onThread {
            var found: [String] = []
            for place in 0..<steps {
                try scratch.hold(start)
                let words = [scratch.path, "\(place)"] + deed.words
                let end = try Child("thumbturn-test-crasher", words).end()
                if end != 128 + SIGKILL { found.append("\(deed) at \(place): it ended with \(end)") }
                if let wrong = complaint(about: scratch, expected: [before, before.after(deed)]) {
                    found.append("\(deed) at \(place): \(wrong)")
                }
            }
            return found
        }
        #expect(found == [])
        Tally.note("faults", steps)
        Tally.note("lost", found.count)
    }

    @Test("what was acknowledged before a kill is there")
    func acknowledged() async throws {
        let (scratch, start, before) = (scratch, start, before)
        for deed in Self.deeds {
            let found = try await onThread {
                try scratch.hold(start)
                let end = try Child("thumbturn-test-crasher", [scratch.path, "1000000"] + deed.words).end()
                return (end, complaint(about: scratch, expected: [before.after(deed)]))
            }
            #expect(found.0 == 128 + SIGTERM)
            #expect(found.1 == nil)
        }
    }
}
