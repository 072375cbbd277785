import ThumbSQLite
import ThumbSignIn

/// The tables in SQLite: reading the rows that a batch names, and writing its results.
struct SQLiteTables {
    /// How much one deed forgets at most (docs/contributors/ledgers.md).
    static let mostForgotten: Int64 = 1_000

    let connection: LedgerConnection

    // Reading

    func read(_ footprint: Footprint, at now: Moment) throws(LedgerFailure) -> Rows {
        var rows = Rows()
        for account in footprint.accounts.all { try readAccount(account, &rows) }
        for owner in footprint.owners { try readDevices("account = ?1", .text(owner.text), &rows) }
        for device in footprint.devices.all { try readDevices("device = ?1", .bytes(device.digest.bytes), &rows) }
        for challenge in footprint.challenges { try readChallenge(challenge, &rows) }
        for token in footprint.sessions.all {
            let found = try readSessions("token = ?1", [.bytes(token.bytes)])
            for row in found { rows.found(row) }
        }
        for name in footprint.named {
            let found = try readSessions(
                "sessions.account = ?1 AND began = ?2 AND tag = ?3",
                [.text(name.account.text), .integer(name.id.began.seconds), .bytes(name.id.tag)])
            for row in found { rows.found(row) }
        }
        for holder in footprint.holders {
            rows.listedSessions[holder] = try readSessions(
                """
                sessions.account = ?1 AND expires > ?2 AND revoked IS NULL AND locked IS NULL AND accounts.account IS NOT NULL \
                ORDER BY began DESC LIMIT \(SignInLimit.listedSessions)
                """, [.text(holder.text), .integer(now.seconds)]
            ).map(\.record)
        }
        for page in footprint.pages { rows.listedAccounts[page] = try readAccounts(page) }
        return rows
    }

    private func readAccount(_ account: AccountName, _ rows: inout Rows) throws(LedgerFailure) {
        let sql = "SELECT salt, passes, kibibytes, hash, misses, attempts_from, locked FROM accounts WHERE account = ?1"
        try connection.rows(sql, [.text(account.text)]) { (row: borrowing SQLiteRow) throws(LedgerFailure) in
            let password = try Decoding.password(
                salt: row.bytes(0), passes: row.integer(1), kibibytes: row.integer(2), hash: row.bytes(3))
            let found = AccountRow(
                password: password, misses: row.integer(4), attemptsFrom: Moment(seconds: row.integer(5)),
                locked: Self.moment(row, 6))
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

    private func readSessions(_ condition: String, _ keys: [SQLiteValue]) throws(LedgerFailure) -> [SessionRow] {
        let sql = """
            SELECT token, sessions.account, kind, sessions.device, began, expires, tag, revoked, accounts.account, locked \
            FROM sessions LEFT JOIN devices ON devices.device = sessions.device \
            LEFT JOIN accounts ON accounts.account = sessions.account WHERE \(condition)
            """
        var found: [SessionRow] = []
        try connection.rows(sql, keys) { (row: borrowing SQLiteRow) throws(LedgerFailure) in
            let device = row.isNull(3) ? nil : DeviceID(try Decoding.digest(row.bytes(3)))
            let record = SessionRecord(
                account: try Decoding.account(row.text(1)), kind: try Decoding.kind(row.text(2)), device: device,
                began: Moment(seconds: row.integer(4)), expires: Moment(seconds: row.integer(5)),
                tag: try Decoding.tag(row.bytes(6)))
            let isBlocked = !row.isNull(7) || row.isNull(8) || !row.isNull(9)
            found.append(SessionRow(record: record, isBlocked: isBlocked, stored: try Decoding.digest(row.bytes(0))))
        }
        return found
    }

    private func readAccounts(_ page: Footprint.Page) throws(LedgerFailure) -> [AccountSummary] {
        let sql = """
            SELECT account, hash, locked, \
            (SELECT count(*) FROM devices WHERE devices.account = accounts.account AND revoked IS NULL) \
            FROM accounts WHERE account > ?1 ORDER BY account LIMIT \(SignInLimit.listedAccounts)
            """
        var found: [AccountSummary] = []
        try connection.rows(sql, [.text(page.after?.text ?? "")]) { (row: borrowing SQLiteRow) throws(LedgerFailure) in
            found.append(
                AccountSummary(
                    account: try Decoding.account(row.text(0)), hasPassword: !row.bytes(1).isEmpty,
                    devices: Int(row.integer(3)), locked: Self.moment(row, 2)))
        }
        return found
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
        for account in accounts.removed {
            try one(connection.run("DELETE FROM accounts WHERE account = ?1", .text(account.text)))
        }
        for (account, row) in accounts.additions {
            let password = row.kept
            try connection.run(
                "INSERT INTO accounts VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)", .text(account.text), .bytes(password.salt),
                .integer(Int64(password.passes)), .integer(Int64(password.kibibytes)), .bytes(password.hash),
                .integer(row.misses), .integer(row.attemptsFrom.seconds), Self.value(row.locked))
        }
        for (account, row) in accounts.changes {
            let password = row.kept
            try one(
                connection.run(
                    """
                    UPDATE accounts SET salt = ?2, passes = ?3, kibibytes = ?4, hash = ?5, misses = ?6, attempts_from = ?7, \
                    locked = ?8 WHERE account = ?1
                    """,
                    .text(account.text), .bytes(password.salt), .integer(Int64(password.passes)),
                    .integer(Int64(password.kibibytes)), .bytes(password.hash), .integer(row.misses),
                    .integer(row.attemptsFrom.seconds), Self.value(row.locked)))
        }
    }

    private func writeDevices(_ devices: Touched<DeviceID, DeviceRow>) throws(LedgerFailure) {
        for device in devices.removed {
            try one(connection.run("DELETE FROM devices WHERE device = ?1", .bytes(device.digest.bytes)))
        }
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
        for account in rows.cleared {
            // At most one stays: the one that asked for this.
            let spared = rows.sparedSessions.first { $0.account == account }?.token.bytes ?? []
            try connection.run(
                "DELETE FROM sessions WHERE account = ?1 AND token <> ?2", .text(account.text), .bytes(spared))
        }
        for (old, new, expires) in rows.renewedSessions {
            try one(
                connection.run(
                    "UPDATE sessions SET token = ?2, expires = ?3 WHERE token = ?1", .bytes(old.bytes), .bytes(new.bytes),
                    .integer(expires.seconds)))
        }
        for (token, record) in rows.newSessions {
            try connection.run(
                "INSERT INTO sessions VALUES(NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7)", .bytes(token.bytes), .text(record.account.text),
                .text(record.kind.rawValue), record.device.map { .bytes($0.digest.bytes) } ?? .null,
                .integer(record.began.seconds), .integer(record.expires.seconds), .bytes(record.tag))
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

    /// A row that was read in this transaction must still be there unchanged. Anything else is damage, and nothing of the batch is done.
    private func one(_ changed: Int) throws(LedgerFailure) {
        guard changed == 1 else { throw .unusable("SQLite: a row changed under a transaction of its own") }
    }

    private static func value(_ moment: Moment?) -> SQLiteValue { moment.map { .integer($0.seconds) } ?? .null }
}
