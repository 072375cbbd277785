import Foundation

/// Where the numbers of a random test begin.
public enum Seed {
    /// The seed of that test: the one in THUMBTURN_SEED, or else its usual one, or else another in each run.
    ///
    /// It is printed, so that a failure can be looked at again: at once and past all buffers, because the test may end the process.
    public static func chosen(
        for test: String, usually usual: UInt64? = nil, given: String? = ProcessInfo.processInfo.environment["THUMBTURN_SEED"],
        telling tell: (String) -> Void = { writeQuietly(Array($0.utf8), to: STDERR_FILENO) }
    ) -> UInt64 {
        let seed: UInt64
        if let given {
            guard let number = UInt64(given) else { preconditionFailure("THUMBTURN_SEED is no number: \(given)") }
            seed = number
        } else {
            seed = usual ?? UInt64.random(in: 0...999_999)
        }
        tell("seed: \(test): \(seed); the same again with THUMBTURN_SEED=\(seed)\n")
        return seed
    }
}

extension Dice {
    /// The dice of a random test, which begin as `Seed.chosen` says.
    public init(for test: String, usually usual: UInt64? = nil) { self.init(Seed.chosen(for: test, usually: usual)) }
}
