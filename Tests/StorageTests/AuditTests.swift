import Foundation
import Testing
import ThumbAccess
import ThumbKeychain

@testable import ThumbStorage

@Suite("The audit") struct AuditTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func record(_ event: AuditEvent = .released, _ date: Double = 1, item: [UInt8]? = nil) -> AuditRecord {
        AuditRecord(
            date: date, event: event, failure: event == .released ? .userCanceled : nil, factors: [.biometry], uid: 1000,
            program: "vault", itemClass: item == nil ? nil : .genericPassword, item: item)
    }

    /// Four records, each of its own kind, on disk.
    private func fill() throws {
        let store = try scratch.open()
        for event in [AuditEvent.released, .added, .changed, .removed] { store.items.note(record(event)) }
        try store.items.flush()
    }

    @Test(
        "how surely a program was known comes back too, beside every factor",
        arguments: [CallerClass.consented, .sandboxed, .protected])
    func kinds(_ kind: CallerClass) throws {
        let store = try scratch.open()
        var noted = record()
        (noted.kind, noted.factors, noted.number) = (kind, [.biometry, .passcode, .companion], 1)
        store.items.note(noted)
        try store.items.flush()
        #expect(try store.items.records(from: 0, limit: 1) == [noted])
    }

    @Test("records come back as they were noted, numbered from 1, after a restart too, and the chain holds")
    func roundTrip() throws {
        let item = [UInt8](1...16)
        do {
            let store = try scratch.open()
            store.items.note(record(.released, 1.5, item: item))
            store.items.note(record(.added))
            try store.items.flush()
        }
        let items = try scratch.open().items
        let all = try items.records(from: 0, limit: 10)
        var first = record(.released, 1.5, item: item)
        first.number = 1
        #expect(all.first == first)
        #expect(all.map(\.number) == [1, 2] && all.map(\.event) == [.released, .added])
        #expect(try items.records(from: 2, limit: 10).map(\.number) == [2])
        #expect(try items.records(from: 1, limit: 1).map(\.number) == [1])
        #expect(try items.records(from: 3, limit: 10).isEmpty && items.records(from: 1, limit: 0).isEmpty)
        #expect(try items.verifyAudit() == AuditReport(first: 1, records: 2, broken: [], endsWhereItShould: true))
    }

    @Test("the same thing again within a moment is counted, not listed")
    func counted() throws {
        let items = try scratch.open().items
        for date in 1...5 { items.note(record(.released, Double(date))) }
        items.note(record(.added))
        items.note(record(.released, 6))
        try items.flush()
        #expect(try items.records(from: 1, limit: 10).map(\.times) == [5, 1, 1])
    }

    @Test(
        "what waits goes to disk with the next write; a write that fails leaves no record of itself, and what waited still waits")
    func together() throws {
        do {
            let items = try scratch.open().items
            let one = try item("one")
            items.note(record(.released))
            try items.noting([record(.added)]) { () throws(KeychainFailure) in try items.insert(one, secret: nil) }
            items.note(record(.changed))
            #expect(throws: KeychainFailure.duplicateItem) {
                try items.noting([record(.added)]) { () throws(KeychainFailure) in try items.insert(one, secret: nil) }
            }
            #expect(try items.records(from: 1, limit: 10).map(\.event) == [.released, .added])
            // A crash here loses what waits, and nothing else.
            let crashed = try scratch.crashed().open().items
            #expect(try crashed.records(from: 1, limit: 10).map(\.event) == [.released, .added])
            #expect(try crashed.verifyAudit().isSound)
            try items.flush()
        }
        #expect(try scratch.open().items.records(from: 1, limit: 10).map(\.event) == [.released, .added, .changed])
    }

    @Test(
        "whoever alters, drops, swaps, forges or cuts off records is found out",
        arguments: [
            ("UPDATE audit SET sealed = CAST(substr(sealed, 2) || substr(sealed, 1, 1) AS BLOB) WHERE number = 2", [2], true),
            ("DELETE FROM audit WHERE number = 2", [2], true),
            ("DELETE FROM audit WHERE number = 4", [4], false),
            ("DELETE FROM audit", [1, 2, 3, 4], false),
            ("UPDATE audit SET number = 9 WHERE number = 4", [4], false),
            ("UPDATE audit SET sealed = (SELECT sealed FROM audit WHERE number = 2) WHERE number = 1", [1], true),
            ("UPDATE audit SET sealed = (SELECT sealed FROM audit WHERE number = 1) WHERE number = 4", [4], false),
        ] as [(String, [UInt64], Bool)])
    func tampered(sql: String, broken: [UInt64], endsWhereItShould: Bool) throws {
        try fill()
        try scratch.sql(sql)
        let items = try scratch.open().items
        let report = try items.verifyAudit()
        #expect(report.broken == broken)
        #expect(report.endsWhereItShould == endsWhereItShould)
        #expect(!report.isSound)
        // It goes on: the next record is written and found.
        items.note(record(.recovered))
        try items.flush()
        #expect(try items.records(from: 5, limit: 10).map(\.event) == [.recovered])
    }

    @Test("the audit of one store says nothing in another")
    func foreign() throws {
        try fill()
        let other = try Scratch()
        do {
            let items = try other.open().items
            items.note(record())
            try items.flush()
        }
        let sealed = try other.sql("SELECT hex(sealed) FROM audit")[0]
        try scratch.sql("UPDATE audit SET sealed = x'\(sealed)' WHERE number = 1")
        #expect(try scratch.open().items.verifyAudit().broken.contains(1))
    }

    @Test("the oldest go when there are too many, and the chain still holds from its new beginning")
    func retention() throws {
        let items = try scratch.open().items
        let limit = Int(ItemDatabase.auditLimit)
        for number in 0..<limit + 10 {
            var record = record()
            record.uid = UInt32(number)
            items.note(record)
        }
        try items.flush()
        let report = try items.verifyAudit()
        #expect(report == AuditReport(first: 11, records: UInt64(limit), broken: [], endsWhereItShould: true))
        #expect(try items.records(from: 0, limit: 1).first?.uid == 10)
    }

    @Test("nothing of a record lies readable in the file")
    func sealed() throws {
        let marker = "PlantedProgramName"
        do {
            let items = try scratch.open().items
            items.note(AuditRecord(date: 1, event: .added, uid: 1, program: marker))
            try items.flush()
        }
        for name in ["items.db", "items.db-wal"] where scratch.has(name) {
            #expect(try Data(scratch.bytes(name)).range(of: Data(marker.utf8)) == nil)
        }
    }
}

