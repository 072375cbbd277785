import ThumbSignIn

extension PostgresTables {
    /// How much one deed forgets at most (docs/contributors/ledgers.md).
    static let mostForgotten = 1_000

    /// The statements that write the batch's rows to the tables. There is one for each kind of change, whatever the number of rows.
    static func writings(_ rows: Rows, at now: Moment) -> [PostgresQuery] {
        writings(rows.accounts) + writings(rows.devices) + writings(rows.challenges, at: now) + sessionWritings(rows)
            + (rows.forgotten.map(forgettings) ?? [])
    }

    private static func writings(_ accounts: Touched<AccountName, AccountRow>) -> [PostgresQuery] {
        var queries: [PostgresQuery] = []
        let (added, changed) = (accounts.additions, accounts.changes)
        if !accounts.removed.isEmpty {
            queries.append(
                PostgresQuery("DELETE FROM accounts WHERE account = ANY($1::text[])", .texts(accounts.removed.map(\.text))))
        }
        if !added.isEmpty {
            let passwords = added.map(\.row.kept)
            queries.append(
                PostgresQuery(
                    """
                    INSERT INTO accounts SELECT * FROM unnest($1::text[], $2::bytea[], $3::bigint[], $4::bigint[], $5::bytea[], \
                    $6::bigint[], $7::bigint[], $8::bigint[])
                    """,
                    .texts(added.map(\.key.text)), .bytes(passwords.map(\.salt)), .integers(passwords.map { Int64($0.passes) }),
                    .integers(passwords.map { Int64($0.kibibytes) }), .bytes(passwords.map(\.hash)),
                    .integers(added.map(\.row.misses)), .integers(added.map(\.row.attemptsFrom.seconds)),
                    .integers(added.map { $0.row.locked?.seconds })))
        }
        if !changed.isEmpty {
            let passwords = changed.map(\.row.kept)
            queries.append(
                PostgresQuery(
                    """
                    UPDATE accounts SET salt = new.salt, passes = new.passes, kibibytes = new.kibibytes, hash = new.hash, \
                    misses = new.misses, attempts_from = new.attempts_from, locked = new.locked \
                    FROM unnest($1::text[], $2::bytea[], $3::bigint[], $4::bigint[], $5::bytea[], $6::bigint[], $7::bigint[], \
                    $8::bigint[]) AS new(account, salt, passes, kibibytes, hash, misses, attempts_from, locked) \
                    WHERE accounts.account = new.account
                    """,
                    .texts(changed.map(\.key.text)), .bytes(passwords.map(\.salt)),
                    .integers(passwords.map { Int64($0.passes) }), .integers(passwords.map { Int64($0.kibibytes) }),
                    .bytes(passwords.map(\.hash)), .integers(changed.map(\.row.misses)),
                    .integers(changed.map(\.row.attemptsFrom.seconds)), .integers(changed.map { $0.row.locked?.seconds })))
        }
        return queries
    }

    private static func writings(_ devices: Touched<DeviceID, DeviceRow>) -> [PostgresQuery] {
        var queries: [PostgresQuery] = []
        let (added, changed) = (devices.additions, devices.changes)
        if !devices.removed.isEmpty {
            queries.append(
                PostgresQuery(
                    "DELETE FROM devices WHERE device = ANY($1::bytea[])", .bytes(devices.removed.map(\.digest.bytes))))
        }
        if !added.isEmpty {
            let records = added.map(\.row.record)
            queries.append(
                PostgresQuery(
                    """
                    INSERT INTO devices(device, account, key, name, protection, registered, last_used, revoked) \
                    SELECT * FROM unnest($1::bytea[], $2::text[], $3::bytea[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], \
                    $8::bigint[])
                    """,
                    .bytes(added.map(\.key.digest.bytes)), .texts(added.map(\.row.account.text)), .bytes(records.map(\.key)),
                    .texts(records.map(\.name)), .texts(records.map(\.unverifiedProtection)),
                    .integers(records.map(\.registered.seconds)), .integers(records.map { $0.lastUsed?.seconds }),
                    .integers(records.map { $0.revoked?.seconds })))
        }
        if !changed.isEmpty {
            let records = changed.map(\.row.record)
            queries.append(
                PostgresQuery(
                    """
                    UPDATE devices SET name = new.name, last_used = new.last_used, revoked = new.revoked \
                    FROM unnest($1::bytea[], $2::text[], $3::bigint[], $4::bigint[]) AS new(device, name, last_used, revoked) \
                    WHERE devices.device = new.device
                    """,
                    .bytes(changed.map(\.key.digest.bytes)), .texts(records.map(\.name)),
                    .integers(records.map { $0.lastUsed?.seconds }), .integers(records.map { $0.revoked?.seconds })))
        }
        return queries
    }

