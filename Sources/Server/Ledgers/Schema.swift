import ThumbSignIn

/// A step in the history of the tables (docs/contributors/ledgers.md).
struct Migration: Sendable {
    /// Statements for SQLite, one by one.
    let sqlite: [String]
    /// The same for PostgreSQL; the schema is on the search path.
    let postgres: [String]

    /// All of them. The store's version is the number of those that were done.
    static let all = [tables, owners]

    private static let tables = Migration(
        sqlite: [
            """
            CREATE TABLE accounts(account TEXT NOT NULL PRIMARY KEY, salt BLOB NOT NULL, passes INTEGER NOT NULL, \
            kibibytes INTEGER NOT NULL, hash BLOB NOT NULL, misses INTEGER NOT NULL, attempts_from INTEGER NOT NULL) \
            STRICT, WITHOUT ROWID
            """,
            """
            CREATE TABLE devices(number INTEGER PRIMARY KEY, device BLOB NOT NULL UNIQUE, account TEXT NOT NULL, \
            key BLOB NOT NULL, name TEXT NOT NULL, protection TEXT NOT NULL, registered INTEGER NOT NULL, last_used INTEGER, \
            revoked INTEGER) STRICT
            """,
            "CREATE INDEX devices_by_account ON devices(account)",
            """
            CREATE TABLE challenges(number INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, account TEXT NOT NULL, \
            purpose TEXT NOT NULL, expires INTEGER NOT NULL, used INTEGER) STRICT
            """,
            "CREATE INDEX challenges_by_end ON challenges(expires)",
            """
            CREATE TABLE sessions(number INTEGER PRIMARY KEY, token BLOB NOT NULL UNIQUE, account TEXT NOT NULL, \
            kind TEXT NOT NULL, device BLOB, began INTEGER NOT NULL, expires INTEGER NOT NULL) STRICT
            """,
            "CREATE INDEX sessions_by_end ON sessions(expires)",
        ],
        // A challenge is changed once and a device often, in columns without an index. With room in the page, no index has to be touched.
        postgres: [
            """
            CREATE TABLE accounts(account text COLLATE "C" PRIMARY KEY, salt bytea NOT NULL, passes bigint NOT NULL, \
            kibibytes bigint NOT NULL, hash bytea NOT NULL, misses bigint NOT NULL, attempts_from bigint NOT NULL)
            """,
            """
            CREATE TABLE devices(number bigint GENERATED ALWAYS AS IDENTITY, device bytea PRIMARY KEY, \
            account text COLLATE "C" NOT NULL, key bytea NOT NULL, name text COLLATE "C" NOT NULL, \
            protection text COLLATE "C" NOT NULL, registered bigint NOT NULL, last_used bigint, revoked bigint) \
            WITH (fillfactor = 70)
            """,
            "CREATE INDEX devices_by_account ON devices(account)",
            """
            CREATE TABLE challenges(digest bytea PRIMARY KEY, account text COLLATE "C" NOT NULL, \
            purpose text COLLATE "C" NOT NULL, expires bigint NOT NULL, used bigint) WITH (fillfactor = 50)
            """,
            "CREATE INDEX challenges_by_end ON challenges(expires)",
            """
            CREATE TABLE sessions(token bytea PRIMARY KEY, account text COLLATE "C" NOT NULL, \
            kind text COLLATE "C" NOT NULL, device bytea, began bigint NOT NULL, expires bigint NOT NULL)
            """,
            "CREATE INDEX sessions_by_end ON sessions(expires)",
        ])

    /// What owners and operators do to accounts: locks, and sessions that have names and are found by account. Both stores use the same
    /// function name for a part of a value.
    private static let owners: Migration = {
        let tags = "UPDATE sessions SET tag = substr(token, 1, \(SessionID.tagBytes))"
        let index = "CREATE INDEX sessions_by_account ON sessions(account, began)"
        return Migration(
            sqlite: [
                "ALTER TABLE accounts ADD COLUMN locked INTEGER",
                "ALTER TABLE sessions ADD COLUMN tag BLOB NOT NULL DEFAULT x''", tags, index,
            ],
            postgres: [
                "ALTER TABLE accounts ADD COLUMN locked bigint",
                "ALTER TABLE sessions ADD COLUMN tag bytea NOT NULL DEFAULT ''", tags, index,
            ])
    }()
}
