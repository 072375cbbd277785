import ThumbSQLite

/// The items database's identity and tables (docs/STORE.md).
enum Schema {
    static let file = "items.db"
    static let draft = "items.new"
    static let log = "items.db-wal"
    /// "THmb".
    static let application: Int64 = 0x5448_6d62
    static let format: Int64 = 6
    /// The first format with the house's own tables, and the first with paired machines among them.
    static let houseFormat: Int64 = 5
    static let machinesFormat: Int64 = 6
    static let pageBytes: UInt64 = 4096

    static let audit = "CREATE TABLE audit(number INTEGER PRIMARY KEY, sealed BLOB NOT NULL) STRICT"

    static let house = [
        """
        CREATE TABLE consents(row INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE, app BLOB NOT NULL, wish BLOB NOT NULL, \
        program BLOB, tag BLOB NOT NULL, sealed BLOB NOT NULL) STRICT
        """,
        "CREATE INDEX consents_app ON consents(app)",
        "CREATE INDEX consents_program ON consents(program)",
        """
        CREATE TABLE makers(row INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE, app BLOB NOT NULL, tag BLOB NOT NULL, \
        sealed BLOB NOT NULL) STRICT
        """,
        "CREATE INDEX makers_app ON makers(app)",
        """
        CREATE TABLE allowances(row INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE, tag BLOB NOT NULL, \
        sealed BLOB NOT NULL) STRICT
        """,
    ]

    static let machines =
        "CREATE TABLE machines(row INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE, tag BLOB NOT NULL, sealed BLOB NOT NULL) STRICT"

    static let tables = [
        "CREATE TABLE state(name INTEGER PRIMARY KEY, sealed BLOB NOT NULL) STRICT",
        """
        CREATE TABLE records(row INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, generation INTEGER NOT NULL, \
        uniqueness BLOB UNIQUE) STRICT
        """,
        """
        CREATE TABLE contents(row INTEGER PRIMARY KEY REFERENCES records(row) ON DELETE CASCADE, id BLOB NOT NULL, \
        generation INTEGER NOT NULL, attributes BLOB NOT NULL, secret BLOB) STRICT
        """,
        """
        CREATE TABLE lookups(mac BLOB NOT NULL, row INTEGER NOT NULL, PRIMARY KEY(mac, row)) STRICT, WITHOUT ROWID
        """,
        audit,
        """
        CREATE TABLE quarantine(number INTEGER PRIMARY KEY, kind INTEGER NOT NULL, id BLOB, generation INTEGER, \
        attributes BLOB, secret BLOB) STRICT
        """,
    ]

    /// Sets what every connection needs before it touches the file.
    static func prepare(_ connection: ItemConnection) throws {
        // Exclusive: a second process can't open it, and there is no file of shared memory beside it. The cache has a ceiling that some
        // forty thousand items reach. Beyond it the kernel has the file's pages.
        for pragma in [
            "locking_mode=EXCLUSIVE", "synchronous=FULL", "secure_delete=ON", "foreign_keys=ON", "temp_store=MEMORY",
            "cell_size_check=ON", "mmap_size=0", "cache_size=-24576",
        ] {
            try connection.run("PRAGMA \(pragma)")
        }
    }

    /// Makes the tables in an empty file.
    static func found(_ connection: ItemConnection) throws {
        try connection.run("PRAGMA page_size=\(pageBytes)")
        try connection.run("PRAGMA journal_mode=WAL")
        try connection.run("BEGIN IMMEDIATE")
        try connection.run("PRAGMA application_id=\(application)")
        try connection.run("PRAGMA user_version=\(format)")
        for table in tables + house + [machines] { try connection.run(table) }
        try connection.run("COMMIT")
    }

    /// Brings a file of an older format to this one, inside the transaction that rewrites the total.
    static func migrate(_ connection: ItemConnection, from old: Int64) throws {
        if old < 2 { try connection.run(audit) }
        if old < houseFormat { for table in house { try connection.run(table) } }
        if old < machinesFormat { try connection.run(machines) }
        try connection.run("PRAGMA user_version=\(format)")
    }

    /// The file's format; fails unless the file is ours, of a known format, with that format's tables and nothing else.
    static func check(_ connection: ItemConnection) throws -> Int64 {
        guard try connection.number("PRAGMA application_id") == application else {
            throw StorageError(.databaseDamaged, "this isn't an items database")
        }
        let found = try connection.number("PRAGMA user_version") ?? 0
        guard found <= format else {
            throw StorageError(.newer, raw: Int32(truncatingIfNeeded: found), "reading the items' format")
        }
        var (sql, mode): ([String], String) = ([], "")
        try connection.rows("PRAGMA journal_mode") {
            mode = $0.text(0)
            return false
        }
        try connection.rows("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid") {
            sql.append($0.text(0))
            return true
        }
        let expected: [Int64: [String]] = [
            1: tables.filter { $0 != audit }, 2: tables, 3: tables, 4: tables, houseFormat: tables + house,
            format: tables + house + [machines],
        ]
        // Tables that were added later come last.
        guard mode == "wal", expected[found]?.sorted() == sql.sorted() else {
            throw StorageError(.databaseDamaged, "the items database has other tables than it should")
        }
        return found
    }
}
