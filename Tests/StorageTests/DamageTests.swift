import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbKeychain

@testable import ThumbStorage

@Suite struct DamageTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try Store.filled(scratch, ["a", "b", "c"])
    }

    private func flip(_ column: String, _ table: String = "contents", row: Int = 2) -> String {
        // The last byte, whatever it is, becomes another.
        """
        UPDATE \(table) SET \(column) = CAST(substr(\(column), 1, length(\(column)) - 1) ||
        CASE WHEN substr(\(column), -1) = x'00' THEN x'01' ELSE x'00' END AS BLOB) WHERE row = \(row)
        """
    }

    @Test("an item whose attributes don't open is set apart, the others go on, its names are free")
    func attributes() throws {
        try scratch.sql(flip("attributes"))
        let whole = "hex(id) || '/' || generation || '/' || hex(attributes) || '/' || hex(secret)"
        let found = try scratch.sql("SELECT \(whole) FROM contents WHERE row = 2")
        do {
            let store = try scratch.open()
            #expect(try store.accounts == ["a", "c"])
            #expect(store.items.quarantined == 1)
            try store.items.insert(item("b"), secret: secret("again"))
        }
        // All of it is kept as it was found, for whoever can repair it.
        #expect(try scratch.sql("SELECT \(whole) FROM quarantine WHERE kind = 1") == found && found.count == 1)
        let store = try scratch.open()
        #expect(try store.accounts == ["a", "c", "b"])
        #expect(store.items.quarantined == 1)
        #expect(try store.items.text(of: try #require(try store.items.find(account: "b"))) == "again")
        #expect(try store.items.verify().quarantined == 1)
        #expect(try store.items.verify().doRecordsHold)
    }

    @Test("a damaged item gives up its names to a new one even before anybody found the damage")
    func vacated() throws {
        try scratch.sql(flip("attributes"))
        let store = try scratch.open()
        try store.items.insert(item("b"), secret: nil)
        #expect(store.items.quarantined == 1)
        #expect(try store.accounts == ["a", "c", "b"])
    }

    @Test("an item whose secret doesn't open says so until it is replaced")
    func secretDamaged() throws {
        try scratch.sql(flip("secret"))
        do {
            let store = try scratch.open()
            #expect(try store.accounts == ["a", "b", "c"])
            let b = try #require(try store.items.find(account: "b"))
            #expect(throws: KeychainFailure.damaged) { try store.items.secret(of: b) }
            #expect(store.items.quarantined == 1)
            #expect(try store.items.text(of: try #require(try store.items.find(account: "a"))) == "secret of a")
        }
        let store = try scratch.open()
        #expect(store.items.quarantined == 1)
        var b = try #require(try store.items.find(account: "b"))
        b.generation += 1
        #expect(throws: KeychainFailure.damaged) { try store.items.replace([(b, nil)]) }
        try store.items.replace([(b, secret("new"))])
        #expect(try store.items.text(of: b) == "new")
        #expect(store.items.quarantined == 0)
        #expect(try store.items.verify().isSound)
    }

    /// The item whose secret doesn't open, once that was seen.
    private func damaged(_ store: Store) throws -> StoredItem {
        let b = try #require(try store.items.find(account: "b"))
        #expect(throws: KeychainFailure.damaged) { try store.items.secret(of: b) }
        #expect(store.items.quarantined == 1)
        return b
    }

    /// What mends an item whose secret doesn't open.
    enum Mend: CaseIterable {
        case replaced, exchanged, imported

        func callAsFunction(_ items: ItemDatabase, _ old: StoredItem) throws {
            var next = old
            next.generation += 1
            switch self {
            case .replaced: try items.replace([(next, secret("new"))])
            case .exchanged: try items.exchange(old, for: item("b"), secret: secret("new"), applicationKey: nil)
            case .imported: try items.write(adding: [], replacing: [(next, secret("new"))])
            }
        }
    }

    @Test("an item whose secret didn't open is no damage once it has another, now and after a restart", arguments: Mend.allCases)
    func mendedForGood(mend: Mend) throws {
        try scratch.sql(flip("secret"))
        do {
            let store = try scratch.open()
            let b = try damaged(store)
            try mend(store.items, b)
            #expect(store.items.quarantined == 0)
        }
        let store = try scratch.open()
        #expect(try store.items.quarantined == 0 && store.items.verify().isSound)
        #expect(try store.items.text(of: try #require(try store.items.find(account: "b"))) == "new")
    }

    @Test("an item whose secret doesn't open counts as damage until it is removed, and not again after a restart")
    func damagedAndRemoved() throws {
        try scratch.sql(flip("secret"))
        do {
            let store = try scratch.open()
            let b = try damaged(store)
            try store.items.remove([b])
            #expect(store.items.quarantined == 0)
        }
        let store = try scratch.open()
        #expect(try store.items.quarantined == 0 && store.items.verify().isSound)
    }

    @Test("a secret that was taken away is damage, not an item without data")
    func secretTakenAway() throws {
        try scratch.sql("UPDATE contents SET secret = NULL WHERE row = 2")
        let store = try scratch.open()
        let b = try #require(try store.items.find(account: "b"))
        #expect(throws: KeychainFailure.damaged) { try store.items.secret(of: b) }
    }

    @Test("verify finds what nobody asked for yet")
    func verify() throws {
        try scratch.sql(flip("attributes", row: 1))
        try scratch.sql(flip("secret", row: 3))
        let report = try scratch.open().items.verify()
        #expect(report.items == 2 && report.quarantined == 2 && report.doRecordsHold && report.isFileSound)
    }

    @Test(
        "a damaged record is mended from its copy, because the total proves it",
        arguments: [
            "UPDATE records SET generation = 77 WHERE row = 2",
            "UPDATE records SET id = x'00112233445566778899aabbccddeeff' WHERE row = 2",
            "DELETE FROM records WHERE row = 2", "UPDATE records SET generation = -1, uniqueness = NULL WHERE row = 2",
            // It still has the id and the name of the record that has to come back.
            "UPDATE records SET row = 7, generation = 77 WHERE row = 2",
        ])
    func mended(damage: String) throws {
        try scratch.sql(damage)
        let store = try scratch.open()
        #expect(try store.accounts == ["a", "b", "c"])
        #expect(try store.items.text(of: try #require(try store.items.find(account: "b"))) == "secret of b")
        #expect(store.items.quarantined == 0)
        #expect(try store.items.verify().isSound)
    }

    @Test("lookups that were taken away or moved are found by verify, and never show another item")
    func lookups() throws {
        try scratch.sql("UPDATE lookups SET row = 1 WHERE row = 2 AND mac NOT IN (SELECT mac FROM lookups WHERE row = 1)")
        let store = try scratch.open()
        #expect(try store.items.find(account: "b") == nil)
        #expect(try store.items.find([.account: .text("b"), .service: .text("mail")]) == [])
        #expect(try store.items.verify().misfiled > 0)
    }

    // MARK: What somebody put back

    /// A row as SQL literals, to be put back later.
    private func saved(_ table: String, _ columns: String) throws -> String {
        let quoted = columns.split(separator: ",").map { "quote(\($0))" }.joined(separator: " || ',' || ")
        return try scratch.sql("SELECT \(quoted) FROM \(table) WHERE row = 2")[0]
    }

    private func change() throws {
        let store = try scratch.open()
        var b = try #require(try store.items.find(account: "b"))
        b.generation += 1
        b.attributes[.label] = .text("changed")
        try store.items.replace([(b, secret("new"))])
    }

    @Test("old attributes put back don't open")
    func oldAttributes() throws {
        let old = try saved("contents", "attributes")
        try change()
        try scratch.sql("UPDATE contents SET attributes = \(old) WHERE row = 2")
        let store = try scratch.open()
        #expect(try store.accounts == ["a", "c"])
        #expect(store.items.quarantined == 1)
    }

    @Test("an old secret put back doesn't open")
    func oldSecret() throws {
        let old = try saved("contents", "secret")
        try change()
        try scratch.sql("UPDATE contents SET secret = \(old) WHERE row = 2")
        let store = try scratch.open()
        let b = try #require(try store.items.find(account: "b"))
        #expect(throws: KeychainFailure.damaged) { try store.items.secret(of: b) }
    }

    @Test("an old item put back whole, with its record, is refused at opening until the owner gives in")
    func oldRecord() throws {
        let record = try saved("records", "row,id,generation,uniqueness")
        let contents = try saved("contents", "row,id,generation,attributes,secret")
        try change()
        try scratch.sql("REPLACE INTO records VALUES(\(record))")
        try scratch.sql("REPLACE INTO contents VALUES(\(contents))")
        #expect(code { _ = try scratch.open() } == .recordsMismatch)
        #expect(code { _ = try scratch.open() } == .recordsMismatch)
        do {
            let store = try scratch.open(acceptingLosses: true)
            #expect(try store.accounts == ["a", "b", "c"])
        }
        #expect(try scratch.open().items.verify().doRecordsHold)
    }

    @Test("a removed item put back whole is refused at opening")
    func resurrected() throws {
        let record = try saved("records", "row,id,generation,uniqueness")
        let contents = try saved("contents", "row,id,generation,attributes,secret")
        try {
            let store = try scratch.open()
            try store.items.remove([try #require(try store.items.find(account: "b"))])
        }()
        try scratch.sql("INSERT INTO records VALUES(\(record))")
        try scratch.sql("INSERT INTO contents VALUES(\(contents))")
        #expect(code { _ = try scratch.open() } == .recordsMismatch)
    }

    @Test("an item taken away whole is refused at opening; the owner may accept the loss")
    func takenAway() throws {
        try scratch.sql("DELETE FROM contents WHERE row = 2")
        try scratch.sql("DELETE FROM records WHERE row = 2")
        #expect(code { _ = try scratch.open() } == .recordsMismatch)
        #expect(try scratch.open(acceptingLosses: true).accounts == ["a", "c"])
        #expect(try scratch.open().accounts == ["a", "c"])
    }

    @Test("contents exchanged between two items open for neither")
    func exchanged() throws {
        try scratch.sql("UPDATE contents SET row = -row WHERE row < 3")
        try scratch.sql("UPDATE contents SET row = 3 + row WHERE row < 0")
        let store = try scratch.open()
        #expect(try store.accounts == ["c"])
        #expect(store.items.quarantined == 2)
    }

    @Test("secrets exchanged between two items open for neither")
    func exchangedSecrets() throws {
        let secrets = try scratch.sql("SELECT quote(secret) FROM contents WHERE row < 3 ORDER BY row")
        for (row, secret) in zip([2, 1], secrets) {
            try scratch.sql("UPDATE contents SET secret = \(secret) WHERE row = \(row)")
        }
        let store = try scratch.open()
        for account in ["a", "b"] {
            let found = try #require(try store.items.find(account: account))
            #expect(throws: KeychainFailure.damaged) { try store.items.secret(of: found) }
        }
    }

    @Test("records exchanged between two items open neither, and the total still holds")
    func exchangedRecords() throws {
        try scratch.sql("UPDATE records SET row = -row WHERE row < 3")
        try scratch.sql("UPDATE records SET row = 3 + row WHERE row < 0")
        do {
            let store = try scratch.open()
            #expect(try store.accounts == ["c"])
            #expect(store.items.quarantined == 2)
        }
        #expect(try scratch.open().items.verify().doRecordsHold)
    }

    // MARK: Counters and total

    @Test("counters of misses survive a restart")
    func misses() throws {
        try {
            let store = try scratch.open()
            #expect(store.items.attempts == Attempts())
            try store.items.commit(Attempts(biometric: 3, passcode: 2))
            #expect(store.items.attempts == Attempts(biometric: 3, passcode: 2))
        }()
        #expect(try scratch.open().items.attempts == Attempts(biometric: 3, passcode: 2))
    }

    @Test(
        "counters that were damaged, taken away or put back count as locked out and say so",
        arguments: [
            "UPDATE state SET sealed = zeroblob(length(sealed)) WHERE name = 2", "DELETE FROM state WHERE name = 2", "old",
        ])
    func missesDamaged(damage: String) throws {
        let old = try scratch.sql("SELECT quote(sealed) FROM state WHERE name = 2")[0]
        try scratch.open().items.commit(Attempts(biometric: 4, passcode: 1))
        try scratch.sql(damage == "old" ? "UPDATE state SET sealed = \(old) WHERE name = 2" : damage)
        do {
            let store = try scratch.open()
            #expect(store.items.attempts.isBiometryLocked && store.items.attempts.passcodeDelay >= 3600)
            #expect(store.items.wasLedgerDamaged)
            #expect(try store.accounts == ["a", "b", "c"])
            #expect(try !store.items.verify().areMissesSound)
            try store.items.commit(Attempts())
            #expect(!store.items.wasLedgerDamaged)
        }
        #expect(try scratch.open().items.attempts == Attempts())
    }

    @Test("a total that was damaged or put back is refused at opening", arguments: [true, false])
    func total(putBack: Bool) throws {
        let old = try scratch.sql("SELECT quote(sealed) FROM state WHERE name = 1")[0]
        try change()
        try scratch.sql("UPDATE state SET sealed = \(putBack ? old : "x'00'") WHERE name = 1")
        #expect(code { _ = try scratch.open() } == .recordsMismatch)
        #expect(try scratch.open(acceptingLosses: true).accounts == ["a", "b", "c"])
        #expect(try scratch.open().items.verify().isFileSound)
    }
}
