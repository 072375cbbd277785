public import ThumbAccess
import ThumbCrypto
public import ThumbKeychain
import ThumbSecrets

// The audit: records in a chain, each sealed to the one before it (docs/STORE.md).

/// Where the chain begins and ends, as the total knows it.
struct AuditEnds: Equatable {
    static let tagBytes = 16

    /// The number of the oldest record kept, and the one that the next will have.
    var first: UInt64 = 1
    var next: UInt64 = 1
    /// The tag that the oldest record follows, and the latest record's own.
    var base = [UInt8](repeating: 0, count: tagBytes)
    var head = [UInt8](repeating: 0, count: tagBytes)

    init() {}

    init(_ reader: inout SecretReader) throws {
        first = try reader.integer(UInt64.self)
        next = try reader.integer(UInt64.self)
        base = try reader.raw(Self.tagBytes)
        head = try reader.raw(Self.tagBytes)
        guard first <= next else { throw Malformed() }
    }

    func write(to writer: inout ByteWriter) {
        writer.integer(first)
        writer.integer(next)
        writer.raw(base)
        writer.raw(head)
    }
}

/// Seals and opens the audit's records.
struct AuditSeals {
    let keybag: [UInt8]
    let key: SecretBytes

    /// A record's form: the tag it follows, then its seal.
    func seal(_ record: AuditRecord, after tag: [UInt8]) throws -> [UInt8] {
        var writer = ByteWriter(reserving: 128)
        writer.integer(record.date.bitPattern)
        writer.byte(record.event.rawValue)
        writer.byte(record.failure?.rawValue ?? 0)
        // How surely the program was known stands above the factors, where records of older daemons have nothing: consented.
        writer.byte(record.factors.reduce(record.kind.rawValue << 6) { $0 | 1 << ($1.rawValue - 1) })
        writer.integer(record.times)
        writer.integer(record.uid)
        writer.byte(record.itemClass?.rawValue ?? 0)
        writer.raw(record.item ?? [UInt8](repeating: 0, count: ItemID.length))
        let program = Array(record.program.utf8.prefix(Int(UInt8.max)))
        writer.byte(UInt8(program.count))
        writer.raw(program)
        return tag + (try SealedBox.seal(writer.bytes, key: key, associatedData: binding(record.number, tag)))
    }

    func open(_ sealed: [UInt8], number: UInt64) throws -> AuditRecord {
        let (tag, box) = (Array(sealed.prefix(AuditEnds.tagBytes)), Array(sealed.dropFirst(AuditEnds.tagBytes)))
        var reader = SecretReader(try SealedBox.open(box, key: key, associatedData: binding(number, tag)))
        let date = Double(bitPattern: try reader.integer(UInt64.self))
        guard let event = AuditEvent(rawValue: try reader.byte()) else { throw Malformed() }
        let outcome = try reader.byte()
        let factors = try reader.byte()
        var record = AuditRecord(number: number, date: date, event: event, uid: 0, program: "")
        record.failure = outcome == 0 ? nil : KeychainFailure(rawValue: outcome) ?? .internalFailure
        record.factors = Set([Factor.biometry, .passcode, .companion].filter { factors & 1 << ($0.rawValue - 1) != 0 })
        guard let kind = CallerClass(rawValue: factors >> 6) else { throw Malformed() }
        record.kind = kind
        record.times = try reader.integer(UInt32.self)
        record.uid = try reader.integer(UInt32.self)
        record.itemClass = ItemClass(rawValue: try reader.byte())
        let item = try reader.raw(ItemID.length)
        record.item = item.allSatisfy { $0 == 0 } ? nil : item
        record.program = String(decoding: try reader.raw(Int(try reader.byte())), as: UTF8.self)
        try reader.end()
        return record
    }

    private func binding(_ number: UInt64, _ tag: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(reserving: 64)
        writer.raw("thumbturn audit 1")
        writer.raw(keybag)
        writer.integer(number)
        writer.raw(tag)
        return writer.bytes
    }
}

extension ItemDatabase: AuditTrail {
    /// Most records kept: some ten megabytes, and years of one person's use.
    static let auditLimit: UInt64 = 65_536
    /// Most that wait: past that they are written at once.
    private static let waitingLimit = 4096

