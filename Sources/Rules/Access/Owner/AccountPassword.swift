/// Whether a passcode is the owner's own or the account's password. The numbers are on disk and on the wire.
public enum PasscodeSource: UInt8, Sendable, Hashable, CaseIterable {
    /// Chosen for Thumbturn alone.
    case own = 1
    /// The password of the owner's account, which the system may change or refuse by itself.
    case account = 2
}

/// What the system says about an account's password. The numbers travel on the wire.
public enum AccountVerdict: UInt8, Sendable, Hashable, CaseIterable {
    case right = 1
    case wrong = 2
    /// It is the password, but has to be changed before it counts.
    case expired = 3
    /// The account may not be used: it is locked or has expired.
    case locked = 4
    /// Nobody could be asked: there is no such service, a module failed, or a helper ended.
    case unavailable = 5
}

/// What the system asks besides the password.
public struct AccountQuestion: Sendable, Hashable {
    /// Longest text that is passed on.
    public static let textBytes = 512

    /// A module's own words, not yet made safe to show.
    public var text: String
    /// Whether the typed answer must not be shown.
    public var isHidden: Bool

    public init(text: String, isHidden: Bool) {
        // Cut to a length that nobody will miss. A cut inside a character decodes as one replacement character.
        self.text =
            text.utf8.count > Self.textBytes ? String(decoding: text.utf8.prefix(Self.textBytes - 3), as: UTF8.self) : text
        self.isHidden = isHidden
    }
}
