internal import ThumbSignIn

/// The tables in PostgreSQL: the questions of a batch, what their answers say, and what is written in the end.
enum PostgresTables {
    // Reading

    /// A question, and what its answer does to the rows.
    struct Reading {
        let query: PostgresQuery
        let take: (PostgresResult, inout Rows) throws(LedgerFailure) -> Void
    }

    /// In the order in which rows are locked (docs/LEDGERS.md): in every batch the same, so that no two wait for each other.
    static func readings(_ footprint: Footprint) -> [Reading] {
        let accounts = footprint.accounts
        let devices = footprint.devices
        let sessions = footprint.sessions
        return locked(accounts.locked, Self.accounts) + looked(accounts.read.subtracting(accounts.locked), Self.accounts)
            + locked(devices.locked, Self.devices) + looked(devices.read.subtracting(devices.locked), Self.devices)
            + owners(footprint.owners)
            + locked(footprint.challenges, Self.challenges)
            + locked(sessions.locked, Self.sessions) + looked(sessions.read.subtracting(sessions.locked), Self.sessions)
    }

    /// How a table's rows are read by their key.
    private struct Table<Key> {
        let select: String
        /// The end of the statement that locks.
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
                SELECT account, salt, passes, kibibytes, hash, misses, attempts_from FROM accounts WHERE account = ANY($1::text[])
                """,
            lock: " ORDER BY account FOR NO KEY UPDATE", keys: { .texts($0.map(\.text)) }
        ) { (answer, rows) throws(LedgerFailure) in
            for row in 0..<answer.count {
                let password = StretchedPassword(
                    salt: answer.bytes(row, 1), passes: try Decoding.cost(answer.integer(row, 2)),
                    kibibytes: try Decoding.cost(answer.integer(row, 3)), hash: answer.bytes(row, 4))
                let found = AccountRow(
                    password: password, misses: answer.integer(row, 5), attemptsFrom: Moment(seconds: answer.integer(row, 6)))
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

    private static var sessions: Table<Digest32> {
        Table(
            select: """
                SELECT s.token, s.account, s.kind, s.device, s.began, s.expires, d.revoked FROM sessions s \
                LEFT JOIN devices d ON d.device = s.device WHERE s.token = ANY($1::bytea[])
                """,
            lock: " ORDER BY s.token FOR UPDATE OF s", keys: { .bytes($0.map(\.bytes)) }
        ) { (answer, rows) throws(LedgerFailure) in
            for row in 0..<answer.count {
                let device = answer.isNull(row, 3) ? nil : DeviceID(try Decoding.digest(answer.bytes(row, 3)))
                let record = SessionRecord(
                    account: try Decoding.account(answer.text(row, 1)), kind: try Decoding.kind(answer.text(row, 2)),
                    device: device, began: Moment(seconds: answer.integer(row, 4)),
                    expires: Moment(seconds: answer.integer(row, 5)))
                let token = try Decoding.digest(answer.bytes(row, 0))
                rows.sessions[token] = SessionRow(record: record, isRevoked: !answer.isNull(row, 6), stored: token)
            }
        }
    }

    private static func moment(_ answer: PostgresResult, _ row: Int32, _ column: Int32) -> Moment? {
        answer.isNull(row, column) ? nil : Moment(seconds: answer.integer(row, column))
    }
}
