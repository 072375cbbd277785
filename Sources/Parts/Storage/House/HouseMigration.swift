import ThumbAccess
import ThumbKeychain
import ThumbSQLite

// Before format 5 the house's rows were items: generic passwords without data, in groups that no caller can have.

extension ItemDatabase {
    /// How many items are looked at before the next ones are read.
    private static let migratedAtOnce = 256

    /// Turns the items that held the house's data into rows, in order. Part of the transaction that brings the file to this format. Every
    /// item is opened once, so that none is missed. A damaged one is set apart, just as a search for it would do.
    func moveHouseItems(_ total: inout Total) throws {
        let lists = try OldHouseItem.groups.map { try index.mac(.list, .genericPassword, $0, [:]) }
        var place = Int64.min
        while true {
            var page: [Candidate] = []
            try connection.rows(Self.following, [.integer(place), .integer(Int64(Self.migratedAtOnce))]) {
                page.append(Candidate($0))
                return true
            }
            guard let last = page.last else { return }
            place = last.row
            for candidate in page { try moveIfHouse(candidate, lists, &total) }
        }
    }

    private func moveIfHouse(_ candidate: Candidate, _ lists: [[UInt8]], _ total: inout Total) throws {
        guard let sealed = try undamaged({ try open(candidate) }) else {
            let sql = "SELECT 1 FROM lookups WHERE row = ? AND mac IN (?, ?, ?)"
            let values = [SQLiteValue.integer(candidate.row)] + lists.map { .bytes($0) }
            // The item's name in the index still tells which group it was in.
            var isHouse = false
            try connection.rows(sql, values) { _ in
                isHouse = true
                return false
            }
            if isHouse { try moveToQuarantine(candidate, &total) }
            return
        }
        guard OldHouseItem.groups.contains(sealed.item.group) else { return }
        guard let row = OldHouseItem(sealed.item)?.row else { return try moveToQuarantine(candidate, &total) }
        try erase(candidate, sealed, &total)
        try putIn(row.form, &total)
    }
}

/// A row of the house's in its old form, an item.
private struct OldHouseItem {
    private static let consents: ExactName = "\u{1}consents"
    private static let makers: ExactName = "\u{1}groups"
    private static let allowances: ExactName = "\u{1}allowances"
    static let groups = [consents, makers, allowances]

    let row: HouseRow

    /// nil for an item that isn't one of the house's.
    init?(_ item: StoredItem) {
        guard item.itemClass == .genericPassword, let account = item.text(.account) else { return nil }
        let label = item.text(.label)
        let kind = item.number(.creator).flatMap { UInt8(exactly: $0) }.flatMap(CallerClass.init(rawValue:))
        let date = item.date(.created)
        switch item.group {
        case Self.consents:
            guard let wish = item.text(.service).flatMap(Self.wish), let date,
                let verdict = item.number(.type).flatMap({ UInt8(exactly: $0) }).flatMap(AppVerdict.init(rawValue:))
            else { return nil }
            let known = KnownApp(
                app: ExactName(account), name: label ?? account, kind: kind ?? .consented, wish: wish, verdict: verdict,
                date: date)
            var tie: Consent.Tie?
            if case .data(let file)? = item.attributes[.generic] {
                tie = Consent.Tie(program: ExactName(item.text(.comment) ?? ""), file: file)
            }
            row = .consent(Consent(known, tie: tie))
        case Self.makers:
            guard let app = item.text(.comment), let kind else { return nil }
            let maker = Groups.Maker(app: ExactName(app), name: label ?? app, kind: kind)
            row = .group(MadeGroup(ExactName(account), by: maker, date: date ?? 0))
        case Self.allowances:
            guard let allowance = Allowance.allCases.first(where: { $0.name == account }) else { return nil }
            row = .allowance(GivenAllowance(allowance, date: date ?? 0))
        default: return nil
        }
    }

    /// The wish that the service attribute held.
    private static func wish(_ service: String) -> AppWish? {
        func rest(_ prefix: String) -> ExactName? {
            guard service.utf8.starts(with: prefix.utf8) else { return nil }
            return ExactName(String(decoding: service.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
        }
        if service == "face" { return .face }
        if let group = rest("group ") { return .group(group) }
        if let program = rest("program ") { return .program(program) }
        return rest("folder ").map { .folder($0) }
    }
}

extension StoredItem {
    fileprivate func text(_ name: AttributeName) -> String? {
        if case .text(let text)? = attributes[name] { text } else { nil }
    }

    fileprivate func number(_ name: AttributeName) -> Int64? {
        if case .number(let number)? = attributes[name] { number } else { nil }
    }

    fileprivate func date(_ name: AttributeName) -> Double? {
        if case .date(let date)? = attributes[name] { date } else { nil }
    }
}
