public import ThumbAccess
public import ThumbKeychain
import ThumbSQLite
public import ThumbSecrets

// Reading: from a query to rows, and from rows to the contents of the seals.

/// A row as it is in the file, not trusted yet.
struct Candidate {
    let row: Int64
    let id: [UInt8]
    let generation: UInt64
    let attributes: [UInt8]?
    /// The sealed secret, if one item is wanted and its secret is short: whoever wants one item mostly wants its secret.
    var secret: [UInt8]?
}

/// An opened item, with the seals of its attributes and of its secret, which isn't opened yet.
struct OpenedItem {
    let sealed: SealedItem
    let attributes: [UInt8]
    let box: [UInt8]

    func isOf(_ id: ItemID, _ generation: UInt64) -> Bool { sealed.item.generation == generation && sealed.item.id == id }
}

extension ItemDatabase {
    /// Calls `body` for the items that fit, in the order of insertion, after `place`, until it returns false. Returns where that was.
    ///
    /// Damaged items are left out and put into quarantine. Items whose class key was erased don't exist any more. Fails as reading does.
    public func select(
        _ selection: Selection, after place: Int64?, _ body: (StoredItem) -> Bool
    ) throws(KeychainFailure) -> Int64? {
        try keeping {
            var (found, damaged): (Int, [Candidate]) = (0, [])
            var stopped: Int64?
            try candidates(selection, after: place ?? .min) { candidate in
                if let limit = selection.limit, found >= limit { return false }
                do {
                    let item = try open(candidate)
                    if selection.fits(item.item), isAlive(item) {
                        found += 1
                        latest = candidate.secret.map {
                            OpenedItem(sealed: item, attributes: candidate.attributes ?? [], box: $0)
                        }
                        if !body(item.item) {
                            stopped = candidate.row
                            return false
                        }
                    }
                } catch is Damage {
                    damaged.append(candidate)
                }
                return selection.limit.map { found < $0 } ?? true
            }
            if !damaged.isEmpty { quarantine(damaged) }
            return stopped
        }
    }

    /// The records of all groups after that row, at most `limit`. A damaged one is reported, and stays where it is.
    public func walk(after place: Int64, limit: Int) throws(KeychainFailure) -> [(place: Int64, record: WalkedRecord)] {
        try keeping {
            var walked: [(Int64, WalkedRecord)] = []
            try connection.rows(Self.following, [.integer(place), .integer(Int64(limit))]) {
                let candidate = Candidate($0)
                do {
                    let sealed = try open(candidate)
                    walked.append((candidate.row, isAlive(sealed) ? .item(sealed.item) : .erased))
                } catch is Damage {
                    walked.append((candidate.row, .damaged))
                }
                return true
            }
            return walked
        }
    }

    static let following = """
        SELECT r.row, r.id, r.generation, c.attributes FROM records r LEFT JOIN contents c ON c.row = r.row
        WHERE r.row > ? ORDER BY r.row LIMIT ?
        """

    /// The secret of an item that was just selected.
    ///
    /// Fails with `.interactionNotAllowed` while its class key isn't available; with `.itemNotFound` if it is gone, has no secret, is dead,
    /// was changed since, or its class key was erased; with `.damaged` if the seal doesn't open; with `.authenticationFailed` without the
    /// application password that is mixed into its key, or with a wrong one.
    public func secret(of item: StoredItem, applicationKey: SecretBytes?) throws(KeychainFailure) -> SecretBytes {
        try keeping {
            let (sealed, box) = try sealedParts(of: item)
            guard sealed.item.hasSecret, !sealed.item.isDead, isAlive(sealed) else { throw KeychainFailure.itemNotFound }
            return try secret(of: sealed, box, applicationKey)
        }
    }

