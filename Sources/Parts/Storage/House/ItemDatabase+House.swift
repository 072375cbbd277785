public import ThumbAccess
public import ThumbKeychain
import ThumbSQLite

// The house's own tables: reading by keyed names, and writing in one transaction.

extension ItemDatabase: HouseTables {
    /// The decisions that the search matches. Damaged ones are left out and set apart. Fails as reading does.
    public func consents(_ search: Consent.Search) throws(KeychainFailure) -> [Consent] {
        try keeping { try found(search.probe, search.fits) }
    }

    /// The groups that the search matches. Damaged rows are left out and set apart. Fails as reading does.
    public func groups(_ search: MadeGroup.Search) throws(KeychainFailure) -> [MadeGroup] {
        try keeping { try found(search.probe, search.fits) }
    }

    /// All allowances. Damaged ones are left out and set apart. Fails as reading does.
    public func allowances() throws(KeychainFailure) -> [GivenAllowance] {
        try keeping { try found(.all) { (_: GivenAllowance) in true } }
    }

    /// All paired machines. Damaged ones are left out and set apart. Fails as reading does.
    public func machines() throws(KeychainFailure) -> [PairedMachine] {
        try keeping { try found(.all) { (_: PairedMachine) in true } }
    }

    /// How many decisions the search matches, without opening any.
    public func countConsents(_ search: Consent.Search) throws(KeychainFailure) -> Int {
        try keeping { try countRows(of: .consents, search.probe) }
    }

    /// How many groups the search matches, without opening any row.
    public func countGroups(_ search: MadeGroup.Search) throws(KeychainFailure) -> Int {
        try keeping { try countRows(of: .makers, search.probe) }
    }

    /// Removes rows, then adds rows, all or none. Fails with `.dataTooLarge` if a row is longer than an item's attributes may be, and if
    /// nothing can be written.
    public func change(removing gone: [HouseRow], keeping kept: [HouseRow]) throws(KeychainFailure) {
        try keeping {
            try transaction { total in
                for row in gone { try takeOut(row.form, &total) }
                for row in kept { try putIn(row.form, &total) }
            }
        }
    }

    // MARK: Reading

    private func found<Row: HouseForm>(_ probe: HouseProbe, _ fits: (Row) -> Bool) throws -> [Row] {
        var (rows, damaged): ([Row], [HouseCandidate]) = ([], [])
        let (condition, values) = try condition(Row.table, probe)
        try connection.rows(Row.table.select + condition + " ORDER BY row", values) {
            let candidate = HouseCandidate($0, of: Row.table)
            if let row = try undamaged({ try houseSeals.open(candidate, as: Row.self) }) {
                // The MAC only said where to look.
                if fits(row) { rows.append(row) }
            } else {
                damaged.append(candidate)
            }
            return true
        }
        if !damaged.isEmpty { setApart(damaged, of: Row.table) }
        return rows
    }

    private func countRows(of table: HouseTable, _ probe: HouseProbe) throws -> Int {
        let (condition, values) = try condition(table, probe)
        var count = 0
        try connection.rows(table.count + condition, values) {
            count = Int($0.integer(0))
            return false
        }
        return count
    }

    private func condition(_ table: HouseTable, _ probe: HouseProbe) throws -> (sql: String, [SQLiteValue]) {
        switch probe {
        case .all: ("", [])
        case .value(let column, let value):
            (" WHERE \(table.columns[column]) = ?", [.bytes(try houseSeals.mac(table, column: column, value))])
        case .filled(let column): (" WHERE \(table.columns[column]) IS NOT NULL", [])
        }
    }

    /// The row of the same name, whatever it contains.
    private func namesake(of macs: [[UInt8]?], in table: HouseTable) throws -> HouseCandidate? {
        var found: HouseCandidate?
        try connection.rows(table.select + " WHERE name = ?", [macs[0].map { SQLiteValue.bytes($0) } ?? .null]) {
            found = HouseCandidate($0, of: table)
            return false
        }
        return found
    }

    // MARK: Parts of a transaction

    /// Puts a row in, replacing the one of the same name. A damaged one is set apart and gives its place up.
    func putIn(_ form: any HouseForm, _ total: inout Total) throws {
        let table = type(of: form).table
        let macs = try houseSeals.macs(form)
        var row: Int64?
        if let before = try namesake(of: macs, in: table) {
            if try houseSeals.isDamaged(before, like: form) {
                try setApart(before, of: table, &total)
            } else {
                row = before.row
                total.house.subtract(try houseSeals.summand(before, of: table))
            }
        }
        let place = try row ?? connection.number(table.nextRow) ?? 1
        let box = try houseSeals.seal(form, row: place)
        try write(macs, box, row: place, of: table)
        total.house.add(try houseSeals.summand(table, macs, tag: AuditEnds.tag(of: box)))
    }

    func write(_ macs: [[UInt8]?], _ box: [UInt8], row: Int64, of table: HouseTable) throws {
        let columns = macs.map { mac -> SQLiteValue in mac.map { SQLiteValue.bytes($0) } ?? .null }
        try connection.run(table.put, [.integer(row), .bytes(AuditEnds.tag(of: box)), .bytes(box)] + columns)
    }

    private func takeOut(_ form: any HouseForm, _ total: inout Total) throws {
        let table = type(of: form).table
        guard let candidate = try namesake(of: houseSeals.macs(form), in: table) else { return }
        try connection.run(table.remove, .integer(candidate.row))
        total.house.subtract(try houseSeals.summand(candidate, of: table))
    }

    // MARK: Damage

    /// Sets damaged rows apart, with their bytes as found.
    func setApart(_ damaged: [HouseCandidate], of table: HouseTable) {
        // If this can't be written, the rows stay, and the next query leaves them out again.
        try? transaction { total in
            for candidate in damaged { try setApart(candidate, of: table, &total) }
        }
    }

    private func setApart(_ candidate: HouseCandidate, of table: HouseTable, _ total: inout Total) throws {
        try noteApart(candidate, of: table)
        try connection.run(table.remove, .integer(candidate.row))
        total.house.subtract(try houseSeals.summand(candidate, of: table))
    }

    /// Copies a damaged row into quarantine; the row itself stays where it is.
    func noteApart(_ candidate: HouseCandidate, of table: HouseTable) throws {
        try connection.run(
            "INSERT INTO quarantine(kind, generation, attributes) VALUES(?, ?, ?)", .integer(table.quarantineKind),
            .integer(candidate.row), .bytes(candidate.sealed))
        settingApart += 1
    }
}
