import ThumbSecrets

/// Draws random numbers, each as likely as every other.
struct EvenDraw {
    /// How many values two bytes have: the most that a number is drawn of.
    static let values = 1 << 16
    /// How many bytes the source is asked for at once.
    private static let pieceBytes = 64

    private let source: (Int) throws -> SecretBytes
    private var piece: SecretBytes?
    private var place = 0

    /// - Parameter source: gives as many random bytes as it is asked for.
    init(from source: @escaping (Int) throws -> SecretBytes = { try SecretBytes.random(count: $0) }) { self.source = source }

    /// A number from 0 on that is smaller than `count`, which is at most `values`. Fails as the source does.
    mutating func below(_ count: Int) throws -> Int {
        precondition((1...Self.values).contains(count), "nobody draws of so many")
        // The last few values aren't enough for all numbers. They would make some more likely, so they don't count.
        let even = Self.values - Self.values % count
        while true {
            let value = try Int(byte()) << 8 | Int(byte())
            if value < even { return value % count }
        }
    }

    private mutating func byte() throws -> UInt8 {
        if piece == nil || place == Self.pieceBytes { (piece, place) = (try source(Self.pieceBytes), 0) }
        defer { place += 1 }
        // Set above.
        return piece![place]
    }
}
