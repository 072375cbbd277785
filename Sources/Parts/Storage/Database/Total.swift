import ThumbAuthentication
import ThumbCrypto
import ThumbSecrets

/// A sum modulo 2²⁵⁶.
struct Sum256: Equatable {
    static let byteCount = 32
    private var limbs: [UInt64] = [0, 0, 0, 0]

    init() {}

    /// From 32 bytes, most significant first.
    init(_ bytes: [UInt8]) {
        for limb in 0..<4 { limbs[limb] = bytes[limb * 8..<limb * 8 + 8].reduce(0) { $0 << 8 | UInt64($1) } }
    }

    static func += (sum: inout Sum256, other: Sum256) {
        var carry: UInt64 = 0
        for limb in (0..<4).reversed() {
            let (partial, first) = sum.limbs[limb].addingReportingOverflow(other.limbs[limb])
            let (whole, second) = partial.addingReportingOverflow(carry)
            sum.limbs[limb] = whole
            carry = first || second ? 1 : 0
        }
    }

    static func -= (sum: inout Sum256, other: Sum256) {
        var borrow: UInt64 = 0
        for limb in (0..<4).reversed() {
            let (partial, first) = sum.limbs[limb].subtractingReportingOverflow(other.limbs[limb])
            let (whole, second) = partial.subtractingReportingOverflow(borrow)
            sum.limbs[limb] = whole
            borrow = first || second ? 1 : 0
        }
    }

    func write(to writer: inout ByteWriter) { for limb in limbs { writer.integer(limb) } }
}

/// The totals over all records together.
struct Total: Equatable {
    /// Grows with each transaction.
    var changes: UInt64 = 0
    var records: UInt64 = 0
    var sum = Sum256()
    /// The number of the misses' row that counts; older rows don't.
    var missesSerial: UInt64 = 0
    /// Whether a service has the database open, or had it and did not end cleanly.
    var inUse = false
    /// The audit's only chain in stores from before there were rings.
    var audit = AuditEnds()
    /// The value that the chip's counter shows, or is about to show; 0 without a counter.
    var anchor: UInt64 = 0
    /// Whether something was written since the anchor moved.
    var isBehind = false
    /// The keybag's revision when this was written.
    var keybag: UInt64 = 0
    /// The audit's chains: how many there are, the next one's number, and the sum over their rows.
    var chains: UInt32 = 0
    var nextChain: UInt32 = 1
    var chainSum = Sum256()
    /// The house's own rows: how many there are, and the sum over them.
    var house = HouseSum()

    mutating func add(_ id: [UInt8], _ generation: UInt64, key: HMACKey) throws {
        sum += try Self.summand(id, generation, key)
        records &+= 1
    }

    mutating func subtract(_ id: [UInt8], _ generation: UInt64, key: HMACKey) throws {
        sum -= try Self.summand(id, generation, key)
        records &-= 1
    }

    private static func summand(_ id: [UInt8], _ generation: UInt64, _ key: HMACKey) throws -> Sum256 {
        var writer = ByteWriter(reserving: 24)
        writer.raw(id)
        writer.integer(generation)
        return Sum256(try HMAC256.authenticate(writer.bytes, key: key))
    }
}

/// Seals and opens the state rows.
struct StateSeals {
    enum Name: UInt64 {
        /// Not sealed: the keybag's id, which tells a mix-up from damage.
        case keybag = 0
        case total = 1
        case misses = 2
    }

    let keybag: [UInt8]
    let key: SecretBytes

    func seal(_ total: Total) throws -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(total.changes)
        writer.integer(total.records)
        total.sum.write(to: &writer)
        writer.integer(total.missesSerial)
        writer.byte(total.inUse ? 1 : 0)
        total.audit.write(to: &writer)
        writer.integer(total.anchor)
        writer.byte(total.isBehind ? 1 : 0)
        writer.integer(total.keybag)
        writer.integer(total.chains)
        writer.integer(total.nextChain)
        total.chainSum.write(to: &writer)
        total.house.write(to: &writer)
        return try SealedBox.seal(writer.bytes, key: key, associatedData: binding(.total, 0))
    }

    /// - Parameter hasHouse: whether the file has the house's own tables. A total without them says nothing about their rows, and isn't
    ///   valid for a file with them.
    func openTotal(_ box: [UInt8], hasHouse: Bool) throws -> Total {
        var reader = SecretReader(try SealedBox.open(box, key: key, associatedData: binding(.total, 0)))
        var total = Total()
        total.changes = try reader.integer(UInt64.self)
        total.records = try reader.integer(UInt64.self)
        total.sum = Sum256(try reader.raw(Sum256.byteCount))
        total.missesSerial = try reader.integer(UInt64.self)
        total.inUse = try reader.byte().asFlag()
        // A total of format 1 ends here, one of format 2 after the audit, of 3 after the anchor, and of 4 after the chains.
        if !reader.isAtEnd { total.audit = try AuditEnds(&reader) }
        if !reader.isAtEnd {
            total.anchor = try reader.integer(UInt64.self)
            total.isBehind = try reader.byte().asFlag()
            total.keybag = try reader.integer(UInt64.self)
        }
        if !reader.isAtEnd {
            total.chains = try reader.integer(UInt32.self)
            total.nextChain = try reader.integer(UInt32.self)
            total.chainSum = Sum256(try reader.raw(Sum256.byteCount))
        }
        if hasHouse || !reader.isAtEnd { total.house = try HouseSum(from: &reader) }
        try reader.end()
        return total
    }

    func seal(_ attempts: Attempts, serial: UInt64) throws -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(UInt32(clamping: attempts.biometric))
        writer.integer(UInt32(clamping: attempts.passcode))
        return try SealedBox.seal(writer.bytes, key: key, associatedData: binding(.misses, serial))
    }

    func openMisses(_ box: [UInt8], serial: UInt64) throws -> Attempts {
        var reader = SecretReader(try SealedBox.open(box, key: key, associatedData: binding(.misses, serial)))
        let attempts = Attempts(
            biometric: Int(try reader.integer(UInt32.self)), passcode: Int(try reader.integer(UInt32.self)))
        try reader.end()
        return attempts
    }

    private func binding(_ name: Name, _ serial: UInt64) -> [UInt8] {
        var writer = ByteWriter()
        writer.raw("thumbturn state 1")
        writer.raw(keybag)
        writer.integer(name.rawValue)
        if name == .misses { writer.integer(serial) }
        return writer.bytes
    }
}
