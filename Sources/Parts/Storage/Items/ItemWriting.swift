public import ThumbAccess
import ThumbCrypto
public import ThumbKeychain
import ThumbSQLite
public import ThumbSecrets

// Writing: each call is one transaction.

extension ItemDatabase: ItemStore {
    /// Random bytes for an item's name; fails with `.internalFailure` if the system gives none.
    public func makeItemID() throws(KeychainFailure) -> ItemID {
        guard let id = ItemID(try keeping { try Random.bytes(count: ItemID.length) }) else { throw .internalFailure }
        return id
    }

    /// Adds an item.
    ///
    /// Fails with `.duplicateItem` if there is one with the same uniqueness or id, `.interactionNotAllowed` while the class key for its
    /// secret isn't available, `.dataTooLarge` beyond the limits, `.storeUnavailable` or `.readOnly` if it can't be written.
    public func insert(
        _ item: StoredItem, secret: SecretBytes?, applicationKey: SecretBytes?
    ) throws(KeychainFailure) {
        try ItemLimits.check(item, secret: secret)
        try keeping {
            try transaction { total in try put(item, secret, applicationKey, &total) }
        }
    }

    /// Removes an item and adds another one, both or neither. Fails with `.itemNotFound` if the first one is gone or was changed since, and
    /// otherwise as `insert` does.
    public func exchange(
        _ old: StoredItem, for item: StoredItem, secret: SecretBytes?, applicationKey: SecretBytes?
    ) throws(KeychainFailure) {
        try ItemLimits.check(item, secret: secret)
        try keeping {
            try transaction { total in
                guard let (candidate, _) = try stored(old.id), candidate.generation == old.generation else {
                    throw KeychainFailure.itemNotFound
                }
                try erase(candidate, try undamaged { try open(candidate) }, &total)
                try put(item, secret, applicationKey, &total)
            }
            damagedSecrets.remove(old.id)
        }
    }

    private func put(
        _ item: StoredItem, _ secret: SecretBytes?, _ applicationKey: SecretBytes?, _ total: inout Total
    ) throws {
        guard try stored(item.id) == nil else { throw KeychainFailure.duplicateItem }
        let uniqueness = try index.uniqueness(item)
        try vacate(uniqueness, &total)
        try connection.run(
            "INSERT INTO records(id, generation, uniqueness) VALUES(?, ?, ?)", .bytes(item.id.bytes),
            .integer(Int64(bitPattern: item.generation)), .bytes(uniqueness))
        guard let row = try connection.number("SELECT last_insert_rowid()") else { throw Malformed() }
        try writeContents(row, item, secret, applicationKey)
        for mac in try index.lookups(item) { try addLookup(mac, row) }
        try total.add(item.id.bytes, item.generation, key: recordsKey)
    }

    /// Adds items and replaces those with the given ids, all or none. Nothing of a replaced item is kept. Each replacement carries the
    /// generation after the one it was selected with. Fails as `insert` and `replace` do.
    public func write(
        adding: [(item: StoredItem, secret: SecretBytes?)], replacing: [(item: StoredItem, secret: SecretBytes?)]
    ) throws(KeychainFailure) {
        for (item, secret) in adding + replacing { try ItemLimits.check(item, secret: secret) }
        try keeping {
            try transaction { total in
                for (item, secret) in replacing {
                    guard let (candidate, _) = try stored(item.id), candidate.generation &+ 1 == item.generation else {
                        throw KeychainFailure.itemNotFound
                    }
                    let old = try openWhole(candidate)
                    try connection.run("UPDATE records SET uniqueness = NULL WHERE row = ?", .integer(candidate.row))
                    try rewrite(candidate.row, old.item, item, secret, nil, &total)
                }
                for (item, secret) in adding { try put(item, secret, nil, &total) }
            }
            for change in replacing { damagedSecrets.remove(change.item.id) }
        }
    }

