import ThumbKeychain
import ThumbSQLite

// Whether the house's rows add up, and how to repair them. The total decides, as it does for the records of items.

extension ItemDatabase {
    /// Whether SQLite finds the house's tables and their indexes in order.
    func areHouseTablesSound() throws -> Bool {
        for form in forms where try !connection.isSound(form.table.name) { return false }
        return true
    }

    /// Counts and adds the house's rows. If they don't give the total or aren't in order, repairs them.
    ///
    /// A row that opens tells its own tag and MACs. For a row that doesn't open, the stored ones are taken. All of them together must give
    /// the total: then the former rows are corrected and the latter are set apart. Otherwise this fails with `recordsMismatch`, unless the
    /// owner accepts the loss: then the rows that open stay, and the others are set apart.
    func checkHouse(acceptingLosses: Bool) throws {
        if try areHouseTablesSound() && houseHolds() { return }
        var (sum, kept): (HouseSum, HouseSum) = (HouseSum(), HouseSum())
        var readings: [HouseReading] = []
        for form in forms {
            for reading in try self.readings(of: form) {
                let summand = try reading.macs.map {
                    try houseSeals.summand(form.table, $0, tag: AuditEnds.tag(of: reading.candidate.sealed))
                }
                sum.add(try summand ?? houseSeals.summand(reading.candidate, of: form.table))
                if let summand { kept.add(summand) }
                readings.append(reading)
            }
        }
        guard sum == total.house || acceptingLosses else {
            throw StorageError(.recordsMismatch, "a row of the house's was lost, altered or put back")
        }
        try transaction { total in
            for reading in readings where reading.macs == nil { try noteApart(reading.candidate, of: reading.table) }
            // All rows are written again, because single rows can't be found in a table that is out of order.
            for form in forms { try connection.run(form.table.clear) }
            for reading in readings {
                guard let macs = reading.macs else { continue }
                try write(macs, reading.candidate.sealed, row: reading.candidate.row, of: reading.table)
            }
            total.house = kept
        }
    }

    /// The same for an older store, which has no such tables, so its total may not include any row.
    func checkNoHouse(acceptingLosses: Bool) throws {
        guard total.house == HouseSum() || acceptingLosses else {
            throw StorageError(.recordsMismatch, "the house's own tables were taken away")
        }
        total.house = HouseSum()
    }

    /// Whether the house's rows together give the total.
    func houseHolds() throws -> Bool {
        var sum = HouseSum()
        for table in forms.map({ $0.table }) {
            try connection.rows(table.select) {
                sum.add(try houseSeals.summand(HouseCandidate($0, of: table), of: table))
                return true
            }
        }
        return sum == total.house
    }

    /// A row, as far as its seal confirms it.
    private struct HouseReading {
        let table: HouseTable
        let candidate: HouseCandidate
        /// The MACs that it should have; nil if it doesn't open, or another row has its name.
        let macs: [[UInt8]?]?
    }

    private func readings<Row: HouseForm>(of form: Row.Type) throws -> [HouseReading] {
        var (readings, names): ([HouseReading], Set<[UInt8]>) = ([], [])
        try connection.rows(form.table.select + " ORDER BY row") {
            let candidate = HouseCandidate($0, of: form.table)
            var macs = try undamaged { try houseSeals.macs(houseSeals.openWithoutTag(candidate, as: form)) }
            if let name = macs?[0], !names.insert(name).inserted { macs = nil }
            readings.append(HouseReading(table: form.table, candidate: candidate, macs: macs))
            return true
        }
        return readings
    }

    /// Opens each of the house's rows and compares the names by which it is found. Damaged rows are set apart.
    func verifyHouse(_ report: inout StoreReport) throws {
        for form in forms { try verify(form, &report) }
    }

    private func verify<Row: HouseForm>(_ form: Row.Type, _ report: inout StoreReport) throws {
        var damaged: [HouseCandidate] = []
        try connection.rows(form.table.select) {
            let candidate = HouseCandidate($0, of: form.table)
            guard let macs = try undamaged({ try houseSeals.macs(houseSeals.open(candidate, as: form)) }) else {
                damaged.append(candidate)
                return true
            }
            report.houseRows += 1
            if macs != candidate.macs { report.misfiled += 1 }
            return true
        }
        if !damaged.isEmpty { setApart(damaged, of: form.table) }
    }
}
