public import ThumbAccess

/// Where events are written down.
public protocol AuditTrail: AnyObject {
    /// Notes an event. It is on disk within a second, and before any later write is acknowledged. Repeats are counted.
    func note(_ note: AuditNote)
    /// Runs a write together with its notes. When it returns all of it is on disk, or nothing if it fails.
    func noting<Result>(
        _ notes: [AuditNote], _ write: () throws(KeychainFailure) -> Result
    ) throws(KeychainFailure) -> Result
    /// Turns events that were only counted so far into records that wait to be written.
    func settle()
    /// Puts the waiting records on disk.
    func flush() throws(KeychainFailure)
    /// The records from that place on, without damaged ones: of one program, or of all. Looks at `limit` records at most.
    func records(from place: UInt64, limit: Int, of program: AuditProgram?) throws(KeychainFailure) -> AuditPage
    /// Goes on reading the chains of one program, or of all. Looks at `limit` records at most, and returns whether that was the end.
    func verifyAudit(
        _ progress: inout AuditProgress, limit: Int, of program: AuditProgram?
    ) throws(KeychainFailure) -> Bool
}

/// A piece of the audit.
public struct AuditPage: Sendable {
    /// A record, and the item that it is about, which not everybody may see.
    public struct Entry: Sendable {
        public var record: AuditRecord
        public var item: ItemID?

        public init(_ record: AuditRecord, item: ItemID?) {
            self.record = record
            self.item = item
        }
    }

    public var entries: [Entry]
    /// Where the next page begins; nil after the last.
    public var next: UInt64?

    public init(_ entries: [Entry], next: UInt64?) {
        self.entries = entries
        self.next = next
    }
}

/// How far a verification has come. Only the store advances it.
public struct AuditProgress: Sendable {
    /// The chain that is being read, or the next one.
    public var chain: UInt32 = 0
    /// The findings about that chain so far; nil if it wasn't begun.
    public var reading: AuditReport.Chain?
    /// The number of the next record.
    public var number: UInt64 = 0
    /// The tag that the next record must follow; nil after a record that doesn't tell.
    public var expected: [UInt8]?
    /// The tag of the latest record that was read.
    public var last: [UInt8] = []
    public var report = AuditReport()

    public init() {}
}

extension Keychain {
    /// How many items of one call are named one by one. Beyond that a list of names is noise.
    private static let namedItems = 16

    /// One note for each item, and one for the rest if there are many.
    func notes(_ event: AuditEvent, _ items: [StoredItem], _ authority: Authority) -> [AuditNote] {
        var notes = items.prefix(Self.namedItems).map { note(event, $0, authority) }
        if items.count > Self.namedItems {
            var rest = note(event, nil, authority)
            rest.times = UInt32(clamping: items.count - Self.namedItems)
            rest.isOthers =
                notes.contains(where: \.isOthers)
                || items.dropFirst(Self.namedItems).contains { isOthers($0, authority.caller) }
            notes.append(rest)
        }
        return notes
    }

    func note(
        _ event: AuditEvent, _ item: StoredItem?, _ authority: Authority, failure: KeychainFailure? = nil
    ) -> AuditNote {
        AuditNote(
            date: clock(), event: event, by: authority.caller, failure: failure, factors: authority.given,
            itemClass: item?.itemClass, item: item?.id.bytes,
            isOthers: item.map { isOthers($0, authority.caller) } ?? false)
    }

    /// Whether an item is in a group that is neither the program's own nor made by it.
    private func isOthers(_ item: StoredItem, _ caller: Caller) -> Bool {
        // To everybody but the provider a kept item is its maker's.
        if isKept(item), caller.own != keptGroup { return item.maker != caller.own }
        let own = Array(caller.own.utf8)
        guard caller.mayShare, !own.elementsEqual(item.group.utf8) else { return false }
        do throws(KeychainFailure) {
            return try !own.elementsEqual(groups.maker(of: item.group)?.app.utf8 ?? item.group.utf8)
        } catch {  // If nobody can tell whose group it is, the owner should learn of it.
            return true
        }
    }

    /// The records of a page in the form that a caller may see. Each item has a digest, and also its reference if the caller can find the
    /// item anyway.
    public func shown(_ page: AuditPage, to caller: Caller) throws(KeychainFailure) -> [AuditRecord] {
        var groups = caller.groups
        if !groups.isEmpty { groups = try self.groups.list(of: caller) }
        var references: [ItemID: [UInt8]?] = [:]
        var records: [AuditRecord] = []
        for entry in page.entries {
            var record = entry.record
            if let id = entry.item, let itemClass = record.itemClass, !groups.isEmpty {
                if references[id] == nil {
                    let selection = Selection(itemClass: itemClass, groups: groups, id: id, limit: 1)
                    references[id] = .some(try store.select(selection).first.map { PersistentRef.make($0) })
                }
                record.reference = references[id] ?? nil
            }
            records.append(record)
        }
        return records
    }
}
