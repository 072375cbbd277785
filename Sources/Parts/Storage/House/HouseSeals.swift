import ThumbAccess
import ThumbCrypto
import ThumbKeychain
import ThumbSQLite
import ThumbSecrets

/// A row of the house's as it is in the file, not trusted yet.
struct HouseCandidate {
    let row: Int64
    let tag: [UInt8]
    let sealed: [UInt8]
    /// One for each of the table's columns.
    let macs: [[UInt8]?]

    /// Takes a row of the table's `select`.
    init(_ row: borrowing SQLiteRow, of table: HouseTable) {
        self.row = row.integer(0)
        tag = row.bytes(1)
        sealed = row.bytes(2)
        var macs: [[UInt8]?] = []
        for column in table.columns.indices { macs.append(row.optionalBytes(Int32(column + 3))) }
        self.macs = macs
    }
}

/// The totals over all of the house's rows.
struct HouseSum: Equatable {
    private(set) var rows: UInt64 = 0
    private(set) var sum = Sum256()

    init() {}

    mutating func add(_ summand: Sum256) {
        sum += summand
        rows &+= 1
    }

    mutating func subtract(_ summand: Sum256) {
        sum -= summand
        rows &-= 1
    }

    init(from reader: inout SecretReader) throws {
        rows = try reader.integer(UInt64.self)
        sum = Sum256(try reader.raw(Sum256.byteCount))
    }

    func write(to writer: inout ByteWriter) {
        writer.integer(rows)
        sum.write(to: &writer)
    }
}

/// Seals and opens the house's rows, and makes the MACs for finding them and adding them up.
struct HouseSeals {
    /// The longest form of a row, in bytes: as much as an item's attributes may have together.
    static let longestForm = QueryLimit.attributesBytes
    /// Tells these MACs from those of items, which begin with 0 to 3.
    private static let macKind: UInt8 = 4

    let keybag: [UInt8]
    let keys: DeviceKeys

    /// The MAC of a value in a column.
    func mac(_ table: HouseTable, column: Int, _ value: [UInt8]) throws -> [UInt8] {
        var writer = ByteWriter(reserving: 128)
        writer.byte(Self.macKind)
        writer.byte(table.number)
        writer.byte(UInt8(column))
        writer.raw(value)
        return Array(try HMAC256.authenticate(writer.bytes, key: keys.index).prefix(LookupIndex.macBytes))
    }

    /// The MACs of a row, one for each of its table's columns.
    func macs(_ form: any HouseForm) throws -> [[UInt8]?] {
        let table = type(of: form).table
        return try form.keys.enumerated().map { column, key in try key.map { try mac(table, column: column, $0) } }
    }

    func seal(_ form: any HouseForm, row: Int64) throws -> [UInt8] {
        let bytes = form.sealable
        guard bytes.count <= Self.longestForm else { throw KeychainFailure.dataTooLarge }
        return try SealedBox.seal(bytes, key: keys.house, associatedData: binding(type(of: form).table, row))
    }

    /// Opens a row. Fails with `Malformed` or `authenticationFailed` if it isn't what was written there, and otherwise if the machine
    /// fails.
    func open<Row: HouseForm>(_ candidate: HouseCandidate, as form: Row.Type) throws -> Row {
        // The sum covers the tag, so no older seal can take this one's place.
        guard AuditEnds.tag(of: candidate.sealed) == candidate.tag else { throw Malformed() }
        return try openWithoutTag(candidate, as: form)
    }

    /// Whether a row isn't what was written there. `other` only tells its type.
    func isDamaged<Row: HouseForm>(_ candidate: HouseCandidate, like other: Row) throws -> Bool {
        try undamaged { try open(candidate, as: Row.self) } == nil
    }

    /// The same as `open`, but whatever tag the row says its seal has. For repairs.
    func openWithoutTag<Row: HouseForm>(_ candidate: HouseCandidate, as form: Row.Type) throws -> Row {
        var reader = SecretReader(
            try SealedBox.open(candidate.sealed, key: keys.house, associatedData: binding(form.table, candidate.row)))
        let row = try Row(from: &reader)
        try reader.end()
        return row
    }

    private func binding(_ table: HouseTable, _ row: Int64) -> [UInt8] {
        var writer = ByteWriter(reserving: 64)
        writer.raw("thumbturn house row 1")
        writer.raw(keybag)
        writer.byte(table.number)
        writer.integer(UInt64(bitPattern: row))
        return writer.bytes
    }

    /// What a row contributes to the sum of all of them.
    func summand(_ table: HouseTable, _ macs: [[UInt8]?], tag: [UInt8]) throws -> Sum256 {
        var writer = ByteWriter(reserving: 128)
        writer.byte(table.number)
        for mac in macs { writer.counted(mac ?? []) }
        writer.counted(tag)
        return Sum256(try HMAC256.authenticate(writer.bytes, key: keys.houseSums))
    }

    func summand(_ candidate: HouseCandidate, of table: HouseTable) throws -> Sum256 {
        try summand(table, candidate.macs, tag: candidate.tag)
    }
}
