/// Whether the audit is as it was written, and which records had to be dropped.
public struct AuditReport: Sendable, Hashable {
    /// Records of one event that were dropped to make room for later ones of the same program.
    public struct Dropped: Sendable, Hashable {
        /// nil: of records that couldn't be read any more.
        public var event: AuditEvent?
        public var count: UInt64
        /// The dates of the first and the last of them.
        public var since: Double
        public var until: Double

        public init(event: AuditEvent?, count: UInt64, since: Double, until: Double) {
            self.event = event
            self.count = count
            self.since = since
            self.until = until
        }
    }

    /// What one program has in one ring.
    public struct Chain: Sendable, Hashable {
        /// How many broken records are named one by one.
        public static let namedBroken = 16

        public var ring: AuditRing
        /// As in its records; nil for the one chain of earlier daemons.
        public var program: [UInt8]?
        public var name: String
        public var kind: CallerClass
        public var uid: UInt32
        /// How many there should be.
        public var records: UInt64
        /// How many are missing, altered or don't follow the one before; then the numbers of the first of them.
        public var brokenCount: UInt64
        public var broken: [UInt64]
        /// Whether the latest record is the one that the store remembers.
        public var endsWhereItShould: Bool
        public var dropped: [Dropped]

        public init(
            ring: AuditRing, program: [UInt8]? = nil, name: String = "", kind: CallerClass = .consented, uid: UInt32 = 0,
            records: UInt64 = 0, brokenCount: UInt64 = 0, broken: [UInt64] = [], endsWhereItShould: Bool = true,
            dropped: [Dropped] = []
        ) {
            self.ring = ring
            self.program = program
            self.name = name
            self.kind = kind
            self.uid = uid
            self.records = records
            self.brokenCount = brokenCount
            self.broken = broken
            self.endsWhereItShould = endsWhereItShould
            self.dropped = dropped
        }

        public var isSound: Bool { brokenCount == 0 && endsWhereItShould }
    }

    /// Whether no chain is missing, altered or an old one.
    public var areChainsWhole: Bool
    public var chains: [Chain]

    public init(areChainsWhole: Bool = true, chains: [Chain] = []) {
        self.areChainsWhole = areChainsWhole
        self.chains = chains
    }

    /// Whether everything that should be there is there as it was written. Records that were dropped for want of room are counted
    /// separately and aren't missing.
    public var isSound: Bool { areChainsWhole && chains.allSatisfy(\.isSound) }
    public var records: UInt64 { chains.reduce(0) { $0 + $1.records } }
    public var broken: UInt64 { chains.reduce(0) { $0 + $1.brokenCount } }
    public var dropped: UInt64 { chains.reduce(0) { $0 + $1.dropped.reduce(0) { $0 + $1.count } } }
}
