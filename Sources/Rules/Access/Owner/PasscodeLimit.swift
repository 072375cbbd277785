/// How long a passcode may be, in bytes of UTF-8.
public enum PasscodeLimit {
    /// Four, as on a phone. The delays after wrong guesses, not the length, keep a guesser out of a running device.
    public static let least = 4
    /// A passphrase of a few lines; more is a pasted mistake.
    public static let most = 256
}

/// What an app may leave with a context for the device to use.
public enum CredentialLimit {
    /// An application password or a card's PIN: words, not files.
    public static let bytes = 4 << 10
    /// The kind of credential that is mixed into items' keys.
    public static let applicationPassword: UInt8 = 0
    /// How many kinds there are: application password (0) and smart card PIN (-3, as its low byte).
    public static let kinds = 2
}

/// The window in which a biometric unlock of the device may stand for a fresh match.
public enum ReuseLimit {
    /// Apple's ceiling. A longer time counts as this one.
    public static let seconds = 300.0
}
