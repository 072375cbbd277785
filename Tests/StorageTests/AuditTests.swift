import Foundation
import Testing
import ThumbAccess
import ThumbKeychain

@testable import ThumbStorage

extension Caller {
    /// A program that keeps its items under that name.
    static func of(_ own: String, _ kind: CallerClass = .consented, uid: UInt32 = 1000, named name: String? = nil) -> Caller {
        Caller(uid: uid, pid: 1, kind: kind, name: name ?? own, groups: own.isEmpty ? [] : [.init(own)])
    }
}

extension ItemDatabase {
    /// All that is shown to one program, or to the owner.
    func all(of caller: Caller? = nil, limit: Int = 3) throws -> [AuditRecord] {
        var records: [AuditRecord] = []
        var place: UInt64? = 0
        while let from = place {
            let page = try self.records(from: from, limit: limit, of: caller.map { AuditProgram($0) })
            #expect(page.entries.count <= limit)
            records += page.entries.map(\.record)
            place = page.next
        }
        return records
    }

    /// The whole chain, or what one program has, in pieces.
    func verified(of caller: Caller? = nil, limit: Int = 500) throws -> AuditReport {
        var progress = AuditProgress()
        while try !verifyAudit(&progress, limit: limit, of: caller.map { AuditProgram($0) }) {}
        return progress.report
    }
}

@Suite("The audit") struct AuditTests {
    let scratch: Scratch
    private static let vault = Caller.of("vault")
    /// The first row of the first chain.
    private static let first: UInt64 = 1 << 40 + 1

    init() throws { scratch = try Scratch() }

    private func note(
        _ event: AuditEvent = .released, _ date: Double = 1, by caller: Caller = vault, item: [UInt8]? = nil,
        failure: KeychainFailure? = nil
    ) -> AuditNote {
        AuditNote(
            date: date, event: event, by: caller, failure: failure, factors: [.biometry],
            itemClass: item == nil ? nil : .genericPassword, item: item)
    }

    /// Four records of one chain, each of its own kind, on disk.
    private func fill() throws {
        let store = try scratch.open()
        for event in [AuditEvent.released, .added, .changed, .removed] { store.items.note(note(event)) }
        try store.items.flush()
    }

    @Test(
        "how surely a program was known comes back too, beside every factor",
        arguments: [CallerClass.consented, .sandboxed, .protected])
    func kinds(_ kind: CallerClass) throws {
        let items = try scratch.open().items
        var noted = note(by: .of("vault", kind))
        noted.factors = [.biometry, .passcode, .companion]
        items.note(noted)
        try items.flush()
        let record = try #require(try items.all().first)
        #expect(record.kind == kind && record.factors == noted.factors && record.number == 1)
    }