    private static func writings(_ challenges: Touched<Digest32, ChallengeRow>, at now: Moment) -> [PostgresQuery] {
        var queries: [PostgresQuery] = []
        let (added, used) = (challenges.additions, challenges.changes)
        if !added.isEmpty {
            queries.append(
                PostgresQuery(
                    """
                    INSERT INTO challenges SELECT * FROM unnest($1::bytea[], $2::text[], $3::text[], $4::bigint[], $5::bigint[]) \
                    ON CONFLICT DO NOTHING
                    """,
                    .bytes(added.map(\.key.bytes)), .texts(added.map(\.row.account.text)),
                    .texts(added.map(\.row.purpose.rawValue)), .integers(added.map(\.row.expires.seconds)),
                    .integers(added.map { $0.row.used?.seconds })))
        }
        if !used.isEmpty {
            // Each row changes once, and the database counts them. If one is missing this divides by zero, which ends the transaction.
            queries.append(
                PostgresQuery(
                    """
                    WITH used AS (UPDATE challenges SET used = $2::bigint WHERE digest = ANY($1::bytea[]) AND used IS NULL \
                    RETURNING 1) SELECT 1 / (count(*) = $3::bigint)::int FROM used
                    """,
                    .bytes(used.map(\.key.bytes)), .integer(now.seconds), .integer(Int64(used.count))))
        }
        return queries
    }

    private static func sessionWritings(_ rows: Rows) -> [PostgresQuery] {
        var queries: [PostgresQuery] = []
        let (renewed, new) = (rows.renewedSessions, rows.newSessions)
        if !rows.ended.isEmpty {
            queries.append(
                PostgresQuery("DELETE FROM sessions WHERE token = ANY($1::bytea[])", .bytes(rows.ended.map(\.bytes))))
        }
        if !rows.cleared.isEmpty {
            queries.append(
                PostgresQuery(
                    "DELETE FROM sessions WHERE account = ANY($1::text[]) AND token <> ALL($2::bytea[])",
                    .texts(rows.cleared.map(\.text)), .bytes(rows.sparedSessions.map(\.token.bytes))))
        }
        if !renewed.isEmpty {
            queries.append(
                PostgresQuery(
                    """
                    UPDATE sessions SET token = new.token, expires = new.expires \
                    FROM unnest($1::bytea[], $2::bytea[], $3::bigint[]) AS new(old, token, expires) WHERE sessions.token = new.old
                    """,
                    .bytes(renewed.map(\.old.bytes)), .bytes(renewed.map(\.new.bytes)), .integers(renewed.map(\.expires.seconds)))
            )
        }
        if !new.isEmpty {
            let records = new.map(\.record)
            queries.append(
                PostgresQuery(
                    """
                    INSERT INTO sessions SELECT * FROM unnest($1::bytea[], $2::text[], $3::text[], $4::bytea[], $5::bigint[], \
                    $6::bigint[], $7::bytea[])
                    """,
                    .bytes(new.map(\.token.bytes)), .texts(records.map(\.account.text)), .texts(records.map(\.kind.rawValue)),
                    .bytes(records.map { $0.device?.digest.bytes }), .integers(records.map(\.began.seconds)),
                    .integers(records.map(\.expires.seconds)), .bytes(records.map(\.tag))))
        }
        return queries
    }

    /// Rows that somebody is using are left for the next time.
    private static func forgettings(_ before: Moment) -> [PostgresQuery] {
        ["challenges", "sessions"].map { table in
            PostgresQuery(
                """
                DELETE FROM \(table) WHERE ctid = ANY(ARRAY(SELECT ctid FROM \(table) WHERE expires < $1::bigint \
                ORDER BY expires LIMIT \(mostForgotten) FOR UPDATE SKIP LOCKED))
                """, .integer(before.seconds))
        }
    }
}
