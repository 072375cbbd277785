import ThumbSignIn

/// The tables in PostgreSQL: the questions of a batch, how their answers become rows, and what is written in the end.
enum PostgresTables {
    // Reading

    /// A question, and how its answer changes the rows.
    struct Reading {
        let query: PostgresQuery
        let take: (PostgresResult, inout Rows) throws(LedgerFailure) -> Void
    }

    /// In the order in which rows are locked (docs/contributors/ledgers.md). It is the same in every batch, so that no two batches wait for
    /// each other.
    static func readings(_ footprint: Footprint, at now: Moment) -> [Reading] {
        let accounts = footprint.accounts
        let devices = footprint.devices
        let sessions = footprint.sessions
        return locked(accounts.locked, Self.accounts) + looked(accounts.read.subtracting(accounts.locked), Self.accounts)
            + locked(devices.locked, Self.devices) + looked(devices.read.subtracting(devices.locked), Self.devices)
            + owners(footprint.owners)
            + locked(footprint.challenges, Self.challenges)
            + locked(sessions.locked, Self.sessions) + looked(sessions.read.subtracting(sessions.locked), Self.sessions)
            + named(footprint.named) + listedSessions(footprint.holders, at: now) + listedAccounts(footprint.pages)
    }

    /// How a table's rows are read by their key.
    private struct Table<Key> {
        let select: String
        /// The end of a statement that locks.
        let lock: String
        let keys: ([Key]) -> PostgresValue
        let take: (PostgresResult, inout Rows) throws(LedgerFailure) -> Void
    }

    private static func locked<Key>(_ keys: Set<Key>, _ table: Table<Key>) -> [Reading] {
        keys.isEmpty ? [] : [Reading(query: PostgresQuery(table.select + table.lock, table.keys(Array(keys))), take: table.take)]
    }

    private static func looked<Key>(_ keys: Set<Key>, _ table: Table<Key>) -> [Reading] {
        keys.isEmpty ? [] : [Reading(query: PostgresQuery(table.select, table.keys(Array(keys))), take: table.take)]
    }

    private static var accounts: Table<AccountName> {
        Table(
            select: """
                SELECT account, salt, passes, kibibytes, hash, misses, attempts_from, locked FROM accounts \
                WHERE account = ANY($1::text[])
                """,
            lock: " ORDER BY account FOR NO KEY UPDATE", keys: { .texts($0.map(\.text)) }
        ) { (answer, rows) throws(LedgerFailure) in
            for row in 0..<answer.count {
                let password = try Decoding.password(
                    salt: answer.bytes(row, 1), passes: answer.integer(row, 2), kibibytes: answer.integer(row, 3),
                    hash: answer.bytes(row, 4))
                let found = AccountRow(
                    password: password, misses: answer.integer(row, 5), attemptsFrom: Moment(seconds: answer.integer(row, 6)),
                    locked: moment(answer, row, 7))
                rows.accounts.found(found, as: try Decoding.account(answer.text(row, 0)))
            }
        }
    }

    private static let deviceColumns = "number, device, account, key, name, protection, registered, last_used, revoked"

    private static var devices: Table<DeviceID> {
        Table(
            select: "SELECT \(deviceColumns) FROM devices WHERE device = ANY($1::bytea[])",
            lock: " ORDER BY device FOR NO KEY UPDATE", keys: { .bytes($0.map(\.digest.bytes)) }, take: takeDevices)
    }

    private static func owners(_ owners: Set<AccountName>) -> [Reading] {
        guard !owners.isEmpty else { return [] }
        let sql = "SELECT \(deviceColumns) FROM devices WHERE account = ANY($1::text[])"
        return [Reading(query: PostgresQuery(sql, .texts(owners.map(\.text))), take: takeDevices)]
    }

    private static func takeDevices(_ answer: PostgresResult, _ rows: inout Rows) throws(LedgerFailure) {
        for row in 0..<answer.count {
            let id = DeviceID(try Decoding.digest(answer.bytes(row, 1)))
            let record = DeviceRecord(
                id: id, key: answer.bytes(row, 3), name: answer.text(row, 4), unverifiedProtection: answer.text(row, 5),
                registered: Moment(seconds: answer.integer(row, 6)), lastUsed: moment(answer, row, 7),
                revoked: moment(answer, row, 8))
            let account = try Decoding.account(answer.text(row, 2))
            rows.devices.found(DeviceRow(account: account, number: answer.integer(row, 0), record: record), as: id)
        }
    }

