import Foundation
import Testing
import ThumbAccess
import ThumbKeychain

@testable import ThumbStorage

/// A word on an app's wish.
func word(
    _ app: ExactName, _ wish: AppWish = .face, _ verdict: AppVerdict = .allowed, tie: Consent.Tie? = nil
) -> HouseRow {
    .consent(Consent(KnownApp(app: app, name: "/\(app)", kind: .sandboxed, wish: wish, verdict: verdict, date: 5), tie: tie))
}

func made(_ group: ExactName, by app: ExactName) -> HouseRow {
    .group(MadeGroup(group, by: Groups.Maker(app: app, name: "/\(app)", kind: .protected), date: 6))
}

/// A paired machine.
func machine(_ byte: UInt8, _ side: PairingSide = .asks) -> HouseRow {
    .machine(
        PairedMachine(
            id: [UInt8](repeating: byte, count: 16), side: side, name: "machine \(byte)",
            place: side == .asks ? "laptop.local:8876" : "", otherLink: [UInt8](repeating: byte, count: 65),
            otherYes: side == .asks ? [UInt8](repeating: byte &+ 1, count: 65) : [], link: [1, byte],
            yes: side == .asks ? [] : [2, byte], date: 9))
}

extension ItemDatabase {
    func keep(_ rows: HouseRow...) throws { try change(removing: [], keeping: rows) }

    /// Each of the house's rows, table by table.
    var houseRows: [HouseRow] {
        get throws {
            try consents(.all).map { .consent($0) } + groups(.all).map { .group($0) } + allowances().map { .allowance($0) }
                + machines().map { .machine($0) }
        }
    }
}

@Suite("The house's own tables") struct HouseTests {
    private let scratch: Scratch
    private static let tie = Consent.Tie(program: "/usr/bin/bank", file: [UInt8](0..<32))
    private static let rows: [HouseRow] = [
        word("org.one"), word("org.one", .group("team"), .denied), word("org.bank", .program("/usr/bin/bank"), .noted, tie: tie),
        word("org.bank", .folder("/home/ada"), .denied, tie: Consent.Tie(program: "/home/ada/bank", file: [])),
        word("org.two", .group("team")), made("team", by: "org.maker"), made("other", by: "org.maker"),
        made("org.bank", by: "org.bank"), .allowance(GivenAllowance(.softwareKeys, date: 7)),
        .allowance(GivenAllowance(.weakEnrolment, date: 8)), machine(3), machine(7, .answers),
    ]

    init() throws {
        scratch = try Scratch()
        try Store.filled(scratch, ["a"])
        let items = try scratch.open().items
        for row in Self.rows { try items.keep(row) }
    }

    @Test("rows come back as they were put in, in their order, after a restart too; they are no items")
    func roundTrip() throws {
        let items = try scratch.open().items
        #expect(try items.houseRows == Self.rows)
        #expect(try items.count == 1 && items.usage.items == 1 && items.walk(after: 0, limit: 10).count == 1)
        let report = try items.verify()
        #expect(report.isSound && report.items == 1 && report.houseRows == Self.rows.count)
    }

    @Test("an answer about a kept item comes back, is found by its reader and by its item, and goes alone")
    func keptItems() throws {
        let items = try scratch.open().items
        let (one, other) = (word("/usr/bin/git", .keptItem("00ff")), word("/usr/bin/git", .keptItem("00fe"), .denied))
        try items.keep(one, other, word("/bin/x", .keptItem("00ff")), word("/usr/bin/git", .folder("00ff")))
        func rows(_ search: Consent.Search) throws -> [HouseRow] { try items.consents(search).map { .consent($0) } }
        #expect(try rows(.on("/usr/bin/git", .keptItem("00ff"))) == [one])
        #expect(try rows(.about(.keptItem("00ff"))) == [one, word("/bin/x", .keptItem("00ff"))])
        #expect(try rows(.of("/usr/bin/git")).count == 3)
        try items.change(removing: [one], keeping: [])
        #expect(try rows(.about(.keptItem("00ff"))).count == 1 && rows(.on("/usr/bin/git", .keptItem("00fe"))) == [other])
        #expect(try items.verify().isSound)
    }