    @Test("records come back as they were noted, each chain numbered from 1, after a restart too, and the chains hold")
    func roundTrip() throws {
        let item = [UInt8](1...16)
        do {
            let items = try scratch.open().items
            items.note(note(.released, 1.5, item: item, failure: .userCanceled))
            items.note(note(.added))
            items.note(note(.removed))
            items.note(note(.passcodeSet, by: .of("thumbturn")))
            try items.flush()
        }
        let items = try scratch.open().items
        let all = try items.all()
        #expect(all.map(\.event) == [.released, .added, .removed, .passcodeSet])
        #expect(all.map(\.number) == [1, 1, 2, 1] && all.map(\.ring) == [.notice, .everyday, .everyday, .protection])
        let first = try #require(all.first)
        #expect(first.date == 1.5 && first.failure == .userCanceled && first.factors == [.biometry] && first.uid == 1000)
        #expect(first.name == "vault" && first.itemClass == .genericPassword && first.item?.count == 16 && first.item != item)
        #expect(first.program == all[1].program && first.program != all[3].program)
        #expect(try items.records(from: 0, limit: 3, of: nil).entries.first?.item?.bytes == item)
        #expect(try items.all(of: Self.vault).map(\.event) == [.released, .added, .removed])
        #expect(try items.records(from: 0, limit: 0, of: nil).entries.isEmpty)
        for limit in [1, 2, 500] { #expect(try items.all(limit: limit) == all) }
        for limit in [1, 2, 500] {
            let report = try items.verified(limit: limit)
            #expect(report.isSound && report.records == 4 && report.chains.map(\.records) == [1, 2, 1])
        }
    }

    @Test("the same thing again within a minute is counted, whatever stands between; on disk already, it is one more record")
    func counted() throws {
        let items = try scratch.open().items
        for date in 1...5 { items.note(note(.released, Double(date))) }
        items.note(note(.added))
        items.note(note(.released, 6))
        try items.flush()
        #expect(try items.all().map(\.times) == [6, 1])
        for date in 7...9 { items.note(note(.released, Double(date))) }
        try items.flush()
        #expect(try items.all().map(\.times) == [6, 1])
        items.settle()
        try items.flush()
        #expect(try items.all().map(\.times) == [6, 1, 3] && items.all().map(\.date) == [1, 1, 7])
    }

    @Test("a minute after the first the next one has a record of its own; another outcome, factor, item or program always has")
    func apart() throws {
        let items = try scratch.open().items
        items.note(note(.released, 100))
        items.note(note(.released, 100 + AuditWaiting.secondsOfRepeats - 0.001))
        items.note(note(.released, 100 + AuditWaiting.secondsOfRepeats))
        // A clock that was set back isn't a minute that goes on.
        items.note(note(.released, 50))
        try items.flush()
        #expect(try items.all().map(\.times) == [2, 1, 1])
        items.note(note(.released, 51, item: [UInt8](repeating: 1, count: 16)))
        items.note(note(.released, 51, failure: .userCanceled))
        items.note(note(.released, 51, by: .of("other")))
        var without = note(.released, 51)
        without.factors = []
        items.note(without)
        try items.flush()
        #expect(try items.all().map(\.times) == [2, 1, 1, 1, 1, 1, 1])
    }

    @Test("4,096 repetitions of different things are counted at once; with one more they are written down")
    func manyRepeats() throws {
        let items = try scratch.open().items
        func round(_ count: Int) {
            for number in 0..<count {
                items.note(note(item: [UInt8(number >> 8), UInt8(number & 255)] + Array(repeating: 1, count: 14)))
            }
        }
        round(AuditWaiting.repeatsLimit)
        try items.flush()
        round(AuditWaiting.repeatsLimit)
        try items.flush()
        #expect(try items.verified().records == UInt64(AuditWaiting.repeatsLimit))
        round(AuditWaiting.repeatsLimit + 1)
        try items.flush()
        try items.flush()
        #expect(try items.verified().records == UInt64(2 * AuditWaiting.repeatsLimit + 1))
    }

    @Test("what changes what protects the owner, and what goes along with a write, has its record each time")
    func notJoined() throws {
        let items = try scratch.open().items
        for _ in 0..<3 { items.note(note(.passcodeSet)) }
        for name in ["a", "b"] {
            let new = try item(name)
            try items.noting([note(.added)]) { () throws(KeychainFailure) in try items.insert(new, secret: nil) }
        }
        try items.flush()
        #expect(try items.all().map(\.times) == [1, 1, 1, 1, 1])
    }

    @Test(
        "what waits goes to disk with the next write; a write that fails leaves no record of itself, and what waited still waits")
    func together() throws {
        do {
            let items = try scratch.open().items
            let one = try item("one")
            items.note(note(.released))
            try items.noting([note(.added)]) { () throws(KeychainFailure) in try items.insert(one, secret: nil) }
            items.note(note(.changed))
            #expect(throws: KeychainFailure.duplicateItem) {
                try items.noting([note(.added)]) { () throws(KeychainFailure) in try items.insert(one, secret: nil) }
            }
            #expect(try items.all().map(\.event) == [.released, .added])
            // A crash here loses what waits, and nothing else.
            let crashed = try scratch.crashed().open().items
            #expect(try crashed.all().map(\.event) == [.released, .added])
            #expect(try crashed.verified().isSound)
            try items.flush()
        }
        #expect(try scratch.open().items.all().map(\.event) == [.released, .added, .changed])
    }

    @Test(
        "whoever alters, drops, swaps, forges or cuts off records is found out",
        arguments: [
            (
                "UPDATE audit SET sealed = CAST(substr(sealed, 2) || substr(sealed, 1, 1) AS BLOB) WHERE number = \(first + 1)",
                [2],
                true
            ),
            ("DELETE FROM audit WHERE number = \(first + 1)", [2], true),
            ("DELETE FROM audit WHERE number = \(first + 3)", [4], false),
            ("DELETE FROM audit", [1, 2, 3, 4], false),
            ("UPDATE audit SET number = \(first + 8) WHERE number = \(first + 3)", [4], false),
            (
                "UPDATE audit SET sealed = (SELECT sealed FROM audit WHERE number = \(first + 1)) WHERE number = \(first)", [1],
                true
            ),
            (
                "UPDATE audit SET sealed = (SELECT sealed FROM audit WHERE number = \(first)) WHERE number = \(first + 3)", [4],
                false
            ),
        ] as [(String, [UInt64], Bool)])
    func tampered(sql: String, broken: [UInt64], endsWhereItShould: Bool) throws {
        try fill()
        try scratch.sql(sql)
        let items = try scratch.open().items
        for limit in [1, 500] {
            let report = try items.verified(limit: limit)
            #expect(report.chains.map(\.broken) == [broken] && report.broken == UInt64(broken.count))
            #expect(report.chains.map(\.endsWhereItShould) == [endsWhereItShould])
            #expect(!report.isSound && report.areChainsWhole)
        }
        // It goes on: the next record is written and found.
        items.note(note(.keyUsed))
        try items.flush()
        #expect(try items.all().last?.number == 5)
    }

