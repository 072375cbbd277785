import ThumbAccess

/// Records that were dropped for want of room: how many of each event, from when to when.
struct AuditDrops: Equatable {
    struct Count: Equatable {
        var count: UInt64
        var since: Double
        var until: Double
    }

    /// By the event's number; 0 for records that couldn't be read.
    private(set) var counts: [UInt8: Count] = [:]

    init() {}

    mutating func add(_ event: AuditEvent?, _ times: UInt64, _ date: Double) {
        add(event?.rawValue ?? 0, Count(count: times, since: date, until: date))
    }

    mutating func add(_ others: AuditDrops) { for (event, count) in others.counts { add(event, count) } }

    private mutating func add(_ event: UInt8, _ more: Count) {
        guard var known = counts[event] else {
            counts[event] = more
            return
        }
        // If a count started over at zero, it would hide what it had counted.
        let (sum, isOver) = known.count.addingReportingOverflow(more.count)
        known.count = isOver ? .max : sum
        known.since = min(known.since, more.since)
        known.until = max(known.until, more.until)
        counts[event] = known
    }

    init(_ reader: inout SecretReader) throws {
        for _ in 0..<(try reader.byte()) {
            let event = try reader.byte()
            guard event == 0 || AuditEvent(rawValue: event) != nil, counts[event] == nil else { throw Malformed() }
            counts[event] = Count(
                count: try reader.integer(UInt64.self), since: Double(bitPattern: try reader.integer(UInt64.self)),
                until: Double(bitPattern: try reader.integer(UInt64.self)))
        }
    }

    func write(to writer: inout ByteWriter) {
        writer.byte(UInt8(counts.count))
        for (event, count) in counts.sorted(by: { $0.key < $1.key }) {
            writer.byte(event)
            writer.integer(count.count)
            writer.integer(count.since.bitPattern)
            writer.integer(count.until.bitPattern)
        }
    }

    var shown: [AuditReport.Dropped] {
        counts.sorted { $0.key < $1.key }.map {
            AuditReport.Dropped(
                event: AuditEvent(rawValue: $0.key), count: $0.value.count, since: $0.value.since, until: $0.value.until)
        }
    }
}

/// One program's records in one ring.
struct AuditChain: Equatable {
    /// The first name in `state` that belongs to a chain.
    static let stateNames: Int64 = 16
    /// The program of the chain that programs beyond the limit share.
    static let others = [UInt8](repeating: 0, count: AuditSeals.digestBytes)

    struct Key: Hashable {
        var ring: AuditRing
        var program: [UInt8]
    }

    let id: UInt32
    let ring: AuditRing
    let program: [UInt8]
    let kind: CallerClass
    let uid: UInt32
    let name: String
    var ends = AuditEnds()
    var drops = AuditDrops()
    /// The tag of its row on disk; nil while it has none.
    var tag: [UInt8]?

    init(id: UInt32, ring: AuditRing, program: [UInt8], kind: CallerClass, uid: UInt32, name: String) {
        self.id = id
        self.ring = ring
        self.program = program
        self.kind = kind
        self.uid = uid
        self.name = name
    }

    var key: Key { Key(ring: ring, program: program) }
    var stateName: Int64 { Self.stateNames + Int64(id) }
    var isOthers: Bool { program == Self.others }
}

/// All chains. This is a value, so that the changes of a transaction only count once they are on disk.
struct AuditBook: Equatable {
    /// How many programs in a ring have a chain of their own. With that many, each still has some sixteen records in the smallest ring.
    static let chainsInRing = 512

    /// The most records in a ring. All together they take some ten megabytes, and last one person for years.
    static func limit(of ring: AuditRing) -> UInt64 {
        switch ring {
        // This ring is closed: nothing is added to it any more.
        case .earlier: .max
        case .protection: 8_192
        case .notice: 24_576
        case .everyday: 32_768
        }
    }

    private(set) var chains: [AuditChain.Key: AuditChain] = [:]
    private var records: [AuditRing: UInt64] = [:]
    private var programs: [AuditRing: Int] = [:]
    /// Whether the chains on disk were the ones that the total knew when the store was opened.
    var isWhole = true

    /// By number, which is the order in which they are read.
    var inOrder: [AuditChain] { chains.values.sorted { $0.id < $1.id } }

    func isFull(of chainsIn: AuditRing) -> Bool { programs[chainsIn, default: 0] >= Self.chainsInRing }

    func hasTooMany(in ring: AuditRing) -> Bool { records[ring, default: 0] > Self.limit(of: ring) }

    subscript(key: AuditChain.Key) -> AuditChain? { chains[key] }

    mutating func put(_ chain: AuditChain) {
        let before = chains.updateValue(chain, forKey: chain.key)
        if before == nil, !chain.isOthers { programs[chain.ring, default: 0] += 1 }
        records[chain.ring] = records[chain.ring, default: 0] - (before?.ends.count ?? 0) + chain.ends.count
    }

    /// The chain of a ring that loses its oldest record: the longest, so that no program loses part of its share because of others.
    func longest(in ring: AuditRing) -> AuditChain? {
        chains.values.filter { $0.ring == ring }.max { ($0.ends.count, $1.id) < ($1.ends.count, $0.id) }
    }
}