    /// The item as it is now, and its secret's box. Fails if it isn't the item that was selected.
    private func sealedParts(of item: StoredItem) throws -> (SealedItem, [UInt8]?) {
        // The contents of one generation never change.
        if let latest, latest.isOf(item.id, item.generation) {
            return (latest.sealed, latest.box)
        }
        // The owner was asked about the rule of that generation, and of no other.
        guard let (candidate, box) = try stored(item.id), candidate.generation == item.generation else {
            throw KeychainFailure.itemNotFound
        }
        do {
            return (try open(candidate), box)
        } catch is Damage {
            quarantine([candidate])
            throw KeychainFailure.damaged
        }
    }

    /// Opens a secret's box. Notes damage.
    func secret(of sealed: SealedItem, _ box: [UInt8]?, _ applicationKey: SecretBytes?) throws -> SecretBytes {
        guard let key = keybag.classKey(sealed.item.rule.accessibility.keyClass) else {
            throw KeychainFailure.interactionNotAllowed
        }
        do {
            guard let box else { throw ItemSeals.Damaged() }
            return try seals.open(box, of: sealed, under: key.secrets, applicationKey: applicationKey)
        } catch is ItemSeals.Damaged {
            // A wrong password and a damaged secret look alike; the password is the likelier of the two.
            if sealed.item.rule.constraints.contains(.applicationPassword) { throw KeychainFailure.authenticationFailed }
            noteDamagedSecret(sealed.item.id)
            throw KeychainFailure.damaged
        }
    }

    /// Whether a class key is available: `device` always is, the others once a passcode or code was given.
    public func isOpen(_ keyClass: KeyClass) -> Bool { keybag.classKey(keyClass) != nil }

    /// Whether the key that seals an item's secret still exists.
    func isAlive(_ sealed: SealedItem) -> Bool {
        sealed.item.rule.accessibility.keyClass != .passcode || sealed.serial == keybag.passcodeSerial
    }

    /// The error for a row whose attributes don't open.
    typealias Damage = ItemSeals.Damaged

    func open(_ candidate: Candidate) throws -> SealedItem {
        guard let id = ItemID(candidate.id), let box = candidate.attributes else { throw Damage() }
        // The same seal under the same name has the same contents, so an item that was opened a moment ago isn't opened again.
        if let latest, latest.isOf(id, candidate.generation), latest.attributes == box { return latest.sealed }
        do {
            return try seals.open(box, id: id, generation: candidate.generation)
        } catch is Malformed {
            throw Damage()
        }
    }

    /// The item of that name in its present state.
    func stored(_ id: ItemID) throws -> (Candidate, secret: [UInt8]?)? {
        var result: (Candidate, [UInt8]?)?
        try connection.rows(
            """
            SELECT r.row, r.id, r.generation, c.attributes, c.secret FROM records r LEFT JOIN contents c ON c.row = r.row
            WHERE r.id = ?
            """, [.bytes(id.bytes)]
        ) {
            result = (Candidate($0), $0.optionalBytes(4))
            return false
        }
        return result
    }

    /// Calls `body` for rows that may fit, by ascending number, after `place`, until it returns false.
    private func candidates(_ selection: Selection, after place: Int64, _ body: (Candidate) throws -> Bool) throws {
        if let id = selection.id {
            if let (candidate, _) = try stored(id) { _ = try body(candidate) }
            return
        }
        var streams: [LookupStream] = []
        for itemClass in selection.itemClass.map({ [$0] }) ?? ItemClass.allCases {
            let probe = try bestProbe(selection, itemClass)
            for group in selection.groups.distinct {
                let mac = try index.mac(probe, itemClass, group, selection.attributes)
                streams.append(LookupStream(mac: mac, after: place, firstPage: min(selection.limit ?? .max, 4)))
            }
        }
        while true {
            var first: (stream: Int, row: Int64)?
            for position in streams.indices {
                guard let row = try streams[position].head(connection)?.row else { continue }
                if row < first?.row ?? .max { first = (position, row) }
            }
            guard let first, let candidate = streams[first.stream].take() else { return }
            if try !body(candidate) { return }
        }
    }

