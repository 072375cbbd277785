import CThumbSQLite
import Foundation
import Testing
import ThumbAccess
import ThumbKeychain
import ThumbStorage
import thumbturn_test_daemon

/// Programs that would have what they did washed out of the audit, and who would change it on the disk.
@Suite("Attacks on the audit", .timeLimit(.minutes(5))) struct AuditAttackTests {
    private let scratch: Scratch
    private static let vault = program("org.example.vault")
    private static let greedy = program("org.example.greedy")

    init() throws { scratch = try Scratch() }

    private static func program(_ own: String, _ kind: CallerClass = .consented, uid: UInt32 = 1000) -> Caller {
        Caller(
            uid: uid, pid: 1, kind: kind, name: own.split(separator: ".").last.map(String.init) ?? own, groups: [.init(own)])
    }

    /// Of whichever item that number stands for.
    private static func note(
        _ event: AuditEvent, by caller: Caller = vault, item: Int? = nil, of itemClass: ItemClass = .genericPassword,
        failure: KeychainFailure? = nil, isOthers: Bool = false, at date: Double = 1
    ) -> AuditNote {
        let id = item.map { number in (0..<16).map { UInt8(truncatingIfNeeded: (number + 1) >> ($0 % 4 * 8)) } }
        return AuditNote(
            date: date, event: event, by: caller, failure: failure, factors: failure == nil ? [.biometry] : [],
            itemClass: item == nil ? nil : itemClass, item: id, isOthers: isOthers)
    }

    /// One of each kind that the owner must learn, each of a program of its own.
    private static let owners: [AuditNote] = [
        note(.released, by: program("org.refused"), item: 1, failure: .userCanceled), note(.appJudged, by: program("org.judged")),
        note(.appJudged, by: program("org.denied"), failure: .authenticationFailed),
        note(.passcodeSet, by: program("org.passcode")), note(.passcodeRemoved, by: program("org.removed")),
        note(.recoveryCodeMade, by: program("org.code")), note(.recovered, by: program("org.recovered")),
        note(.recovered, by: program("org.guesser"), failure: .authenticationFailed),
        note(.fingerEnrolled, by: program("org.enrolled")), note(.fingerForgotten, by: program("org.forgotten")),
        note(.exported, by: program("org.exported")), note(.imported, by: program("org.imported")),
        note(.companionPaired, by: program("org.paired")), note(.companionRemoved, by: program("org.unpaired")),
        note(.companionAnswered, by: program("org.answered")),
        note(.allowanceChanged, by: program("org.allowed")), note(.auditRead, by: program("org.reader")),
        note(.added, by: program("org.maker"), item: 2, of: .key), note(.removed, by: program("org.keyless"), item: 2, of: .key),
        note(.released, by: program("org.curious"), item: 3, isOthers: true), note(.died, by: program("org.dead"), item: 4),
    ]

    private func write(_ notes: [AuditNote]) throws {
        let items = try scratch.open().items
        for note in notes { items.note(note) }
        items.settle()
        try items.flush()
    }

    private func all(_ items: ItemDatabase, of caller: Caller? = nil) throws -> [AuditPage.Entry] {
        var entries: [AuditPage.Entry] = []
        var place: UInt64? = 0
        while let from = place {
            let page = try items.records(from: from, limit: 5000, of: caller.map { AuditProgram($0) })
            entries += page.entries
            place = page.next
        }
        return entries
    }

    private func verified(_ items: ItemDatabase, of caller: Caller? = nil) throws -> AuditReport {
        var progress = AuditProgress()
        while try !items.verifyAudit(&progress, limit: 5000, of: caller.map { AuditProgram($0) }) {}
        return progress.report
    }

    /// Runs SQL in the closed store, as who tampers with it would; the first column.
    @discardableResult
    private func sql(_ statement: String) throws -> [String] {
        var connection, prepared: OpaquePointer?
        try #require(sqlite3_open(scratch.path + "/items.db", &connection) == SQLITE_OK)
        defer { sqlite3_close(connection) }
        try #require(sqlite3_prepare_v2(connection, statement, -1, &prepared, nil) == SQLITE_OK, "\(statement)")
        defer { sqlite3_finalize(prepared) }
        var answers: [String] = []
        while sqlite3_step(prepared) == SQLITE_ROW {
            answers.append(sqlite3_column_text(prepared, 0).map { String(cString: $0) } ?? "")
        }
        return answers
    }

    // MARK: Washing away

    @Test("70,000 releases of one's own push out nothing that the owner must learn, and the verification tells of them")
    func wash() throws {
        try write(Self.owners)
        try write((0..<70_000).map { Self.note(.released, by: Self.greedy, item: $0) })
        let items = try scratch.open().items
        let kept = try all(items).map(\.record)
        let gone = Self.owners.map { owner in
            !kept.contains { $0.event == owner.event && $0.failure == owner.failure && $0.name == owner.name }
        }
        #expect(gone.allSatisfy { !$0 })
        let report = try verified(items)
        let dropped = report.chains.filter { !$0.dropped.isEmpty }
        #expect(report.isSound && dropped.map(\.name) == ["greedy"] && dropped.first?.ring == .everyday)
        #expect(dropped.first?.dropped.map(\.event) == [.released])
        #expect(report.dropped + UInt64(kept.count) == 70_000 + UInt64(Self.owners.count))
        let isWashed = gone.contains(true)
        Tally.attack("releases of one's own wash out of the audit what the owner must learn", succeeded: isWashed)
        Tally.attack("the verification says nothing of what there was no room for", succeeded: report.dropped == 0)
    }

    @Test("two programs that read each other's items keep the owner's ring from nobody, each of them counted")
    func pair() throws {
        try write(Self.owners)
        let pair = [Self.program("org.one"), Self.program("org.two")]
        try write((0..<60_000).map { Self.note(.released, by: pair[$0 % 2], item: $0, isOthers: true) })
        let items = try scratch.open().items
        let kept = try all(items).map(\.record)
        let gone = Self.owners.map { owner in !kept.contains { $0.event == owner.event && $0.name == owner.name } }
        #expect(gone.allSatisfy { !$0 })
        let report = try verified(items)
        let dropped = report.chains.filter { !$0.dropped.isEmpty }
        #expect(report.isSound && dropped.map(\.name).sorted() == ["one", "two"])
        #expect(dropped.allSatisfy { $0.ring == .notice && $0.records + ($0.dropped.first?.count ?? 0) == 30_000 })
        // Neither pushes out the other.
        #expect(abs(Int(dropped[0].records) - Int(dropped[1].records)) <= 1)
        Tally.check("two programs wash out what the owner must learn, in turn", succeeded: gone.contains(true))
    }

    @Test("a greedy program leaves others' everyday records where they are, up to their share")
    func greed() throws {
        try write((0..<2_000).map { Self.note(.released, item: $0) })
        try write((0..<50_000).map { Self.note(.released, by: Self.greedy, item: $0) })
        let items = try scratch.open().items
        let (mine, theirs) = (try all(items, of: Self.vault).count, try all(items, of: Self.greedy).count)
        #expect(mine == 2_000 && theirs == 32_768 - 2_000)
        Tally.check("a greedy program washes out another's everyday records", succeeded: mine < 2_000)
    }

    @Test("refusals of one's own making, with ever other items, push out nobody else's refusal")
    func refusals() throws {
        try write([Self.note(.released, item: 7, failure: .authenticationFailed)])
        try write((0..<40_000).map { Self.note(.released, by: Self.greedy, item: $0, failure: .interactionNotAllowed) })
        let items = try scratch.open().items
        let kept = try all(items, of: Self.vault).count
        #expect(kept == 1)
        #expect(try verified(items).chains.first { $0.name == "greedy" }?.dropped.first?.event == .released)
        Tally.check("refusals of one's own making wash out another's", succeeded: kept == 0)
    }

    @Test("a program under a thousand names takes nothing from those who were there, and what it drops is counted")
    func names() throws {
        try write([Self.note(.released, item: 1, failure: .userCanceled)])
        let crowd = (0..<1_000).map { Self.program("org.name\($0)") }
        for round in 0..<30 {
            try write(crowd.map { Self.note(.released, by: $0, item: round, failure: .userCanceled) })
        }
        let items = try scratch.open().items
        let kept = try all(items, of: Self.vault).count
        let report = try verified(items)
        #expect(kept == 1 && report.isSound && report.chains.count == 513 && report.chains.last?.name == "other programs")
        #expect(report.records + report.dropped == 30_001)
        // Who came too late for a chain still sees its own there, and nothing of the others there.
        let late = try all(items, of: crowd[999])
        #expect(!late.isEmpty && late.allSatisfy { $0.record.name == "name999" })
        Tally.check("a program under a thousand names washes out another's record", succeeded: kept == 0)
        let isUncounted = report.records + report.dropped != 30_001
        Tally.check("records of a program under a thousand names go uncounted", succeeded: isUncounted)
    }

    @Test("a count that is full stays full: 2³² repetitions don't look like few")
    func wrap() throws {
        var many = Self.note(.released, item: 1)
        many.times = .max
        try write([many, many, Self.note(.released, item: 1)])
        let times = try all(try scratch.open().items).map(\.record.times)
        #expect(times == [.max])
        Tally.check("a count of repetitions runs over and looks small", succeeded: times != [.max])
    }

    @Test("a flood in one minute is one record with its count, whatever else is done in between")
    func joined() throws {
        let items = try scratch.open().items
        for number in 0..<10_000 { items.note(Self.note(.released, item: number % 2)) }
        try items.flush()
        for number in 0..<10_000 { items.note(Self.note(.released, item: number % 2)) }
        items.settle()
        try items.flush()
        let records = try all(items).map(\.record)
        #expect(records.map(\.times) == [5_000, 5_000, 5_000, 5_000])
        Tally.check("a flood of releases takes many records", succeeded: records.count > 4)
    }

    // MARK: Seeing what others did

    @Test(
        "another program's records aren't listed as one's own, nor counted: not by its name, class, user, or a name that looks alike",
        arguments: [
            Caller(uid: 1000, pid: 1, kind: .consented, name: "vault", groups: ["org.example.other"]),
            Caller(uid: 1000, pid: 1, kind: .sandboxed, name: "vault", groups: ["org.example.vault"]),
            Caller(uid: 1000, pid: 1, kind: .protected, name: "vault", groups: ["org.example.vault"]),
            Caller(uid: 1001, pid: 1, kind: .consented, name: "vault", groups: ["org.example.vault"]),
            Caller(uid: 1000, pid: 1, kind: .consented, name: "vault", groups: ["org.example.vault\u{200b}"]),
            Caller(uid: 1000, pid: 1, kind: .consented, name: "vault", groups: ["other", "org.example.vault"]),
            Caller(uid: 1000, pid: 1, kind: .consented, name: "vault", groups: []),
        ])
    func others(_ other: Caller) throws {
        try write(AuditEvent.allCases.enumerated().map { Self.note($1, item: $0) })
        let items = try scratch.open().items
        let (seen, counted) = (try all(items, of: other).count, try verified(items, of: other).chains.count)
        #expect(seen == 0 && counted == 0)
        #expect(try all(items, of: Self.vault).count == AuditEvent.allCases.count)
        let who = "a \(other.kind) program of uid \(other.uid) in \(other.groups)"
        Tally.check("\(who) lists another's records", succeeded: seen > 0)
        Tally.check("\(who) has another's records verified", succeeded: counted > 0)
    }

    @Test("names that are equal as texts and not as bytes are two programs: KELVIN SIGN and K, é in two ways")
    func lookAlike() throws {
        let pairs = [("org.\u{212a}", "org.K"), ("org.caf\u{e9}", "org.cafe\u{301}")]
        var seen: [Bool] = []
        for (one, other) in pairs {
            try write([Self.note(.released, by: Self.program(one), item: 1)])
            seen.append(try !all(try scratch.open().items, of: Self.program(other)).isEmpty)
        }
        #expect(seen == [false, false])
        for (pair, isSeen) in zip(["a sign like K", "an accent apart"], seen) {
            Tally.check("a program named with \(pair) lists another's records", succeeded: isSeen)
        }
    }

    @Test("no persistent reference can be made of what the audit shows of an item, and no two stores show the same")
    func references() throws {
        let id = (0..<16).map { UInt8($0 + 1) }
        var note = Self.note(.released, item: 1)
        note.item = id
        try write([note, Self.note(.released, item: 2)])
        let shown = try all(try scratch.open().items).map { $0.record.item ?? [] }
        let other = try Scratch()
        let items = try other.open().items
        items.note(note)
        try items.flush()
        let elsewhere = try all(items).map { $0.record.item ?? [] }
        #expect(shown.count == 2 && shown[0].count == 16 && shown[0] != id && shown[0] != shown[1] && shown[0] != elsewhere[0])
        // The class's four letters and these bytes are no reference that opens anything.
        let found = try shown.filter { digest in
            let selection = Selection(itemClass: .genericPassword, groups: ["org.example.vault"], id: ItemID(digest))
            return try !items.select(selection).isEmpty
        }
        Tally.check("the audit shows an item's id", succeeded: shown[0] == id)
        Tally.check("two stores show the same of an item", succeeded: shown[0] == elsewhere[0])
        Tally.attack("a persistent reference is made of what the audit shows", succeeded: !found.isEmpty)
    }

    // MARK: On the disk

    /// Five records in each ring by each of two programs.
    private func fillRings() throws {
        var notes: [AuditNote] = []
        for caller in [Self.vault, Self.greedy] {
            for number in 0..<5 {
                notes.append(Self.note(.passcodeSet, by: caller, at: Double(number * 100)))
                notes.append(Self.note(.released, by: caller, item: number, failure: .userCanceled))
                notes.append(Self.note(.released, by: caller, item: number))
            }
        }
        try write(notes)
    }

    enum Tampering: String, CaseIterable, CustomTestStringConvertible {
        case altered, dropped, droppedFirst, cutOff, allGone, swapped, repeated, moved, fromAnotherChain

        var testDescription: String { rawValue }

        /// On the chain whose first row has that number.
        func sql(_ first: UInt64) -> [String] {
            switch self {
            case .altered:
                // One byte in the middle, to another one.
                [
                    """
                    UPDATE audit SET sealed = CAST(substr(sealed, 1, 40) || iif(substr(sealed, 41, 1) = x'00', x'01', x'00') \
                    || substr(sealed, 42) AS BLOB) WHERE number = \(first + 2)
                    """
                ]
            case .dropped: ["DELETE FROM audit WHERE number = \(first + 2)"]
            case .droppedFirst: ["DELETE FROM audit WHERE number = \(first)"]
            case .cutOff: ["DELETE FROM audit WHERE number = \(first + 4)"]
            case .allGone: ["DELETE FROM audit WHERE number >= \(first) AND number < \(first + 5)"]
            case .swapped:
                [
                    "UPDATE audit SET number = 1 WHERE number = \(first + 1)",
                    "UPDATE audit SET number = \(first + 1) WHERE number = \(first + 2)",
                    "UPDATE audit SET number = \(first + 2) WHERE number = 1",
                ]
            case .repeated:
                ["UPDATE audit SET sealed = (SELECT sealed FROM audit WHERE number = \(first + 1)) WHERE number = \(first + 3)"]
            case .moved: ["UPDATE audit SET number = \(first + 50) WHERE number = \(first + 3)"]
            case .fromAnotherChain:
                // The chain that lies three chains further, or before: the same ring, the other program.
                [
                    """
                    UPDATE audit SET sealed = (SELECT sealed FROM audit WHERE number % (1 << 40) = 3 AND number != \(first + 2) \
                    ORDER BY abs(number - \(first)) DESC LIMIT 1) WHERE number = \(first + 2)
                    """
                ]
            }
        }
    }

    @Test(
        "whoever alters, drops, cuts off, swaps or moves records is found out, in each ring", arguments: Tampering.allCases, 1...3
    )
    func tampered(_ way: Tampering, _ chain: UInt64) throws {
        try fillRings()
        for statement in way.sql(chain << 40 + 1) { try sql(statement) }
        let report = try verified(try scratch.open().items)
        #expect(!report.isSound && report.chains.filter { !$0.isSound }.count == 1)
        #expect(report.chains.first { !$0.isSound }?.ring == [.protection, .notice, .everyday][Int(chain) - 1])
        Tally.check("records that were \(way.rawValue) in ring \(chain) are verified as sound", succeeded: report.isSound)
    }

    /// A row of `state`, as literals.
    private func row(_ name: Int) throws -> String {
        try #require(try sql("SELECT quote(sealed) FROM state WHERE name = \(name)").first)
    }

    @Test(
        "a chain can't be taken away, emptied, altered, or given to another program; every later verification says so, writes or not"
    )
    func ends() throws {
        for way in [
            "DELETE FROM state WHERE name = 17", "DELETE FROM state WHERE name >= 17",
            "UPDATE state SET sealed = CAST(substr(sealed, 2) || x'00' AS BLOB) WHERE name = 18",
            "UPDATE state SET sealed = (SELECT sealed FROM state WHERE name = 20) WHERE name = 17",
            "UPDATE state SET name = 40 WHERE name = 19", "UPDATE state SET sealed = x'' WHERE name = 18",
            "INSERT INTO state(name, sealed) SELECT 41, sealed FROM state WHERE name = 17",
        ] {
            let fresh = try AuditAttackTests()
            try fresh.fillRings()
            try fresh.sql(way)
            var reports = [try fresh.verified(try fresh.scratch.open().items)]
            // What those programs do afterwards makes nothing good.
            try fresh.fillRings()
            reports.append(try fresh.verified(try fresh.scratch.open().items))
            #expect(reports.allSatisfy { !$0.isSound && !$0.areChainsWhole }, "\(way)")
            for (when, report) in zip(["at once", "after more records"], reports) {
                Tally.check("the ends of the chains pass \(when) after: \(way)", succeeded: report.isSound)
            }
        }
    }

    @Test("what there was no room for can't be counted down: not by the chain's row as it was before, nor by another store's")
    func counts() throws {
        try write((0..<32_768).map { Self.note(.released, by: Self.greedy, item: $0) })
        let before = try row(17)
        try write((0..<100).map { Self.note(.released, by: Self.greedy, item: $0) })
        let honest = try verified(try scratch.open().items)
        #expect(honest.isSound && honest.dropped == 100)
        let after = try row(17)
        for (name, forged) in [("an earlier one", before), ("zeroes", "x'" + String(repeating: "00", count: 100) + "'")] {
            try sql("UPDATE state SET sealed = \(forged) WHERE name = 17")
            let report = try verified(try scratch.open().items)
            #expect(!report.isSound && !report.areChainsWhole)
            Tally.check("a chain's row replaced by \(name) is verified as sound", succeeded: report.isSound)
            try sql("UPDATE state SET sealed = \(after) WHERE name = 17")
        }
        // As it was left, it is what it was.
        #expect(try verified(try scratch.open().items).dropped == 100)
    }

    @Test("the owner's word that a loss is accepted makes what is left the whole again, and nothing else does")
    func accepted() throws {
        try fillRings()
        try sql("UPDATE state SET sealed = x'00' WHERE name = 18")
        #expect(try !verified(try scratch.open().items).isSound)
        do { _ = try Store(in: StateFolder(path: scratch.path), acceptingLosses: true) }
        let report = try verified(try scratch.open().items)
        #expect(report.isSound && report.chains.count == 5)
        // A number that was a chain's isn't given to another one.
        try fillRings()
        #expect(try verified(try scratch.open().items).isSound)
    }
}
