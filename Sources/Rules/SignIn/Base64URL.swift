import ThumbAccess

/// The form of bytes in statements and in JSON.
public enum Base64URL {
    /// The text of these bytes.
    public static func encoded(_ bytes: some Collection<UInt8>) -> String { Base64.url.encoded(Array(bytes)) }

    /// - Returns: nil unless the text is what these bytes encode to: no padding, no other alphabet, no bits left over.
    public static func decoded(_ text: some StringProtocol) -> [UInt8]? { Base64.url.decoded(text) }

    /// The same of the text's bytes.
    public static func decoded(_ text: [UInt8]) -> [UInt8]? { Base64.url.decoded(text) }
}

extension Digest32 {
    static let textBytes = 43

    /// The 32 bytes in base64url.
    public var text: String { Base64URL.encoded(bytes) }

    /// - Returns: nil unless the text is 32 bytes in base64url's one form.
    public init?(text: some StringProtocol) {
        guard text.utf8.count == Self.textBytes, let bytes = Base64URL.decoded(text) else { return nil }
        self.init(bytes)
    }
}