    private static var challenges: Table<Digest32> {
        Table(
            select: "SELECT digest, account, purpose, expires, used FROM challenges WHERE digest = ANY($1::bytea[])",
            lock: " ORDER BY digest FOR NO KEY UPDATE", keys: { .bytes($0.map(\.bytes)) }
        ) { (answer, rows) throws(LedgerFailure) in
            for row in 0..<answer.count {
                let found = ChallengeRow(
                    account: try Decoding.account(answer.text(row, 1)), purpose: try Decoding.purpose(answer.text(row, 2)),
                    expires: Moment(seconds: answer.integer(row, 3)), used: moment(answer, row, 4))
                rows.challenges.found(found, as: try Decoding.digest(answer.bytes(row, 0)))
            }
        }
    }

    private static let sessionColumns = """
        s.token, s.account, s.kind, s.device, s.began, s.expires, s.tag, d.revoked, a.account, a.locked FROM sessions s \
        LEFT JOIN devices d ON d.device = s.device LEFT JOIN accounts a ON a.account = s.account
        """

    private static var sessions: Table<Digest32> {
        Table(
            select: "SELECT \(sessionColumns) WHERE s.token = ANY($1::bytea[])",
            lock: " ORDER BY s.token FOR UPDATE OF s", keys: { .bytes($0.map(\.bytes)) }
        ) { (answer, rows) throws(LedgerFailure) in
            for row in try sessions(answer) { rows.found(row) }
        }
    }

    private static func named(_ names: Set<Footprint.Name>) -> [Reading] {
        names.map { name in
            let query = PostgresQuery(
                """
                SELECT \(sessionColumns) WHERE s.account = ANY($1::text[]) AND s.began = $2::bigint AND s.tag = ANY($3::bytea[]) \
                ORDER BY s.token FOR UPDATE OF s
                """, .texts([name.account.text]), .integer(name.id.began.seconds), .bytes([name.id.tag]))
            return Reading(query: query) { (answer, rows) throws(LedgerFailure) in
                for row in try sessions(answer) { rows.found(row) }
            }
        }
    }

    private static func listedSessions(_ holders: Set<AccountName>, at now: Moment) -> [Reading] {
        holders.map { holder in
            let query = PostgresQuery(
                """
                SELECT \(sessionColumns) WHERE s.account = ($1::text[])[1] AND s.expires > $2::bigint AND d.revoked IS NULL \
                AND a.locked IS NULL AND a.account IS NOT NULL ORDER BY s.began DESC LIMIT \(SignInLimit.listedSessions)
                """, .texts([holder.text]), .integer(now.seconds))
            return Reading(query: query) { (answer, rows) throws(LedgerFailure) in
                rows.listedSessions[holder] = try sessions(answer).map(\.record)
            }
        }
    }

    private static func sessions(_ answer: PostgresResult) throws(LedgerFailure) -> [SessionRow] {
        var found: [SessionRow] = []
        for row in 0..<answer.count {
            let device = answer.isNull(row, 3) ? nil : DeviceID(try Decoding.digest(answer.bytes(row, 3)))
            let record = SessionRecord(
                account: try Decoding.account(answer.text(row, 1)), kind: try Decoding.kind(answer.text(row, 2)),
                device: device, began: Moment(seconds: answer.integer(row, 4)),
                expires: Moment(seconds: answer.integer(row, 5)), tag: try Decoding.tag(answer.bytes(row, 6)))
            let isBlocked = !answer.isNull(row, 7) || answer.isNull(row, 8) || !answer.isNull(row, 9)
            found.append(
                SessionRow(record: record, isBlocked: isBlocked, stored: try Decoding.digest(answer.bytes(row, 0))))
        }
        return found
    }

    private static func listedAccounts(_ pages: Set<Footprint.Page>) -> [Reading] {
        pages.map { page in
            let query = PostgresQuery(
                """
                SELECT account, hash, locked, \
                (SELECT count(*) FROM devices d WHERE d.account = a.account AND d.revoked IS NULL) \
                FROM accounts a WHERE account > ($1::text[])[1] ORDER BY account LIMIT \(SignInLimit.listedAccounts)
                """, .texts([page.after?.text ?? ""]))
            return Reading(query: query) { (answer, rows) throws(LedgerFailure) in
                var found: [AccountSummary] = []
                for row in 0..<answer.count {
                    found.append(
                        AccountSummary(
                            account: try Decoding.account(answer.text(row, 0)), hasPassword: !answer.bytes(row, 1).isEmpty,
                            devices: Int(answer.integer(row, 3)), locked: moment(answer, row, 2)))
                }
                rows.listedAccounts[page] = found
            }
        }
    }

    private static func moment(_ answer: PostgresResult, _ row: Int32, _ column: Int32) -> Moment? {
        answer.isNull(row, column) ? nil : Moment(seconds: answer.integer(row, column))
    }
}
