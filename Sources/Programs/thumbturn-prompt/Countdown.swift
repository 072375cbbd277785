import ThumbLoop

/// How long no passcode is checked, as the prompt shows it.
struct Countdown {
    /// The seconds that the daemon named.
    let named: Double
    private let end: Double
    /// The seconds that the terminal shows.
    private(set) var shown: Int

    init(_ seconds: Double, at now: Double = EventLoop.now) {
        named = seconds
        end = now + seconds
        shown = Self.whole(seconds)
    }

    /// Takes the next number to show; nil as long as it is the same.
    mutating func next(at now: Double = EventLoop.now) -> Int? {
        let left = Self.whole(max(0, end - now))
        guard left < shown else { return nil }
        shown = left
        return left
    }

    /// Rounded up: nobody should try a moment too soon.
    private static func whole(_ seconds: Double) -> Int { Int(seconds.rounded(.up)) }
}
