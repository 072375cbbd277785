import ThumbAccess
import ThumbKeychain
import ThumbSQLite

// Whether the records add up, and how to repair them. The total decides, so nothing is guessed.

extension ItemDatabase {
    /// Counts and adds all records, and repairs them if they don't give the total.
    ///
    /// A record is repaired if its seal opens under the copy of its id and generation, and all records together give the total. Otherwise
    /// this fails with `recordsMismatch`, unless the owner accepts the loss: then the records that open stay, and the others are set apart.
    func checkRecords(acceptingLosses: Bool) throws {
        if try recordsHold() { return }
        let readings = try readings()
        var sum = Total()
        for reading in readings {
            if let sealed = reading.sealed {
                try sum.add(sealed.item.id.bytes, sealed.item.generation, key: recordsKey)
            }
        }
        guard (sum.records, sum.sum) == (total.records, total.sum) || acceptingLosses else {
            throw StorageError(.recordsMismatch, "a record was lost, altered or put back")
        }
        try transaction { total in
            // Unreadable ones go first: a record under a wrong row still has the name of the one that has to come back.
            for reading in readings where reading.sealed == nil { try mend(reading) }
            for reading in readings where reading.sealed != nil { try mend(reading) }
            (total.records, total.sum) = (sum.records, sum.sum)
        }
    }

    /// Whether all records together give the total.
    func recordsHold() throws -> Bool {
        var sum = Total()
        try connection.rows("SELECT id, generation FROM records") {
            try sum.add($0.bytes(0), UInt64(bitPattern: $0.integer(1)), key: recordsKey)
            return true
        }
        return (sum.records, sum.sum) == (total.records, total.sum)
    }

    /// A row, as far as its seal confirms it; nil if it opens neither under its record nor under the copy.
    private struct Reading {
        let row: Int64
        let sealed: SealedItem?
        let isRecordRight: Bool
    }

    private func readings() throws -> [Reading] {
        var readings: [Reading] = []
        try connection.rows(
            """
            SELECT r.row, r.id, r.generation, c.attributes, c.id, c.generation FROM records r LEFT JOIN contents c ON c.row = r.row
            UNION ALL SELECT c.row, NULL, 0, c.attributes, c.id, c.generation FROM contents c
            WHERE NOT EXISTS (SELECT 1 FROM records r WHERE r.row = c.row) ORDER BY 1
            """
        ) {
            let candidate = Candidate($0)
            let copy = Candidate(
                row: candidate.row, id: $0.bytes(4), generation: UInt64(bitPattern: $0.integer(5)),
                attributes: candidate.attributes)
            let byRecord = try undamaged { try open(candidate) }
            let sealed = try byRecord ?? undamaged { try open(copy) }
            readings.append(Reading(row: candidate.row, sealed: sealed, isRecordRight: byRecord != nil))
            return true
        }
        return readings
    }

    private func mend(_ reading: Reading) throws {
        let row = SQLiteValue.integer(reading.row)
        guard let item = reading.sealed?.item else {
            // The usual way would pass over contents without a record.
            try connection.run(
                """
                INSERT INTO quarantine(kind, id, generation, attributes, secret) SELECT 1, id, generation, attributes, secret
                FROM contents WHERE row = ?
                """, row)
            try connection.run("DELETE FROM lookups WHERE row = ?", row)
            try connection.run("DELETE FROM contents WHERE row = ?", row)
            settingApart += 1
            return try connection.run("DELETE FROM records WHERE row = ?", row)
        }
        guard !reading.isRecordRight else { return }
        let uniqueness = SQLiteValue.bytes(try index.uniqueness(item))
        if try connection.number("SELECT 1 FROM records WHERE row = ?", row) == nil {
            // The record is gone altogether, and maybe its lookups too.
            try connection.run(
                "INSERT INTO records(row, id, generation, uniqueness) VALUES(?, ?, ?, ?)", row, .bytes(item.id.bytes),
                .integer(Int64(bitPattern: item.generation)), uniqueness)
            for mac in try index.lookups(item) { try addLookup(mac, reading.row) }
        } else {
            try connection.run(
                "UPDATE records SET id = ?, generation = ?, uniqueness = ? WHERE row = ?", .bytes(item.id.bytes),
                .integer(Int64(bitPattern: item.generation)), uniqueness, row)
        }
    }
}

// The indexes by which items are found. One wrong bit in them would hide every item sorted after it. All of it can be rebuilt.