    @Test("the audit of one store says nothing in another")
    func foreign() throws {
        try fill()
        let other = try Scratch()
        do {
            let items = try other.open().items
            items.note(note())
            try items.flush()
        }
        let sealed = try other.sql("SELECT hex(sealed) FROM audit")[0]
        try scratch.sql("UPDATE audit SET sealed = x'\(sealed)' WHERE number = \(Self.first)")
        #expect(try scratch.open().items.verified().chains[0].broken.contains(1))
    }

    @Test("what comes and goes between two pieces of a verification is no break in a chain, and no record is read twice")
    func meanwhile() throws {
        let items = try scratch.open().items
        for number in 0..<40 { items.note(note(.released, Double(number * 100))) }
        try items.flush()
        var progress = AuditProgress()
        var pieces = 1
        while try !items.verifyAudit(&progress, limit: 3, of: nil) {
            pieces += 1
            guard pieces < 10 else { continue }
            items.note(note(.removed, Double(pieces * 100)))
            try items.flush()
        }
        #expect(progress.report.isSound && progress.report.records == 48 && pieces == 16)
    }

    @Test("a ring keeps 8,192 records; of one more the oldest goes, also from under a verification, and is counted")
    func retention() throws {
        let items = try scratch.open().items
        let limit = AuditBook.limit(of: .protection)
        for number in 0..<limit { items.note(note(.passcodeSet, Double(number))) }
        try items.flush()
        #expect(try items.verified().dropped == 0 && items.verified().records == limit)
        var progress = AuditProgress()
        #expect(try !items.verifyAudit(&progress, limit: 3, of: nil))
        items.note(note(.recovered, 10_000))
        for number in 0..<9 { items.note(note(.passcodeSet, Double(11_000 + number))) }
        try items.flush()
        while try !items.verifyAudit(&progress, limit: 1000, of: nil) {}
        let gone = AuditReport.Dropped(event: .passcodeSet, count: 10, since: 0, until: 9)
        for report in [progress.report, try items.verified()] {
            #expect(report.isSound && report.records == limit && report.chains.first?.dropped == [gone])
        }
        #expect(try items.all(limit: 5000).first?.number == 11)
    }

    @Test("a ring has 512 chains; the program after that shares one with the rest", arguments: [512, 513])
    func chains(_ programs: Int) throws {
        let items = try scratch.open().items
        for number in 0..<programs { items.note(note(.released, by: .of("p\(number)"))) }
        try items.flush()
        let chains = try items.verified().chains
        #expect(chains.count == programs && chains.contains { $0.name == "other programs" } == (programs > 512))
        #expect(try items.all(of: .of("p\(programs - 1)")).count == 1)
    }

    @Test(
        "where the disk takes nothing 4,096 records wait; of more, everyday ones are lost first, and counted with the next write")
    func full() throws {
        var waiting = AuditWaiting()
        waiting.add(note(.passcodeSet))
        for number in 1..<AuditWaiting.limit { waiting.add(note(.released, Double(number * 100))) }
        #expect(waiting.isFull)
        let key = AuditChain.Key(ring: .everyday, program: [UInt8](repeating: 7, count: 16))
        waiting.makeRoom { _ in key }
        #expect(waiting.notes.map(\.event) == [.passcodeSet])
        #expect(waiting.lost[key]?.drops.shown.map(\.count) == [UInt64(AuditWaiting.limit - 1)])
        for _ in 1..<AuditWaiting.limit { waiting.add(note(.passcodeSet)) }
        waiting.makeRoom { _ in AuditChain.Key(ring: .protection, program: key.program) }
        #expect(waiting.notes.count == AuditWaiting.limit / 2)
        let items = try scratch.open().items
        items.audit.waiting = waiting
        try items.flush()
        #expect(try items.verified().dropped == UInt64(AuditWaiting.limit - 1 + AuditWaiting.limit / 2))
        #expect(try scratch.crashed().open().items.verified().isSound)
    }

    @Test("4,096 records wait; with one more, all of them are written down before it")
    func writtenInTime() throws {
        let items = try scratch.open().items
        for number in 0..<AuditWaiting.limit { items.note(note(.released, Double(number * 100))) }
        #expect(try items.audit.waiting.isFull && items.verified().records == 0)
        items.note(note(.released, Double(AuditWaiting.limit * 100)))
        #expect(items.audit.waiting.notes.count == 1)
        #expect(try items.verified().records == UInt64(AuditWaiting.limit))
    }

