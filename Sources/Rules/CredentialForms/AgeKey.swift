/// A key for age: a point on P-256, which is both the recipient and what finds the private half.
public struct AgeKey: Sendable, Hashable {
    /// How many bytes a point's two coordinates have.
    public static let pointBytes = 64
    /// The first part of a recipient, and that of an identity in small letters.
    private static let (recipientPrefix, identityPrefix) = ("age1thumbturn", "age-plugin-thumbturn-")

    /// Both coordinates, one after the other. Whether they are on the curve isn't checked here.
    public let point: [UInt8]

    /// nil unless it has the length of a point.
    public init?(point: [UInt8]) {
        guard point.count == Self.pointBytes else { return nil }
        self.point = point
    }

    /// Reads a recipient; nil if the text is none of ours.
    public init?(recipient: String) {
        guard let point = Bech32.decoded(recipient, prefix: Self.recipientPrefix) else { return nil }
        self.init(point: point)
    }

    /// Reads an identity; nil if the text is none of ours.
    public init?(identity: String) {
        guard let point = Bech32.decoded(identity, prefix: Self.identityPrefix) else { return nil }
        self.init(point: point)
    }

    /// The recipient, which others may know.
    public var recipient: String { Bech32.encoded(point, prefix: Self.recipientPrefix) }
    /// The identity. It isn't secret either: it only says which key it is.
    public var identity: String { Bech32.encoded(point, prefix: Self.identityPrefix).uppercased() }
}

/// A file's key that was wrapped to one of these keys, as the file's header has it: `thumbturn TAG SHARE` and 32 bytes.
public struct AgeWrapping: Sendable, Hashable {
    /// What a stanza of ours begins with.
    public static let type = "thumbturn"
    /// How many bytes of the hash of a key's point tell which key is meant.
    public static let tagBytes = 4
    /// A file's key.
    public static let fileKeyBytes = 16
    /// The same, sealed.
    public static let sealedBytes = 32
    /// What the derivation of a wrapping key is bound to.
    public static let label = "thumbturn age P-256 HKDF-SHA256 ChaCha20-Poly1305 1"

    /// The first bytes of the SHA-256 of the key's point.
    public let tag: [UInt8]
    /// The point of the key that was made for this file alone.
    public let share: AgeKey
    /// The sealed key.
    public let sealed: [UInt8]

    /// A wrapping that was just made.
    public init(tag: [UInt8], share: AgeKey, sealed: [UInt8]) { (self.tag, self.share, self.sealed) = (tag, share, sealed) }

    /// Reads a stanza's words from its type on, and its body. nil if it is of another type. Fails with `malformed` if it is of ours and not
    /// formed so.
    public init?(_ words: some Collection<String>, body: [UInt8]) throws(FormRefusal) {
        guard words.first == Self.type else { return nil }
        let rest = Array(words.dropFirst())
        guard rest.count == 2, let tag = BareBase64.decoded(rest[0]), tag.count == Self.tagBytes,
            let share = BareBase64.decoded(rest[1]).flatMap({ AgeKey(point: $0) }), body.count == Self.sealedBytes
        else { throw .malformed }
        self.init(tag: tag, share: share, sealed: body)
    }

    /// The stanza's words.
    public var words: [String] {
        [Self.type] + [tag, share.point].map { String(decoding: BareBase64.encoded($0), as: UTF8.self) }
    }
}