@Suite("Formats of the store") struct FormatTests {
    /// A store of an older format as its daemon left it, log and all. The second one's has a note of its own beside two items.
    private func old(_ format: Int) throws -> Scratch {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "Fixtures/format-\(format)")
        let scratch = try Scratch()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try scratch.write([UInt8](Data(contentsOf: folder.appending(path: name))), name)
        }
        return scratch
    }

    @Test("an older store opens with everything in it, and is of format 3 from then on", arguments: [1, 2])
    func migration(_ format: Int) throws {
        let scratch = try old(format)
        let audited: UInt64
        do {
            let items = try scratch.open().items
            #expect(items.count == UInt64(1 + format))
            audited = try items.verifyAudit().records
            // Format 1 had no audit; the other's daemon noted both additions.
            #expect(try items.verify().isSound && audited == (format == 1 ? 0 : 2))
            items.note(AuditRecord(date: 1, event: .added, uid: 1, program: "x"))
            try items.flush()
        }
        #expect(try scratch.sql("PRAGMA user_version") == ["3"])
        let items = try scratch.open().items
        #expect(items.count == UInt64(1 + format))
        #expect(try items.verifyAudit() == AuditReport(first: 1, records: audited + 1, broken: [], endsWhereItShould: true))
    }

    @Test("a crash in the middle of the migration leaves the older store, which migrates again", arguments: [1, 2])
    func interrupted(_ format: Int) throws {
        let scratch = try old(format)
        let crashed = try scratch.crashed()
        _ = try scratch.open()
        #expect(try crashed.open().items.count == UInt64(1 + format))
    }

    @Test("a newer format is refused and left as it is")
    func newer() throws {
        do { _ = try scratch(filled: "a") }
        let scratch = try scratch(filled: "a")
        try scratch.sql("PRAGMA user_version = 4")
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