extension ItemDatabase {
    /// Whether SQLite finds records and lookups in order. If not, rebuilds the records' own indexes.
    func mendIndexes() throws -> Bool {
        for table in ["records", "lookups"] {
            guard try connection.isSound(table) else {
                try connection.run("REINDEX records")
                return false
            }
        }
        return true
    }

    /// Rebuilds each item's name and lookups. A damaged item has none until it is found and set apart.
    func refile() throws {
        try transaction { _ in
            try connection.run("DELETE FROM lookups")
            var items: [(row: Int64, item: StoredItem)] = []
            try connection.rows(Self.everything) {
                let candidate = Candidate($0)
                if let sealed = try undamaged({ try open(candidate) }) { items.append((candidate.row, sealed.item)) }
                return true
            }
            for (row, item) in items {
                try connection.run(
                    "UPDATE records SET uniqueness = ? WHERE row = ?", .bytes(try index.uniqueness(item)), .integer(row))
                for mac in try index.lookups(item) { try addLookup(mac, row) }
            }
        }
    }
}

/// What a check of everything found.
public struct StoreReport: Sendable, Equatable {
    /// Items whose attributes open.
    public var items = 0
    /// Rows of the house's own tables that open.
    public var houseRows = 0
    /// Damaged items and rows that are set apart, and items with a damaged secret.
    public var quarantined = 0
    /// Secrets that couldn't be tried because their class key isn't available.
    public var untried = 0
    /// Items and rows that the lookups or the uniqueness would not find, or not under their own name.
    public var misfiled = 0
    /// Whether all records, and all of the house's rows, together give the total.
    public var doRecordsHold = true
    /// Whether SQLite finds its own structures intact.
    public var isFileSound = true
    /// Whether the counters of misses are as they were written.
    public var areMissesSound = true

    /// Whether there is nothing to report.
    public var isSound: Bool {
        quarantined == 0 && misfiled == 0 && doRecordsHold && isFileSound && areMissesSound
    }
}

extension ItemDatabase {
    /// Opens every seal and compares every lookup. This is for the doctor, not for each start. Damaged items go into quarantine.
    ///
    /// Fails only if the file can't be read.
    public func verify() throws(StorageError) -> StoreReport {
        try storing {
            var report = StoreReport()
            report.areMissesSound = !wasLedgerDamaged
            report.doRecordsHold = try recordsHold() && houseHolds()
            report.isFileSound = try connection.isSound()
            var (damaged, secrets, expected): ([Candidate], [ItemID], [(Int64, Set<[UInt8]>)]) = ([], [], [])
            try connection.rows(Self.everything) {
                let candidate = Candidate($0)
                guard let sealed = try undamaged({ try open(candidate) }) else {
                    damaged.append(candidate)
                    return true
                }
                report.items += 1
                if try $0.optionalBytes(5) != index.uniqueness(sealed.item) { report.misfiled += 1 }
                expected.append((candidate.row, try index.lookups(sealed.item)))
                guard sealed.item.hasSecret, isAlive(sealed) else { return true }
                // Only the app itself can try a secret that its own password is mixed into.
                guard !sealed.item.rule.constraints.contains(.applicationPassword) else {
                    report.untried += 1
                    return true
                }
                if let key = keybag.classKey(sealed.item.rule.accessibility.keyClass) {
                    let box = $0.optionalBytes(4)
                    let secret = try undamaged {
                        guard let box else { throw Damage() }
                        return try seals.open(box, of: sealed, under: key.secrets, applicationKey: nil)
                    }
                    if secret == nil { secrets.append(sealed.item.id) }
                } else {
                    report.untried += 1
                }
                return true
            }
            if !damaged.isEmpty { quarantine(damaged) }
            for id in secrets { noteDamagedSecret(id) }
            report.misfiled += try misfiled(expected)
            try verifyHouse(&report)
            report.quarantined = quarantined
            return report
        }
    }

    private func misfiled(_ expected: [(row: Int64, macs: Set<[UInt8]>)]) throws -> Int {
        var (wrong, rows): (Int, Int64) = (0, 0)
        for (row, macs) in expected {
            var found = 0
            for mac in macs {
                let sql = "SELECT 1 FROM lookups WHERE mac = ? AND row = ?"
                if try connection.number(sql, .bytes(mac), .integer(row)) != nil { found += 1 }
            }
            if found < macs.count { wrong += 1 }
            rows += Int64(found)
        }
        // Rows beyond those of all items lead nowhere, but we didn't write them.
        let strays = (try connection.number("SELECT count(*) FROM lookups") ?? 0) - rows
        return wrong + Int(max(strays, 0))
    }
}
