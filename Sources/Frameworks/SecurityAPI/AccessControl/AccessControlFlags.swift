/// What the owner must show before an item's secret is released.
public struct SecAccessControlCreateFlags: OptionSet, Sendable, Hashable {
    /// The bits, as Apple numbers them.
    public let rawValue: CFOptionFlags

    /// Makes a set of those bits; whether they make sense together is decided when an access control is made.
    public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

    /// A finger, a face or the passcode; survives changes of the enrolment.
    public static let userPresence = SecAccessControlCreateFlags(rawValue: 1 << 0)
    /// Any enrolled finger or face.
    public static let biometryAny = SecAccessControlCreateFlags(rawValue: 1 << 1)
    /// A finger or face enrolled now: the item dies when the enrolment changes. Not together with `biometryAny`.
    public static let biometryCurrentSet = SecAccessControlCreateFlags(rawValue: 1 << 3)
    /// The passcode.
    public static let devicePasscode = SecAccessControlCreateFlags(rawValue: 1 << 4)
    /// A paired companion device nearby.
    public static let companion = SecAccessControlCreateFlags(rawValue: 1 << 5)
    /// One of several constraints is enough. Not together with `and`.
    public static let or = SecAccessControlCreateFlags(rawValue: 1 << 14)
    /// Every constraint is needed, as without an operator.
    public static let and = SecAccessControlCreateFlags(rawValue: 1 << 15)
    /// The constraints guard a private key's use; an ordinary item with this flag is refused.
    public static let privateKeyUsage = SecAccessControlCreateFlags(rawValue: 1 << 30)
    /// A password of the app's own is mixed into the key.
    public static let applicationPassword = SecAccessControlCreateFlags(rawValue: 1 << 31)

    /// A sensor at convenience level, such as an ordinary camera, doesn't count. Thumbturn's own, not Apple's.
    ///
    /// Only beside `userPresence`, `biometryAny` or `biometryCurrentSet`; alone it is refused.
    public static let strongBiometry = SecAccessControlCreateFlags(rawValue: 1 << 40)

    /// The key signs in, and does nothing else (`SecKeyAlgorithm.signInStatement`). Thumbturn's own, not Apple's.
    ///
    /// Only beside `privateKeyUsage` and something that the owner must show; alone it is refused.
    public static let signIn = SecAccessControlCreateFlags(rawValue: 1 << 41)

    /// The old name of `biometryAny`.
    @available(*, deprecated, renamed: "biometryAny")
    public static let touchIDAny = SecAccessControlCreateFlags(rawValue: 1 << 1)
    /// The old name of `biometryCurrentSet`.
    @available(*, deprecated, renamed: "biometryCurrentSet")
    public static let touchIDCurrentSet = SecAccessControlCreateFlags(rawValue: 1 << 3)
    /// The old name of `companion`.
    @available(*, deprecated, renamed: "companion")
    public static let watch = SecAccessControlCreateFlags(rawValue: 1 << 5)
}