    /// Notes what happened, to be written with the next transaction; what is just like the last counts it up.
    public func note(_ record: AuditRecord) {
        if let last = waiting.indices.last, waiting[last].isLike(record) {
            waiting[last].times &+= record.times
            return
        }
        // A full disk must not become full memory: then the oldest that wait are lost.
        if waiting.count >= Self.waitingLimit, (try? flush()) == nil { waiting.removeFirst(Self.waitingLimit / 2) }
        waiting.append(record)
    }

    public func noting<Result>(
        _ records: [AuditRecord], _ write: () throws(KeychainFailure) -> Result
    ) throws(KeychainFailure) -> Result {
        let before = waiting
        waiting += records
        do throws(KeychainFailure) {
            return try write()
        } catch {
            waiting = before
            throw error
        }
    }

    /// Puts what waits on disk; fails as any writing does, and then it goes on waiting.
    public func flush() throws(KeychainFailure) {
        guard !waiting.isEmpty else { return }
        try keeping { try transaction { _ in } }
    }

    /// Writes records at the chain's end and drops the oldest beyond the limit; a part of a transaction.
    func write(_ records: [AuditRecord], _ ends: inout AuditEnds) throws {
        for var record in records {
            record.number = ends.next
            let box = try auditSeals.seal(record, after: ends.head)
            try connection.run(
                "INSERT OR REPLACE INTO audit(number, sealed) VALUES(?, ?)", .integer(Int64(bitPattern: record.number)),
                .bytes(box))
            ends.head = Self.tag(of: box)
            ends.next += 1
        }
        while ends.next - ends.first > Self.auditLimit {
            let number = Value.integer(Int64(bitPattern: ends.first))
            try connection.rows("SELECT sealed FROM audit WHERE number = ?", [number]) {
                ends.base = Self.tag(of: $0.bytes(0) ?? [])
                return false
            }
            try connection.run("DELETE FROM audit WHERE number = ?", number)
            ends.first += 1
        }
    }

    private static func tag(of box: [UInt8]) -> [UInt8] {
        let tag = Array(box.suffix(AuditEnds.tagBytes))
        return tag + [UInt8](repeating: 0, count: AuditEnds.tagBytes - tag.count)
    }

    /// Records from that number on; damaged ones are left out. Fails where the file can't be read.
    public func records(from number: UInt64, limit: Int) throws(KeychainFailure) -> [AuditRecord] {
        guard limit > 0 else { return [] }
        return try keeping {
            var found: [AuditRecord] = []
            try walk(from: number) { _, sealed, record in
                if let record { found.append(record) }
                return found.count < limit
            }
            return found
        }
    }

    /// Reads the whole chain, and says what in it isn't as it was written. Fails where the file can't be read.
    public func verifyAudit() throws(KeychainFailure) -> AuditReport {
        try keeping {
            let ends = total.audit
            var report = AuditReport(first: ends.first, records: ends.next - ends.first, broken: [], endsWhereItShould: false)
            // What a record must follow; nil after one that says nothing of what comes next.
            var expected: [UInt8]? = ends.base
            var last = ends.base
            try walk(from: ends.first) { number, sealed, record in
                let follows = expected == nil || sealed.prefix(AuditEnds.tagBytes).elementsEqual(expected ?? [])
                if record == nil || !follows { report.broken.append(number) }
                expected = record == nil ? nil : Self.tag(of: sealed)
                last = Self.tag(of: sealed)
                return true
            }
            report.endsWhereItShould = last == ends.head
            return report
        }
    }

    /// Shows each number of the chain from one on, with its row and its record, empty and nil where they are missing or damaged,
    /// until `body` answers false. Rows beyond the chain's ends are nobody's.
    private func walk(from number: UInt64, _ body: (UInt64, [UInt8], AuditRecord?) throws -> Bool) throws {
        let ends = total.audit
        var number = max(number, ends.first)
        while number < ends.next {
            var page: [UInt64: [UInt8]] = [:]
            let end = min(number + 256, ends.next)
            try connection.rows(
                "SELECT number, sealed FROM audit WHERE number >= ? AND number < ?",
                [.integer(Int64(bitPattern: number)), .integer(Int64(bitPattern: end))]
            ) {
                page[UInt64(bitPattern: $0.integer(0))] = $0.bytes(1) ?? []
                return true
            }
            while number < end {
                let sealed = page[number] ?? []
                let record = try undamaged { try auditSeals.open(sealed, number: number) }
                guard try body(number, sealed, record) else { return }
                number += 1
            }
        }
    }
}
