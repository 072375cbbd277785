/// What the owner must show before an item's secret is released.
public struct SecAccessControlCreateFlags: OptionSet, Sendable, Hashable {
    /// The bits, as Apple numbers them.
    public let rawValue: CFOptionFlags

    /// Makes a set of those bits. Whether they fit together is decided when an access control is made.
    public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

    /// A finger, a face or the passcode. It stays valid when the enrolment changes.
    public static let userPresence = SecAccessControlCreateFlags(rawValue: 1 << 0)
    /// Any enrolled finger or face.
    public static let biometryAny = SecAccessControlCreateFlags(rawValue: 1 << 1)
    /// A finger or face that is enrolled now. The item dies when the enrolment changes. Not allowed with `biometryAny`.
    public static let biometryCurrentSet = SecAccessControlCreateFlags(rawValue: 1 << 3)
    /// The passcode.
    public static let devicePasscode = SecAccessControlCreateFlags(rawValue: 1 << 4)
    /// A paired companion device nearby.
    public static let companion = SecAccessControlCreateFlags(rawValue: 1 << 5)
    /// One of several constraints is enough. Not allowed with `and`.
    public static let or = SecAccessControlCreateFlags(rawValue: 1 << 14)
    /// Every constraint is needed, which is also the default.
    public static let and = SecAccessControlCreateFlags(rawValue: 1 << 15)
    /// The constraints guard a private key's use; an ordinary item with this flag is refused.
    public static let privateKeyUsage = SecAccessControlCreateFlags(rawValue: 1 << 30)
    /// A password of the app's own is mixed into the key.
    public static let applicationPassword = SecAccessControlCreateFlags(rawValue: 1 << 31)

    /// A sensor at convenience level, such as an ordinary camera, doesn't count. Apple doesn't have this flag.
    ///
    /// It needs `userPresence`, `biometryAny` or `biometryCurrentSet` beside it; alone it is refused.
    public static let strongBiometry = SecAccessControlCreateFlags(rawValue: 1 << 40)

    /// The key signs in, and does nothing else (`SecKeyAlgorithm.signInStatement`). Apple doesn't have this flag.
    ///
    /// It needs `privateKeyUsage` and something that the owner must show beside it; alone it is refused.
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
