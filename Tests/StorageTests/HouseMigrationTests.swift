import Foundation
import Testing
import ThumbAccess
import ThumbKeychain

@testable import ThumbStorage

/// A store of format 4 as its service left it, log and all: five items, and among them what the house kept for itself.
@Suite("What the house kept among the items becomes rows of its own") struct HouseMigrationTests {
    /// In the order in which they were made; the dates were counted up.
    private static func file(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

    private static func word(
        _ app: ExactName, _ name: String, _ wish: AppWish, _ verdict: AppVerdict, _ date: Double,
        kind: CallerClass = .consented, tie: Consent.Tie? = nil
    ) -> HouseRow {
        .consent(Consent(KnownApp(app: app, name: name, kind: kind, wish: wish, verdict: verdict, date: date), tie: tie))
    }

    private static func made(_ group: ExactName, _ date: Double) -> HouseRow {
        let maker = Groups.Maker(app: "org.example.maker", name: "/home/ada/maker", kind: .consented)
        return .group(MadeGroup(group, by: maker, date: date))
    }

    private static func tie(_ program: ExactName, _ byte: UInt8) -> Consent.Tie {
        Consent.Tie(program: program, file: file(byte))
    }

    private static let rows: [HouseRow] = [
        word(
            "org.example.maker", "/home/ada/maker", .program("/home/ada/maker"), .noted, 1001, tie: tie("/home/ada/maker", 1)),
        word("org.example.camera", "/usr/bin/camera", .face, .denied, 1014),
        word("org.example.camera", "/usr/bin/camera", .group("team.shared"), .allowed, 1010, kind: .sandboxed),
        word(
            "org.example.maker", "/home/eve/maker", .program("/home/eve/maker"), .denied, 1011, tie: tie("/home/eve/maker", 2)),
        word("org.example.maker", "/home/ada/maker", .folder("/home/ada"), .allowed, 1012, tie: tie("/home/ada/maker", 3)),
        word("org.example.other", "/opt/caf\u{E9}", .group("team.shared"), .denied, 1015, kind: .protected),
        made("org.example.maker", 1004), made("team.shared", 1008), .allowance(GivenAllowance(.softwareKeys, date: 1013)),
    ]

    private func scratch() throws -> Scratch { try oldStore(4) }

    /// The same, after somebody was at its file. It still has a log beside it, though nothing stands there any more.
    private func scratch(after statements: String...) throws -> Scratch {
        let scratch = try scratch()
        for statement in statements { try scratch.sql(statement) }
        try scratch.write([0], "items.db-wal")
        return scratch
    }

    @Test("every row is there, in its order and with its date; the items are only the programs' own")
    func moved() throws {
        let scratch = try scratch()
        do {
            let items = try scratch.open().items
            #expect(try items.houseRows == Self.rows)
            #expect(items.count == 5 && items.quarantined == 0)
            #expect(try items.connection.number("SELECT count(*) FROM records") == 5)
            #expect(try items.find().compactMap { $0.attributes[.account] } == ["one", "two", "three"].map { .text($0) })
            let report = try items.verify()
            #expect(report.isSound && report.items == 5 && report.houseRows == Self.rows.count)
        }
        #expect(try scratch.sql("PRAGMA user_version") == ["6"])
        let items = try scratch.open().items
        #expect(try items.houseRows == Self.rows && items.verified().isSound)
    }

    @Test("the rules find in them what they found before")
    func rules() throws {
        let items = try scratch().open().items
        let consents = Consents(tables: items) { 0 }
        #expect(try consents.verdict(on: "org.example.camera", .face) == .denied)
        #expect(try consents.verdict(on: "org.example.camera", .group("team.shared")) == .allowed)
        #expect(try consents.verdict(on: "org.example.camera", .group("other")) == nil)
        let allowances = Allowances(tables: items) { 0 }
        #expect(try allowances.holds(.softwareKeys) && !allowances.holds(.weakEnrolment))
        let groups = Groups(items: items, consents: consents, closed: "org.thumbturn.secrets") { 0 }
        #expect(try groups.maker(of: "team.shared")?.app == "org.example.maker")
        func program(_ path: ExactName, file: UInt8) -> Caller {
            Caller(
                uid: 1000, pid: 1, kind: .consented, name: "x", groups: ["org.example.maker"], mayShare: true,
                program: ProgramWords(path: path, place: .changeable, claim: "org.example.maker"), file: Self.file(file))
        }
        #expect(try groups.list(of: program("/home/ada/maker", file: 1)) == ["org.example.maker", "team.shared"])
        let ties = Ties(consents: consents)
        #expect(try ties.standing(of: program("/home/ada/maker", file: 1), notes: false) == .open)
        #expect(try ties.standing(of: program("/home/ada/maker", file: 9), notes: false) == .open)
        #expect(try ties.standing(of: program("/home/eve/maker", file: 2), notes: false) == .refused)
    }

    /// Where three of them stood among the items: a word, a group and an allowance.
    private static let oldRows = [(row: 5, house: 1), (row: 9, house: 7), (row: 14, house: 8)]

    @Test("a damaged old one is set apart as a damaged item is, and the others move")
    func damaged() throws {
        for (row, house) in Self.oldRows {
            let scratch = try scratch(after: "UPDATE contents SET attributes = zeroblob(length(attributes)) WHERE row = \(row)")
            do {
                let items = try scratch.open().items
                var rest = Self.rows
                rest.remove(at: house)
                #expect(try items.houseRows == rest, "\(row)")
                #expect(items.quarantined == 1 && items.count == 5)
                #expect(try items.verify().doRecordsHold)
            }
            #expect(try scratch.open().items.quarantined == 1)
        }
    }

    @Test("an item's damage stays the item's: nothing of the house's goes with it")
    func damagedItem() throws {
        let scratch = try scratch(after: "UPDATE contents SET attributes = zeroblob(length(attributes)) WHERE row = 1")
        let items = try scratch.open().items
        #expect(try items.houseRows == Self.rows && items.quarantined == 0)
        #expect(try items.find().count == 2 && items.quarantined == 1 && items.count == 4)
    }

    @Test("one whose names in the index were taken away moves all the same")
    func unlisted() throws {
        let rows = Self.oldRows.map { "\($0.row)" }.joined(separator: ", ")
        let scratch = try scratch(after: "DELETE FROM lookups WHERE row IN (\(rows))")
        #expect(try scratch.open().items.houseRows == Self.rows)
    }

    @Test("one that was taken away before is missed as it was: the store is refused")
    func takenAway() throws {
        let row = try #require(Self.oldRows.first).row
        let scratch = try scratch(after: "DELETE FROM contents WHERE row = \(row)", "DELETE FROM records WHERE row = \(row)")
        for _ in 0..<2 { #expect(code { _ = try scratch.open() } == .recordsMismatch) }
        #expect(try scratch.open(acceptingLosses: true).items.houseRows.count == Self.rows.count - 1)
    }

    @Test("a store whose tables were taken away doesn't pass as one from before them")
    func tablesTakenAway() throws {
        let scratch = try scratch()
        _ = try scratch.open()
        for table in houseForms.map({ $0.table.name }) { try scratch.sql("DROP TABLE \(table)") }
        try scratch.sql("PRAGMA user_version = 4")
        for _ in 0..<2 { #expect(code { _ = try scratch.open() } == .recordsMismatch) }
        #expect(try scratch.open(acceptingLosses: true).items.houseRows.isEmpty)
        #expect(try scratch.open().items.verify().isSound)
    }

    @Test("an older store with empty tables put into it doesn't pass as one of this format")
    func tablesPutIn() throws {
        let scratch = try scratch()
        for table in Schema.house { try scratch.sql(table) }
        try scratch.sql("PRAGMA user_version = 5")
        try scratch.write([0], "items.db-wal")
        #expect(code { _ = try scratch.open() } == .recordsMismatch)
    }

    @Test("nothing of the old items is left in the file")
    func erased() throws {
        let scratch = try scratch()
        _ = try scratch.open()
        for table in ["records", "contents"] { #expect(try scratch.sql("SELECT count(*) FROM \(table)") == ["5"]) }
        let strays = try scratch.sql("SELECT count(*) FROM lookups WHERE row NOT IN (SELECT row FROM records)")
        #expect(strays == ["0"])
    }
}