    @Test("nothing of a record or a chain lies readable in the file")
    func sealed() throws {
        let marker = "PlantedProgramName"
        do {
            let items = try scratch.open().items
            items.note(note(.added, by: .of(marker)))
            try items.flush()
        }
        for name in ["items.db", "items.db-wal"] where scratch.has(name) {
            #expect(try Data(scratch.bytes(name)).range(of: Data(marker.utf8)) == nil)
        }
    }
}

/// A store of an older format as its daemon left it, log and all.
func oldStore(_ format: Int) throws -> Scratch {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/format-\(format)")
    let scratch = try Scratch()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        try scratch.write([UInt8](Data(contentsOf: folder.appending(path: name))), name)
    }
    return scratch
}

@Suite("Formats of the store") struct FormatTests {
    /// The items in each of the older stores, and what the house kept among them.
    private static let items: [UInt64] = [2, 2, 4, 5]
    private static let houseRows = [0, 1, 0, 9]

    @Test("an older store opens with everything in it, and is of format 6 from then on", arguments: [1, 2, 3, 4])
    func migration(_ format: Int) throws {
        let scratch = try oldStore(format)
        let audited: UInt64
        do {
            let items = try scratch.open().items
            #expect(items.count == Self.items[format - 1])
            audited = try items.verified().records
            // Format 1 had no audit; the second's daemon noted both additions, the third's three other events besides four. The
            // fourth's noted two additions in chains of their own, and two other events.
            #expect(try items.verify().isSound && audited == [0, 2, 7, 4][format - 1])
            #expect(try items.houseRows.count == Self.houseRows[format - 1])
            items.note(AuditNote(date: 20, event: .added, by: .of("x")))
            try items.flush()
        }
        #expect(try scratch.sql("PRAGMA user_version") == ["6"])
        let items = try scratch.open().items
        #expect(items.count == Self.items[format - 1])
        let report = try items.verified()
        #expect(report.isSound && report.records == audited + 1 && report.chains.count == [1, 2, 2, 3][format - 1])
    }

    @Test("what format 3 noted is shown as it was, with digests in the place of items, to nobody as their own")
    func earlier() throws {
        let items = try oldStore(3).open().items
        let records = try items.all()
        #expect(records.map(\.event) == [.added, .added, .added, .added, .released, .released, .passcodeSet])
        #expect(records.allSatisfy { $0.ring == .earlier && $0.program == nil })
        #expect(records.map(\.times) == [1, 1, 1, 1, 5, 1, 1] && records.map(\.number) == Array(1...7))
        #expect(records[5].failure == .userCanceled && records[5].kind == .sandboxed && records[6].kind == .protected)
        let one = try #require(try items.find(account: "one")).id
        #expect(records[0].item == records[4].item && records[0].item != records[1].item && records[0].item != one.bytes)
        for kind in [CallerClass.consented, .sandboxed, .protected] {
            for name in ["vault", "other", "thumbturn", ""] { #expect(try items.all(of: .of(name, kind)).isEmpty) }
        }
    }

    @Test("whoever alters, drops or cuts off what format 3 noted is found out after the migration too", arguments: 0..<3)
    func earlierTampered(_ way: Int) throws {
        let scratch = try oldStore(3)
        do { _ = try scratch.open() }
        let ways = ["DELETE FROM audit WHERE number = 3", "DELETE FROM audit WHERE number = 7"]
        try scratch.sql(way < 2 ? ways[way] : "UPDATE audit SET sealed = zeroblob(90) WHERE number = 1")
        let report = try scratch.open().items.verified()
        #expect(!report.isSound && report.chains[0].broken == [[3], [7], [1]][way])
    }

    @Test("a crash in the middle of the migration leaves the older store, which migrates again", arguments: [1, 2, 3, 4])
    func interrupted(_ format: Int) throws {
        let scratch = try oldStore(format)
        let crashed = try scratch.crashed()
        _ = try scratch.open()
        #expect(try crashed.open().items.count == Self.items[format - 1])
    }

    @Test("a newer format is refused and left as it is")
    func newer() throws {
        do { _ = try scratch(filled: "a") }
        let scratch = try scratch(filled: "a")
        try scratch.sql("PRAGMA user_version = 7")
        let before = try scratch.bytes("items.db")
        #expect(throws: StorageError.self) { try scratch.open() }
        #expect(try scratch.bytes("items.db") == before)
    }

    private func scratch(filled account: String) throws -> Scratch {
        let scratch = try Scratch()
        try Store.filled(scratch, [account])
        return scratch
    }
}