    @Test("each search finds its rows, and counts them, and no others")
    func searches() throws {
        let items = try scratch.open().items
        let consents = Self.rows.compactMap { if case .consent(let consent) = $0 { consent } else { nil } }
        let searches: [(Consent.Search, [Int])] = [
            (.all, [0, 1, 2, 3, 4]), (.of("org.one"), [0, 1]), (.of("org.bank"), [2, 3]), (.of("org.none"), []),
            (.on("org.one", .face), [0]), (.on("org.one", .group("team")), [1]), (.on("org.two", .face), []),
            (.on("org.one", .group("Team")), []), (.about(.group("team")), [1, 4]), (.about(.face), [0]), (.ties, [2, 3]),
            (.tied("/usr/bin/bank"), [2]), (.tied("/home/ada/bank"), [3]), (.tied("org.bank"), []), (.of(""), []),
        ]
        for (search, expected) in searches {
            #expect(try items.consents(search) == expected.map { consents[$0] }, "\(search)")
            #expect(try items.countConsents(search) == expected.count, "\(search)")
        }
        let groups: [(MadeGroup.Search, [ExactName])] = [
            (.all, ["team", "other", "org.bank"]), (.of("team"), ["team"]), (.of("org.maker"), []),
            (.made(by: "org.maker"), ["team", "other"]), (.made(by: "team"), []),
        ]
        for (search, expected) in groups {
            #expect(try items.groups(search).map(\.group) == expected, "\(search)")
            #expect(try items.countGroups(search) == expected.count, "\(search)")
        }
    }

    @Test("a row takes the place of the one of its name and stays there; what is taken out is gone, alone")
    func changes() throws {
        var rows = Self.rows
        do {
            let items = try scratch.open().items
            rows[0] = word("org.one", .face, .denied)
            try items.keep(rows[0])
            #expect(try items.houseRows == rows)
            // What stands in it doesn't matter, its name does; and nobody need be there.
            try items.change(removing: [word("org.one", .group("team")), word("org.none"), rows[8]], keeping: [])
            rows.removeAll { $0 == Self.rows[1] || $0 == Self.rows[8] }
            #expect(try items.houseRows == rows)
            try items.keep(Self.rows[1])
            rows.insert(Self.rows[1], at: 4)
        }
        let items = try scratch.open().items
        #expect(try items.houseRows == rows && items.verify().isSound)
    }

