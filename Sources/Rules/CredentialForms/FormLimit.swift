/// Limits of what tools send.
public enum FormLimit {
    /// The longest text besides a secret: a URL, a name or a path. Tools take these from command lines and files that have far shorter ones.
    public static let textBytes = 16 << 10
    /// The longest line of a conversation. A token or a file's key is in it, and those fit many times.
    public static let lineBytes = 64 << 10
}