    /// Replaces items by id, all or none. Each carries the generation after the one it was selected with, which reveals a change in
    /// between.
    ///
    /// A secret of nil keeps the present one, sealed again under the item's rule. Fails with `.itemNotFound` if an item is gone or was
    /// changed since, `.damaged` if its attributes are, `.duplicateItem` if another has the same uniqueness, and otherwise as `insert`
    /// does.
    public func replace(
        _ changes: [(item: StoredItem, secret: SecretBytes?)], applicationKey: SecretBytes?
    ) throws(KeychainFailure) {
        for change in changes { try ItemLimits.check(change.item, secret: change.secret) }
        try keeping {
            try transaction { total in
                var rows: [(row: Int64, old: SealedItem, box: [UInt8]?)] = []
                for (item, _) in changes {
                    guard let (candidate, box) = try stored(item.id), candidate.generation &+ 1 == item.generation else {
                        throw KeychainFailure.itemNotFound
                    }
                    let old = try openWhole(candidate)
                    // All names are given up first, because two items may swap theirs.
                    try connection.run("UPDATE records SET uniqueness = NULL WHERE row = ?", .integer(candidate.row))
                    rows.append((candidate.row, old, box))
                }
                for ((item, secret), (row, old, box)) in zip(changes, rows) {
                    let kept = try secret ?? (old.item.hasSecret ? self.secret(of: old, box, applicationKey) : nil)
                    try rewrite(row, old.item, item, kept, applicationKey, &total)
                }
            }
            for change in changes where change.secret != nil { damagedSecrets.remove(change.item.id) }
        }
    }

    private func rewrite(
        _ row: Int64, _ old: StoredItem, _ item: StoredItem, _ secret: SecretBytes?, _ applicationKey: SecretBytes?,
        _ total: inout Total
    ) throws {
        let uniqueness = try index.uniqueness(item)
        try vacate(uniqueness, &total)
        try setGeneration(row, old, item.generation, &total)
        try connection.run("UPDATE records SET uniqueness = ? WHERE row = ?", .bytes(uniqueness), .integer(row))
        try writeContents(row, item, secret, applicationKey)
        let (before, after) = (try index.lookups(old), try index.lookups(item))
        for mac in before.subtracting(after) { try removeLookup(mac, row) }
        for mac in after.subtracting(before) { try addLookup(mac, row) }
        try connection.run("DELETE FROM quarantine WHERE kind = 2 AND id = ?", .bytes(item.id.bytes))
    }

    /// Removes items. An item that is already gone is no failure. Fails if it can't be written.
    public func remove(_ items: [StoredItem]) throws(KeychainFailure) {
        try keeping {
            try transaction { total in
                for item in items {
                    guard let (candidate, _) = try stored(item.id) else { continue }
                    try erase(candidate, try undamaged { try open(candidate) }, &total)
                }
            }
            for item in items { damagedSecrets.remove(item.id) }
        }
    }

    /// Marks an item dead; its secret stays sealed. Only the `device` class key is needed.
    ///
    /// Fails with `.itemNotFound` if it is gone or was changed since, `.damaged` if its attributes are, and if it can't be written.
    public func markDead(_ item: StoredItem) throws(KeychainFailure) {
        try keeping {
            try transaction { total in
                guard let (candidate, _) = try stored(item.id), candidate.generation == item.generation else {
                    throw KeychainFailure.itemNotFound
                }
                var sealed = try openWhole(candidate)
                try setGeneration(candidate.row, sealed.item, sealed.item.generation + 1, &total)
                sealed.item.generation += 1
                sealed.item.isDead = true
                try connection.run(
                    "UPDATE contents SET generation = ?, attributes = ? WHERE row = ?",
                    .integer(Int64(bitPattern: sealed.item.generation)), .bytes(try seals.seal(sealed)),
                    .integer(candidate.row))
            }
        }
    }

    /// Removes everything whose class key was erased. Reading hides these items anyway; this frees their room.
    func removeErased() throws {
        var erased: [StoredItem] = []
        try connection.rows(Self.everything) {
            let candidate = Candidate($0)
            if let sealed = try undamaged({ try open(candidate) }), !isAlive(sealed) { erased.append(sealed.item) }
            return true
        }
        if !erased.isEmpty { try remove(erased) }
    }

