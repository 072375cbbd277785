internal import ThumbSignIn

/// The tables in SQLite: reading what a batch names, writing what became of it.
struct SQLiteTables {
    /// How much a deed forgets (docs/LEDGERS.md).
    static let mostForgotten: Int64 = 1_000

    let connection: SQLiteConnection

    // Reading

    func read(_ footprint: Footprint) throws(LedgerFailure) -> Rows {
        var rows = Rows()
        for account in footprint.accounts.all { try readAccount(account, &rows) }
        for owner in footprint.owners { try readDevices("account = ?1", .text(owner.text), &rows) }
        for device in footprint.devices.all { try readDevices("device = ?1", .bytes(device.digest.bytes), &rows) }
        for challenge in footprint.challenges { try readChallenge(challenge, &rows) }
        for token in footprint.sessions.all { try readSession(token, &rows) }
        return rows
    }

    private func readAccount(_ account: AccountName, _ rows: inout Rows) throws(LedgerFailure) {
        let sql = "SELECT salt, passes, kibibytes, hash, misses, attempts_from FROM accounts WHERE account = ?1"
        try connection.rows(sql, [.text(account.text)]) { (row: borrowing SQLiteRow) throws(LedgerFailure) in
            let password = StretchedPassword(
                salt: row.bytes(0), passes: try Decoding.cost(row.integer(1)), kibibytes: try Decoding.cost(row.integer(2)),
                hash: row.bytes(3))
            let found = AccountRow(
                password: password, misses: row.integer(4), attemptsFrom: Moment(seconds: row.integer(5)))
            rows.accounts.found(found, as: account)
        }
    }

    private func readDevices(_ condition: String, _ key: SQLiteValue, _ rows: inout Rows) throws(LedgerFailure) {
        let sql = """
            SELECT number, device, account, key, name, protection, registered, last_used, revoked FROM devices WHERE \(condition)
            """
        try connection.rows(sql, [key]) { (row: borrowing SQLiteRow) throws(LedgerFailure) in
            let id = DeviceID(try Decoding.digest(row.bytes(1)))
            let record = DeviceRecord(
                id: id, key: row.bytes(3), name: row.text(4), unverifiedProtection: row.text(5),
                registered: Moment(seconds: row.integer(6)), lastUsed: Self.moment(row, 7), revoked: Self.moment(row, 8))
            let account = try Decoding.account(row.text(2))
            rows.devices.found(DeviceRow(account: account, number: row.integer(0), record: record), as: id)
        }
    }

    private func readChallenge(_ challenge: Digest32, _ rows: inout Rows) throws(LedgerFailure) {
        let sql = "SELECT account, purpose, expires, used FROM challenges WHERE digest = ?1"
        try connection.rows(sql, [.bytes(challenge.bytes)]) { (row: borrowing SQLiteRow) throws(LedgerFailure) in
            let found = ChallengeRow(
                account: try Decoding.account(row.text(0)), purpose: try Decoding.purpose(row.text(1)),
                expires: Moment(seconds: row.integer(2)), used: Self.moment(row, 3))
            rows.challenges.found(found, as: challenge)
        }
    }

    private func readSession(_ token: Digest32, _ rows: inout Rows) throws(LedgerFailure) {
        let sql = """
            SELECT sessions.account, kind, sessions.device, began, expires, revoked FROM sessions \
            LEFT JOIN devices ON devices.device = sessions.device WHERE token = ?1
            """
        try connection.rows(sql, [.bytes(token.bytes)]) { (row: borrowing SQLiteRow) throws(LedgerFailure) in
            let device = row.isNull(2) ? nil : DeviceID(try Decoding.digest(row.bytes(2)))
            let record = SessionRecord(
                account: try Decoding.account(row.text(0)), kind: try Decoding.kind(row.text(1)), device: device,
                began: Moment(seconds: row.integer(3)), expires: Moment(seconds: row.integer(4)))
            rows.sessions[token] = SessionRow(record: record, isRevoked: !row.isNull(5), stored: token)
        }
    }

    private static func moment(_ row: borrowing SQLiteRow, _ column: Int32) -> Moment? {
        row.isNull(column) ? nil : Moment(seconds: row.integer(column))
    }

