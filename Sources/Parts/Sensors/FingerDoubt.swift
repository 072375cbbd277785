/// Whether the finger that answered the question before may lie on the reader still, as one verification shows it.
///
/// A driver that tells of fingers tells of one that lies there soon after it began to look, and may say that it is gone before the verdict
/// is there, for the picture is taken by then. So the finger has left only where a verification saw none at all for a moment.
struct FingerDoubt {
    enum State { case looks, lies, hasLeft }

    /// Seconds in which a reader that looks for a finger sees the one that lies on it.
    static let settling = 0.3
    /// Seconds after which a driver that never says that it looks is taken to do so.
    static let slowest = 2.0

    private let began: Double
    private var looksSince: Double?
    private var wasSeen = false

    init(at now: Double) { began = now }

    /// What the driver tells of the finger, and of whether it wants one; nil where it says nothing of it.
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