    static let everything = """
        SELECT r.row, r.id, r.generation, c.attributes, c.secret, r.uniqueness FROM records r
        LEFT JOIN contents c ON c.row = r.row ORDER BY r.row
        """

    // MARK: Parts of a transaction

    private func writeContents(
        _ row: Int64, _ item: StoredItem, _ secret: SecretBytes?, _ applicationKey: SecretBytes?
    ) throws {
        let keyClass = item.rule.accessibility.keyClass
        guard let serial = keyClass == .passcode ? keybag.passcodeSerial : 0 else {
            throw KeychainFailure.interactionNotAllowed
        }
        var sealed = SealedItem(item: item, serial: serial, secretGeneration: item.generation)
        sealed.item.hasSecret = secret != nil
        var box: [UInt8]?
        if let secret {
            guard let key = keybag.classKey(keyClass) else { throw KeychainFailure.interactionNotAllowed }
            box = try seals.seal(secret, of: sealed, under: key.secrets, applicationKey: applicationKey)
        }
        try connection.run(
            "INSERT OR REPLACE INTO contents(row, id, generation, attributes, secret) VALUES(?, ?, ?, ?, ?)", .integer(row),
            .bytes(item.id.bytes), .integer(Int64(bitPattern: item.generation)), .bytes(try seals.seal(sealed)),
            box.map { .bytes($0) } ?? .null)
    }

    private func setGeneration(_ row: Int64, _ old: StoredItem, _ generation: UInt64, _ total: inout Total) throws {
        try connection.run(
            "UPDATE records SET generation = ? WHERE row = ?", .integer(Int64(bitPattern: generation)), .integer(row))
        try total.subtract(old.id.bytes, old.generation, key: recordsKey)
        try total.add(old.id.bytes, generation, key: recordsKey)
    }

    /// Opens a row that is about to be changed. Fails with `.damaged` if its attributes are.
    private func openWhole(_ candidate: Candidate) throws -> SealedItem {
        guard let sealed = try undamaged({ try open(candidate) }) else { throw KeychainFailure.damaged }
        return sealed
    }

    /// Makes sure that no other item has this name. A damaged item gives the name up. An item that can't be opened just now isn't damaged:
    /// it stays, and the call fails.
    private func vacate(_ uniqueness: [UInt8], _ total: inout Total) throws {
        var holder: Candidate?
        try connection.rows(
            """
            SELECT r.row, r.id, r.generation, c.attributes FROM records r LEFT JOIN contents c ON c.row = r.row
            WHERE r.uniqueness = ?
            """, [.bytes(uniqueness)]
        ) {
            holder = Candidate($0)
            return false
        }
        guard let holder else { return }
        guard let sealed = try undamaged({ try open(holder) }) else { return try moveToQuarantine(holder, &total) }
        guard sealed.item.isDead || !isAlive(sealed) else { throw KeychainFailure.duplicateItem }
        try erase(holder, sealed, &total)
    }

    func erase(_ candidate: Candidate, _ sealed: SealedItem?, _ total: inout Total) throws {
        if let sealed {
            for mac in try index.lookups(sealed.item) { try removeLookup(mac, candidate.row) }
        } else {
            try connection.run("DELETE FROM lookups WHERE row = ?", .integer(candidate.row))
        }
        try connection.run("DELETE FROM records WHERE row = ?", .integer(candidate.row))
        try connection.run("DELETE FROM quarantine WHERE kind = 2 AND id = ?", .bytes(candidate.id))
        try total.subtract(candidate.id, candidate.generation, key: recordsKey)
    }

    func addLookup(_ mac: [UInt8], _ row: Int64) throws {
        try connection.run("INSERT OR IGNORE INTO lookups(mac, row) VALUES(?, ?)", .bytes(mac), .integer(row))
    }

    private func removeLookup(_ mac: [UInt8], _ row: Int64) throws {
        try connection.run("DELETE FROM lookups WHERE mac = ? AND row = ?", .bytes(mac), .integer(row))
    }
}
