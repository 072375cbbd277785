/// Whether the finger that answered the previous question may still lie on the reader, judged by one verification.
///
/// A driver that can tell reports a finger on the reader soon after it begins to look. It may report that the finger is gone before the
/// verdict comes, because it has taken its picture by then. So the finger has left only if a verification saw none at all for a moment.
struct FingerDoubt {
    enum State { case looks, lies, hasLeft }

    /// Within these seconds, a reader that looks for a finger notices one that lies on it.
    static let settling = 0.3
    /// After these seconds, a driver that never says that it looks is assumed to be looking.
    static let slowest = 2.0

    private let began: Double
    private var looksSince: Double?
    private var wasSeen = false

    init(at now: Double) { began = now }

    /// Takes in what the driver says about the finger, and about whether it wants one; nil if it says nothing.
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