    /// The probe with the fewest rows. Counting stops once the number no longer matters.
    private func bestProbe(_ selection: Selection, _ itemClass: ItemClass) throws -> LookupIndex.Probe {
        let probes = LookupIndex.probes(selection.attributes, itemClass)
        guard probes.count > 1 else { return probes[0] }
        let enough: Int64 = 64
        var best: (probe: LookupIndex.Probe, rows: Int64) = (probes[0], .max)
        for probe in probes {
            var rows: Int64 = 0
            for group in selection.groups.distinct where rows < enough {
                let mac = try index.mac(probe, itemClass, group, selection.attributes)
                let sql = "SELECT count(*) FROM (SELECT 1 FROM lookups WHERE mac = ? LIMIT ?)"
                rows += try connection.number(sql, .bytes(mac), .integer(enough)) ?? 0
            }
            if rows < best.rows { best = (probe, rows) }
        }
        return best.probe
    }
}

/// The rows under one MAC, a page at a time, so that no statement stays open while something else is done.
private struct LookupStream {
    private static let longestPage = 256
    private static let many = query("NULL")
    /// Reading a long secret that isn't wanted costs more than looking for it again.
    private static let one = query("CASE WHEN length(c.secret) <= 4096 THEN c.secret END")

    private static func query(_ secret: String) -> String {
        """
        SELECT r.row, r.id, r.generation, c.attributes, \(secret) FROM lookups l JOIN records r ON r.row = l.row
        LEFT JOIN contents c ON c.row = l.row WHERE l.mac = ? AND l.row > ? ORDER BY l.row LIMIT ?
        """
    }

    private let mac: [UInt8]
    private var page: ArraySlice<Candidate> = []
    private var pageSize: Int
    private var last: Int64
    private var isAtEnd = false

    init(mac: [UInt8], after place: Int64, firstPage: Int) {
        self.mac = mac
        last = place
        pageSize = max(firstPage, 1)
    }

    mutating func head(_ connection: ItemConnection) throws -> Candidate? {
        if page.isEmpty, !isAtEnd { try fill(connection) }
        return page.first
    }

    mutating func take() -> Candidate? { page.popFirst() }

    private mutating func fill(_ connection: ItemConnection) throws {
        var rows: [Candidate] = []
        try connection.rows(
            pageSize == 1 ? Self.one : Self.many, [.bytes(mac), .integer(last), .integer(Int64(pageSize))]
        ) {
            var candidate = Candidate($0)
            candidate.secret = $0.optionalBytes(4)
            rows.append(candidate)
            return true
        }
        isAtEnd = rows.count < pageSize
        last = rows.last?.row ?? last
        page = rows[...]
        pageSize = min(pageSize * 8, Self.longestPage)
    }
}

extension Candidate {
    /// Takes a row that begins with number, id, generation, attributes.
    init(_ row: borrowing SQLiteRow) {
        self.row = row.integer(0)
        id = row.bytes(1)
        generation = UInt64(bitPattern: row.integer(2))
        attributes = row.optionalBytes(3)
    }
}

extension Selection {
    /// Whether an opened item really matches. The MAC only said where to look.
    fileprivate func fits(_ item: StoredItem) -> Bool {
        if let itemClass, item.itemClass != itemClass { return false }
        if let id, item.id != id { return false }
        guard groups.contains(item.group) else { return false }
        if item.isDead && !showsDead { return false }
        switch sync {
        case .any: break
        case .localOnly: if item.isSynchronizable { return false }
        case .syncedOnly: if !item.isSynchronizable { return false }
        }
        return attributes.allSatisfy { item.attributes[$0.key]?.isSame(as: $0.value) ?? false }
    }
}

extension StoredItem {
    fileprivate var isSynchronizable: Bool {
        switch attributes[.synchronizable] {
        case nil: false
        case .number(let number)?: number != 0
        case let other?: other.comparable.contains { $0 != 0 }
        }
    }
}
