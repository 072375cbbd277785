/// How much a user's store holds.
public struct StoreUsage: Sendable, Hashable {
    /// How many items there are.
    public var items: UInt64
    /// Bytes of the file that are in use.
    public var bytes: UInt64

    /// A number of items, and the bytes in use.
    public init(items: UInt64, bytes: UInt64) { (self.items, self.bytes) = (items, bytes) }
}

/// How much a user's store may hold. Items that exist stay readable and removable, however many there are.
public struct StoreQuota: Sendable, Hashable {
    public var items: UInt64
    public var bytes: UInt64

    /// At most this many items, and this many bytes.
    public init(items: UInt64, bytes: UInt64) { (self.items, self.bytes) = (items, bytes) }

    /// Far more than people keep as secrets, and too little for a program to fill a disk by itself. The store is measured with a hundred
    /// thousand items; a gibibyte gives each of them ten kilobytes.
    public static let standard = StoreQuota(items: 100_000, bytes: 1 << 30)

    /// What an item takes besides its contents: its row, its names in the index, its seals.
    public static let overhead: UInt64 = 512

    /// Whether this much may be added to what is there.
    public func allows(_ items: UInt64, bytes: UInt64, beside usage: StoreUsage) -> Bool {
        usage.items + items <= self.items && usage.bytes + bytes + items * Self.overhead <= self.bytes
    }

    /// Whether to tell the owner: four fifths are used.
    public func isNear(_ usage: StoreUsage) -> Bool { usage.items >= items / 5 * 4 || usage.bytes >= bytes / 5 * 4 }
}
