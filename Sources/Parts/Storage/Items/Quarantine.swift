import ThumbKeychain
import ThumbSQLite

// Damaged items and rows are set apart, with their bytes as found, so that everything else goes on.

extension ItemDatabase {
    /// How many damaged items and rows are known: those set apart, and items with a damaged secret.
    public var quarantined: Int { setApart + damagedSecrets.count }

    /// How many items there are, without damaged ones that are set apart.
    public var count: UInt64 { total.records }

    func loadQuarantine() throws {
        setApart = Int(try connection.number("SELECT count(*) FROM quarantine WHERE kind <> 2") ?? 0)
        damagedSecrets = []
        try connection.rows("SELECT id FROM quarantine WHERE kind = 2") {
            if let id = ItemID($0.bytes(0)) { damagedSecrets.insert(id) }
            return true
        }
    }

    /// Sets damaged rows apart.
    func quarantine(_ candidates: [Candidate]) {
        // If this can't be written, the rows stay, and the next query leaves them out again.
        try? transaction { total in
            for candidate in candidates { try moveToQuarantine(candidate, &total) }
        }
    }

    func moveToQuarantine(_ candidate: Candidate, _ total: inout Total) throws {
        let row = SQLiteValue.integer(candidate.row)
        try connection.run(
            """
            INSERT INTO quarantine(kind, id, generation, attributes, secret)
            SELECT 1, r.id, r.generation, c.attributes, c.secret FROM records r LEFT JOIN contents c ON c.row = r.row
            WHERE r.row = ?
            """, row)
        try connection.run("DELETE FROM lookups WHERE row = ?", row)
        try connection.run("DELETE FROM records WHERE row = ?", row)
        try total.subtract(candidate.id, candidate.generation, key: recordsKey)
        settingApart += 1
    }

    /// Notes an item whose secret doesn't open. It stays where it is until it is replaced or removed.
    func noteDamagedSecret(_ id: ItemID) {
        guard damagedSecrets.insert(id).inserted, !isWriting else { return }
        // If this can't be written, it is noted in memory only, and found again after the next start.
        try? transaction { _ in
            try connection.run("INSERT INTO quarantine(kind, id) VALUES(2, ?)", .bytes(id.bytes))
        }
    }
}