    @Test("a change of many rows is done whole, or not at all")
    func whole() throws {
        let items = try scratch.open().items
        let long = word(ExactName(String(repeating: "x", count: HouseSeals.longestForm)))
        #expect(throws: KeychainFailure.dataTooLarge) {
            try items.change(removing: [Self.rows[0]], keeping: [made("new", by: "org.new"), long])
        }
        #expect(try items.houseRows == Self.rows && items.verify().isSound)
    }

    @Test("a row holds what an item's attributes may hold, and no byte more")
    func longest() throws {
        // Number, date, three lengths, and the names around the group's.
        let room = HouseSeals.longestForm - made("", by: "org.long").form.sealable.count
        let items = try scratch.open().items
        try items.keep(made(ExactName(String(repeating: "x", count: room)), by: "org.long"))
        #expect(try items.groups(.made(by: "org.long")).first?.group.utf8.count == room)
        #expect(throws: KeychainFailure.dataTooLarge) {
            try items.keep(made(ExactName(String(repeating: "y", count: room + 1)), by: "org.long"))
        }
    }

    @Test("nothing of a row lies readable in the file")
    func sealed() throws {
        try scratch.open().items.keep(word("PlantedApp", .group("PlantedGroup")), made("PlantedName", by: "PlantedMaker"))
        for name in ["items.db", "items.db-wal"] where scratch.has(name) {
            #expect(try Data(scratch.bytes(name)).range(of: Data("Planted".utf8)) == nil)
        }
    }

    // MARK: What somebody does to the file

    private static let columns = [
        "consents": "row, name, app, wish, program, tag, sealed", "makers": "row, name, app, tag, sealed",
        "allowances": "row, name, tag, sealed", "machines": "row, name, tag, sealed",
    ]

    /// A row as SQL literals, to be put back later.
    private func saved(_ table: String, row: Int = 1) throws -> String {
        let columns = try #require(Self.columns[table]).split(separator: ",").map { "quote(\($0))" }
        return try scratch.sql("SELECT \(columns.joined(separator: " || ',' || ")) FROM \(table) WHERE row = \(row)")[0]
    }

    private func putBack(_ row: String, _ table: String) throws {
        try scratch.sql("REPLACE INTO \(table)(\(try #require(Self.columns[table]))) VALUES(\(row))")
    }

    @Test("a row that was taken away is refused at opening, until the owner gives in", arguments: columns.keys.sorted())
    func takenAway(_ table: String) throws {
        try scratch.sql("DELETE FROM \(table) WHERE row = 2")
        for _ in 0..<2 { #expect(code { _ = try scratch.open() } == .recordsMismatch) }
        #expect(try scratch.open(acceptingLosses: true).items.houseRows.count == Self.rows.count - 1)
        #expect(try scratch.open().items.verify().isSound)
    }

    @Test("a row that was taken away while the service runs is noticed by verify", arguments: columns.keys.sorted())
    func takenAwayMeanwhile(_ table: String) throws {
        let items = try scratch.open().items
        try items.connection.run("DELETE FROM \(table) WHERE row = 2")
        #expect(try !items.verify().doRecordsHold)
    }

    @Test("a row that was taken out and is put back is refused at opening", arguments: [0, 5, 8, 10])
    func resurrected(_ place: Int) throws {
        let table = type(of: Self.rows[place].form).table.name
        let old = try saved(table)
        try scratch.open().items.change(removing: [Self.rows[place]], keeping: [])
        try putBack(old, table)
        #expect(code { _ = try scratch.open() } == .recordsMismatch)
    }

    @Test("a store of format 5 has no paired machines, and gets room for them with everything else in its place")
    func formatFive() throws {
        try scratch.open().items.change(removing: [Self.rows[10], Self.rows[11]], keeping: [])
        try scratch.sql("DROP TABLE machines")
        try scratch.sql("PRAGMA user_version = 5")
        do {
            let items = try scratch.open().items
            #expect(try items.houseRows == Array(Self.rows[..<10]) && items.verify().isSound)
            try items.keep(Self.rows[10])
        }
        #expect(try scratch.sql("PRAGMA user_version") == ["6"])
        #expect(try scratch.open().items.houseRows == Array(Self.rows[...10]))
    }

    @Test("a store whose paired machines were taken away with their table doesn't pass as one of format 5")
    func machinesTakenAway() throws {
        try scratch.sql("DROP TABLE machines")
        try scratch.sql("PRAGMA user_version = 5")
        for _ in 0..<2 { #expect(code { _ = try scratch.open() } == .recordsMismatch) }
        #expect(try scratch.open(acceptingLosses: true).items.houseRows == Array(Self.rows[..<10]))
    }

    @Test("a row that is put back as it once was is refused at opening; the owner may take it as it is")
    func old() throws {
        let old = try saved("consents")
        try scratch.open().items.keep(word("org.one", .face, .denied))
        let new = try saved("consents")
        try putBack(old, "consents")
        for _ in 0..<2 { #expect(code { _ = try scratch.open() } == .recordsMismatch) }
        try putBack(new, "consents")
        #expect(try scratch.open().items.consents(.on("org.one", .face)).map(\.known.verdict) == [.denied])
        try putBack(old, "consents")
        do {
            let items = try scratch.open(acceptingLosses: true).items
            #expect(try items.houseRows == Self.rows && items.quarantined == 0)
        }
        #expect(try scratch.open().items.verify().isSound)
    }

    @Test("an old seal put back under the latest tag is damage, and the owner is asked again")
    func oldSeal() throws {
        let old = try scratch.sql("SELECT quote(sealed) FROM consents WHERE row = 1")[0]
        try scratch.open().items.keep(word("org.one", .face, .denied))
        try scratch.sql("UPDATE consents SET sealed = \(old) WHERE row = 1")
        let items = try scratch.open().items
        #expect(try items.consents(.on("org.one", .face)) == [])
        #expect(try items.quarantined == 1 && items.verify().doRecordsHold)
    }

    @Test("two words that were exchanged open neither, and the others go on")
    func exchanged() throws {
        try scratch.sql("UPDATE consents SET row = -row WHERE row < 3")
        try scratch.sql("UPDATE consents SET row = 3 + row WHERE row < 0")
        do {
            let items = try scratch.open().items
            #expect(try items.houseRows == Array(Self.rows[2...]))
            #expect(items.quarantined == 2)
        }
        let report = try scratch.open().items.verify()
        #expect(report.doRecordsHold && report.quarantined == 2)
    }

    @Test("a row of another table or another store doesn't open here")
    func anothers() throws {
        let other = try Scratch()
        do {
            let items = try other.open().items
            for row in Self.rows { try items.keep(row) }
        }
        let theirs = try other.sql("SELECT quote(tag) || ',' || quote(sealed) FROM consents WHERE row = 1")[0]
        let makers = try scratch.sql("SELECT quote(tag) || ',' || quote(sealed) FROM makers WHERE row = 1")[0]
        let own = try saved("consents")
        for planted in [theirs, makers] {
            try scratch.sql("UPDATE consents SET (tag, sealed) = (\(planted)) WHERE row = 1")
            #expect(code { _ = try scratch.open() } == .recordsMismatch)
        }
        // Under the tag that the sum has they are damage.
        try putBack(own, "consents")
        let sealed = try other.sql("SELECT quote(sealed) FROM consents WHERE row = 1")[0]
        try scratch.sql("UPDATE consents SET sealed = \(sealed) WHERE row = 1")
        let items = try scratch.open().items
        #expect(try items.houseRows == Array(Self.rows[1...]) && items.quarantined == 1)
    }

    @Test("the same row twice is refused at opening, and taken once by the owner's word")
    func twice() throws {
        try scratch.sql(
            "INSERT INTO consents(name, app, wish, tag, sealed) SELECT x'00', app, wish, tag, sealed FROM consents WHERE row = 1")
        #expect(code { _ = try scratch.open() } == .recordsMismatch)
        do {
            let items = try scratch.open(acceptingLosses: true).items
            #expect(try items.houseRows == Self.rows && items.quarantined == 1)
        }
        #expect(try scratch.open().items.verify().doRecordsHold)
    }

    // MARK: Damage

    @Test(
        "names, tags and indexes that were altered are worked out anew from what the seals say",
        arguments: [
            "UPDATE consents SET name = x'00' WHERE row = 2", "UPDATE consents SET app = x'00112233' WHERE row = 2",
            "UPDATE consents SET program = NULL WHERE row = 3", "UPDATE consents SET program = app WHERE row = 2",
            "UPDATE consents SET wish = app WHERE row = 2", "UPDATE makers SET app = name",
            "UPDATE makers SET name = app WHERE row = 1",
            "UPDATE allowances SET name = x'01' WHERE row = 1", "UPDATE allowances SET tag = zeroblob(16) WHERE row = 2",
            "UPDATE consents SET tag = x'' WHERE row = 5",
            "UPDATE consents SET name = CASE row WHEN 1 THEN x'01' ELSE x'02' END WHERE row < 3",
        ])
    func mended(_ damage: String) throws {
        try scratch.sql(damage)
        do {
            let items = try scratch.open().items
            #expect(try items.houseRows == Self.rows && items.quarantined == 0)
            #expect(try items.consents(.on("org.one", .group("team"))).map(\.known.verdict) == [.denied])
            #expect(try items.countConsents(.tied("/usr/bin/bank")) == 1 && items.verify().isSound)
        }
        #expect(try scratch.open().items.verify().isSound)
    }

    @Test("a row that doesn't open is set apart when it is looked for, and its place is free", arguments: columns.keys.sorted())
    func damaged(_ table: String) throws {
        try scratch.sql("UPDATE \(table) SET sealed = zeroblob(length(sealed)) WHERE row = 1")
        let lost = try #require(Self.rows.first { type(of: $0.form).table.name == table })
        let found = try scratch.sql("SELECT hex(sealed) FROM \(table) WHERE row = 1")
        do {
            let items = try scratch.open().items
            #expect(items.quarantined == 0)
            #expect(try items.houseRows == Self.rows.filter { $0 != lost } && items.quarantined == 1)
            try items.keep(lost)
        }
        // It is kept as it was found.
        #expect(try scratch.sql("SELECT hex(attributes) FROM quarantine") == found && found.count == 1)
        let items = try scratch.open().items
        #expect(try Set(items.houseRows) == Set(Self.rows) && items.quarantined == 1 && items.verify().doRecordsHold)
    }

    @Test("a damaged row gives way to a new one even before anybody found the damage")
    func givesWay() throws {
        try scratch.sql("UPDATE consents SET sealed = x'00' WHERE row = 2")
        let items = try scratch.open().items
        try items.keep(Self.rows[1])
        #expect(try items.quarantined == 1 && items.countConsents(.all) == 5 && items.verify().doRecordsHold)
        #expect(try items.consents(.on("org.one", .group("team"))).count == 1)
    }

    @Test("verify finds the damage that nobody asked for yet")
    func verify() throws {
        try scratch.sql("UPDATE makers SET sealed = x'00' WHERE row = 2")
        let report = try scratch.open().items.verify()
        #expect(report.houseRows == Self.rows.count - 1 && report.quarantined == 1 && report.doRecordsHold)
    }

    @Test("one wrong bit anywhere in a row never gives another word, and loses at most that row")
    func bits() throws {
        let file = try scratch.bytes("items.db")
        let keybag = try scratch.bytes("keybag")
        // The page with the words, by the tag of one.
        let tag = try scratch.sql("SELECT hex(tag) FROM consents WHERE row = 2")[0]
        let bytes = stride(from: 0, to: 32, by: 2).map { place in
            UInt8(tag.dropFirst(place).prefix(2), radix: 16) ?? 0
        }
        let page = try #require(Data(file).range(of: Data(bytes))).lowerBound / 4096 * 4096
        let cells = try #require(file[page..<page + 4096].dropFirst(64).firstIndex { $0 != 0 })
        var refused = 0
        let places = Array(stride(from: cells, to: page + 4096, by: 3))
        for place in places {
            let copy = try Scratch()
            try copy.write(keybag, "keybag")
            var wrong = file
            wrong[place] ^= 1 << (place % 8)
            try copy.write(wrong, "items.db")
            do {
                let items = try copy.open().items
                let found = try items.houseRows
                #expect(found.allSatisfy(Self.rows.contains), "at \(place - page)")
                #expect(Self.rows.count - found.count <= 1, "at \(place - page)")
                #expect(found.count + items.quarantined == Self.rows.count, "at \(place - page)")
                #expect(try items.verify().doRecordsHold, "at \(place - page)")
            } catch is StorageError {
                refused += 1
                #expect(try copy.bytes("items.db") == wrong, "at \(place - page)")
            }
        }
        // What tells where a row's parts begin.
        #expect(refused * 10 <= places.count, "\(refused) of \(places.count)")
    }
}
