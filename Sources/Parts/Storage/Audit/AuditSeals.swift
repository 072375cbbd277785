import ThumbAccess
import ThumbCrypto
import ThumbKeychain
import ThumbSQLite
import ThumbSecrets

// The audit's forms (docs/STORE.md): records in chains, each sealed to the one before it, and the ends of the chains.

/// The place of a record: its chain's number and its own. Together they are the number of its row.
struct AuditPlace: Equatable {
    private static let numberBits: UInt64 = 40

    var chain: UInt32
    var number: UInt64

    init(_ chain: UInt32, _ number: UInt64) { (self.chain, self.number) = (chain, number) }

    init(row: UInt64) {
        chain = UInt32(truncatingIfNeeded: row >> Self.numberBits)
        number = row & (1 << Self.numberBits - 1)
    }

    var row: UInt64 { UInt64(chain) << Self.numberBits | number }
    var value: SQLiteValue { .integer(Int64(bitPattern: row)) }
}

/// Where a chain begins and ends.
struct AuditEnds: Equatable {
    static let tagBytes = 16

    /// The number of the oldest record that is kept, and the number that the next record gets.
    var first: UInt64 = 1
    var next: UInt64 = 1
    /// The tag that comes before the oldest record, and the tag of the latest record.
    var base = [UInt8](repeating: 0, count: tagBytes)
    var head = [UInt8](repeating: 0, count: tagBytes)

    var count: UInt64 { next - first }

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

    /// The tag of a sealed row; zeros if the row is too short to have one.
    static func tag(of box: [UInt8]) -> [UInt8] {
        let tag = Array(box.suffix(tagBytes))
        return tag + [UInt8](repeating: 0, count: tagBytes - tag.count)
    }
}

/// Seals and opens the audit's records and the ends of its chains.
struct AuditSeals {
    let keybag: [UInt8]
    let keys: DeviceKeys

    /// A record as it is on disk.
    struct Sealed {
        var record: AuditRecord
        var item: ItemID?
    }

    // MARK: What stands for programs and items

    static let digestBytes = 16

    /// What tells a program from others.
    func digest(of program: AuditProgram) throws -> [UInt8] {
        var writer = ByteWriter(reserving: 64)
        writer.byte(program.kind.rawValue)
        writer.integer(program.uid)
        writer.raw(program.own)
        return Array(try HMAC256.authenticate(writer.bytes, key: keys.auditPrograms).prefix(Self.digestBytes))
    }

    /// What is shown instead of an item.
    func digest(of item: ItemID) throws -> [UInt8] {
        Array(try HMAC256.authenticate(item.bytes, key: keys.auditItems).prefix(Self.digestBytes))
    }

    // MARK: Records

    /// The form of a record: the tag that it follows, then its seal.
    func seal(_ note: AuditNote, _ program: [UInt8], at place: AuditPlace, after tag: [UInt8]) throws -> [UInt8] {
        var writer = ByteWriter(reserving: 144)
        writer.integer(note.date.bitPattern)
        writer.byte(note.event.rawValue)
        writer.byte(note.failure?.rawValue ?? 0)
        // The bits above the factors say how surely the program was known.
        writer.byte(note.factors.reduce(note.program.kind.rawValue << 6) { $0 | 1 << ($1.rawValue - 1) })
        writer.integer(note.times)
        writer.integer(note.program.uid)
        writer.byte(note.itemClass?.rawValue ?? 0)
        writer.raw(note.item ?? [UInt8](repeating: 0, count: ItemID.length))
        writer.name(note.name)
        writer.raw(program)
        return tag + (try SealedBox.seal(writer.bytes, key: keys.audit, associatedData: binding(place, tag)))
    }

