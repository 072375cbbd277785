/// Limits how often something may be taken: a number of times at once, and once more after each pause.
public struct Pace: Sendable {
    private let most: Double
    private let pause: Double
    private var left: Double
    private var latest = 0.0

    /// - Parameters:
    ///   - most: how many times at once.
    ///   - pause: seconds until one more may be taken.
    public init(_ most: Int, pause: Double) {
        (self.most, self.pause) = (Double(most), pause)
        left = self.most
    }

    /// Takes it once more, if that is allowed now. `now` is in seconds of any clock that isn't set.
    public mutating func take(at now: Double) -> Bool {
        left = min(most, left + max(0, now - latest) / pause)
        latest = now
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