    // Writing

    func write(_ rows: Rows) throws(LedgerFailure) {
        try writeAccounts(rows.accounts)
        try writeDevices(rows.devices)
        try writeChallenges(rows.challenges)
        try writeSessions(rows)
        if let before = rows.forgotten { try forget(before) }
    }

    private func writeAccounts(_ accounts: Touched<AccountName, AccountRow>) throws(LedgerFailure) {
        for (account, row) in accounts.additions {
            try connection.run(
                "INSERT INTO accounts VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)", .text(account.text), .bytes(row.password.salt),
                .integer(Int64(row.password.passes)), .integer(Int64(row.password.kibibytes)), .bytes(row.password.hash),
                .integer(row.misses), .integer(row.attemptsFrom.seconds))
        }
        for (account, row) in accounts.changes {
            try one(
                connection.run(
                    "UPDATE accounts SET misses = ?2, attempts_from = ?3 WHERE account = ?1", .text(account.text),
                    .integer(row.misses), .integer(row.attemptsFrom.seconds)))
        }
    }

    private func writeDevices(_ devices: Touched<DeviceID, DeviceRow>) throws(LedgerFailure) {
        for (device, row) in devices.additions {
            let record = row.record
            try connection.run(
                "INSERT INTO devices VALUES(NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)", .bytes(device.digest.bytes),
                .text(row.account.text), .bytes(record.key), .text(record.name), .text(record.unverifiedProtection),
                .integer(record.registered.seconds), Self.value(record.lastUsed), Self.value(record.revoked))
        }
        for (device, row) in devices.changes {
            try one(
                connection.run(
                    "UPDATE devices SET name = ?2, last_used = ?3, revoked = ?4 WHERE device = ?1", .bytes(device.digest.bytes),
                    .text(row.record.name), Self.value(row.record.lastUsed), Self.value(row.record.revoked)))
        }
    }

    private func writeChallenges(_ challenges: Touched<Digest32, ChallengeRow>) throws(LedgerFailure) {
        for (digest, row) in challenges.additions {
            try connection.run(
                "INSERT INTO challenges VALUES(NULL, ?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING", .bytes(digest.bytes),
                .text(row.account.text), .text(row.purpose.rawValue), .integer(row.expires.seconds), Self.value(row.used))
        }
        for (digest, row) in challenges.changes {
            try one(
                connection.run(
                    "UPDATE challenges SET used = ?2 WHERE digest = ?1 AND used IS NULL", .bytes(digest.bytes),
                    Self.value(row.used)))
        }
    }

    private func writeSessions(_ rows: Rows) throws(LedgerFailure) {
        for token in rows.ended { try one(connection.run("DELETE FROM sessions WHERE token = ?1", .bytes(token.bytes))) }
        for (old, new, expires) in rows.renewedSessions {
            try one(
                connection.run(
                    "UPDATE sessions SET token = ?2, expires = ?3 WHERE token = ?1", .bytes(old.bytes), .bytes(new.bytes),
                    .integer(expires.seconds)))
        }
        for (token, record) in rows.newSessions {
            try connection.run(
                "INSERT INTO sessions VALUES(NULL, ?1, ?2, ?3, ?4, ?5, ?6)", .bytes(token.bytes), .text(record.account.text),
                .text(record.kind.rawValue), record.device.map { .bytes($0.digest.bytes) } ?? .null,
                .integer(record.began.seconds), .integer(record.expires.seconds))
        }
    }

    private func forget(_ before: Moment) throws(LedgerFailure) {
        for table in ["challenges", "sessions"] {
            try connection.run(
                """
                DELETE FROM \(table) WHERE number IN \
                (SELECT number FROM \(table) WHERE expires < ?1 ORDER BY expires LIMIT \(Self.mostForgotten))
                """, .integer(before.seconds))
        }
    }

    /// A row that was read in this transaction is there, as it was: anything else is damage, and nothing of the batch is done.
    private func one(_ changed: Int) throws(LedgerFailure) {
        guard changed == 1 else { throw .unusable("SQLite: a row changed under a transaction of its own") }
    }

    private static func value(_ moment: Moment?) -> SQLiteValue { moment.map { .integer($0.seconds) } ?? .null }
}