    /// Opens a row. Fails with `Malformed` or `authenticationFailed` if it isn't what was written there, and otherwise if the machine
    /// fails.
    func open(_ sealed: [UInt8], at place: AuditPlace) throws -> Sealed {
        let (tag, box) = (Array(sealed.prefix(AuditEnds.tagBytes)), Array(sealed.dropFirst(AuditEnds.tagBytes)))
        var reader = SecretReader(try SealedBox.open(box, key: keys.audit, associatedData: binding(place, tag)))
        let date = Double(bitPattern: try reader.integer(UInt64.self))
        guard let event = AuditEvent(rawValue: try reader.byte()) else { throw Malformed() }
        let outcome = try reader.byte()
        let factors = try reader.byte()
        var record = AuditRecord(number: place.number, ring: .earlier, date: date, event: event, uid: 0, name: "")
        record.failure = outcome == 0 ? nil : KeychainFailure(rawValue: outcome) ?? .internalFailure
        record.factors = Set([Factor.biometry, .passcode, .companion].filter { factors & 1 << ($0.rawValue - 1) != 0 })
        guard let kind = CallerClass(rawValue: factors >> 6) else { throw Malformed() }
        record.kind = kind
        record.times = try reader.integer(UInt32.self)
        record.uid = try reader.integer(UInt32.self)
        record.itemClass = ItemClass(rawValue: try reader.byte())
        let id = try reader.raw(ItemID.length)
        let item = id.allSatisfy { $0 == 0 } ? nil : ItemID(id)
        record.item = try item.map { try digest(of: $0) }
        record.name = try reader.name()
        if place.chain != 0 { record.program = try reader.raw(Self.digestBytes) }
        try reader.end()
        return Sealed(record: record, item: item)
    }

    private func binding(_ place: AuditPlace, _ tag: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(reserving: 64)
        // Chain 0 belongs to earlier daemons.
        if place.chain == 0 { writer.raw("thumbturn audit 1") } else { writer.raw("thumbturn audit 2") }
        writer.raw(keybag)
        writer.integer(place.row)
        writer.raw(tag)
        return writer.bytes
    }

    // MARK: The ends of chains

    func seal(_ chain: AuditChain) throws -> [UInt8] {
        var writer = ByteWriter(reserving: 192)
        writer.byte(chain.ring.rawValue)
        writer.raw(chain.program)
        writer.byte(chain.kind.rawValue)
        writer.integer(chain.uid)
        writer.name(chain.name)
        chain.ends.write(to: &writer)
        chain.drops.write(to: &writer)
        return try SealedBox.seal(writer.bytes, key: keys.state, associatedData: chainBinding(chain.stateName))
    }

    func openChain(_ box: [UInt8], stateName: Int64) throws -> AuditChain {
        var reader = SecretReader(try SealedBox.open(box, key: keys.state, associatedData: chainBinding(stateName)))
        guard let ring = AuditRing(rawValue: try reader.byte()), ring != .earlier else { throw Malformed() }
        let program = try reader.raw(Self.digestBytes)
        guard let kind = CallerClass(rawValue: try reader.byte()) else { throw Malformed() }
        var chain = AuditChain(
            id: UInt32(truncatingIfNeeded: stateName - AuditChain.stateNames), ring: ring, program: program, kind: kind,
            uid: try reader.integer(UInt32.self), name: try reader.name())
        chain.ends = try AuditEnds(&reader)
        chain.drops = try AuditDrops(&reader)
        try reader.end()
        chain.tag = AuditEnds.tag(of: box)
        return chain
    }

    private func chainBinding(_ stateName: Int64) -> [UInt8] {
        var writer = ByteWriter(reserving: 64)
        writer.raw("thumbturn audit chain 1")
        writer.raw(keybag)
        writer.integer(UInt64(bitPattern: stateName))
        return writer.bytes
    }

    /// What a chain's row contributes to the sum of all of them.
    func summand(stateName: Int64, tag: [UInt8]) throws -> Sum256 {
        var writer = ByteWriter(reserving: 24)
        writer.integer(UInt64(bitPattern: stateName))
        writer.raw(tag)
        return Sum256(try HMAC256.authenticate(writer.bytes, key: keys.auditChains))
    }
}

extension ByteWriter {
    /// A name of at most 255 bytes; a longer one is cut.
    fileprivate mutating func name(_ name: String) {
        let bytes = Array(name.utf8.prefix(Int(UInt8.max)))
        byte(UInt8(bytes.count))
        raw(bytes)
    }
}

extension SecretReader {
    fileprivate mutating func name() throws -> String { String(decoding: try raw(Int(try byte())), as: UTF8.self) }
}
