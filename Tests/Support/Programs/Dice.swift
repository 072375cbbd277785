/// Numbers that come out the same from the same seed, so that a failure can be looked at again.
public struct Dice: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(_ seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        // SplitMix64.
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }

    /// One of the numbers from 0 on.
    public mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &self) }
}
