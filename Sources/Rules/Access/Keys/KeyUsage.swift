/// What a key's item says about its use: what the key can do, and what all of Apple's keys say about themselves.
public enum KeyUsage {
    /// The token that a key of the Enclave names as its own.
    public static let enclaveToken = "com.apple.setoken"

    /// - Returns: each attribute that a key of this kind has, and whether it is set.
    public static func flags(_ kind: KeyKind, isPrivate: Bool) -> [(name: AttributeName, isSet: Bool)] {
        let isRSA = kind.family == .rsa
        let flags: [(String, Bool)] = [
            ("perm", true), ("priv", true), ("modi", true), ("sens", false), ("asen", false), ("extr", true), ("next", false),
            ("encr", !isPrivate), ("vrfy", !isPrivate), ("wrap", !isPrivate),
            // Apple's public RSA key says that it decrypts.
            ("decr", isPrivate || isRSA), ("sign", isPrivate), ("unwp", isPrivate), ("drve", isPrivate && !isRSA),
            ("snrc", false), ("vyrc", false),
        ]
        // Only the literals above come here.
        return flags.map { (AttributeName($0)!, $1) }
    }
}
