/// How long a passcode may be, in bytes of UTF-8.
public enum PasscodeLimit {
    /// Four, as on a phone: the delays after wrong guesses, not the length, keep a guesser out of a running device.
    public static let least = 4
    /// A passphrase of a few lines; more is a pasted mistake.
    public static let most = 256
}
