/// Whether the finger that answered the question before may still lie on the reader, as one verification shows.
///
/// A driver that can tell reports a finger that lies there soon after it began to look. It may report that the finger is gone
/// before the verdict comes, because the picture is taken by then. So the finger has left only if a verification saw none at all
/// for a moment.
struct FingerDoubt {
    enum State { case looks, lies, hasLeft }

    /// Seconds in which a reader that looks for a finger notices one that lies on it.
    static let settling = 0.3
    /// Seconds after which a driver that never says that it looks is taken to do so.
    static let slowest = 2.0

    private let began: Double
    private var looksSince: Double?
    private var wasSeen = false

    init(at now: Double) { began = now }

    /// Takes in what the driver says of the finger, and of whether it wants one; nil where it says nothing.
    mutating func hears(isPresent: Bool?, isNeeded: Bool?, at now: Double) {
        if isPresent == true { wasSeen = true }
        if isNeeded == true, looksSince == nil { looksSince = now }
    }

    func state(isPresent: Bool, at now: Double) -> State {
        if isPresent || wasSeen { return .lies }
        let since = looksSince ?? began + Self.slowest - Self.settling
        return now >= since + Self.settling ? .hasLeft : .looks
    }
}
