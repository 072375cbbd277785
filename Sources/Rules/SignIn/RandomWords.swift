/// A server's challenge: 32 random bytes that can be used once. A ledger keeps their SHA-256.
public struct Challenge: Sendable, Hashable {
    public static let byteCount = 32
    public let bytes: [UInt8]

    /// - Returns: nil unless there are 32 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// - Returns: nil unless the text is 32 bytes in base64url's one form.
    public init?(text: some StringProtocol) {
        guard let bytes = Digest32(text: text)?.bytes else { return nil }
        self.bytes = bytes
    }

    public var text: String { Base64URL.encoded(bytes) }
}

extension DeviceID {
    /// - Returns: nil unless the text is 32 bytes in base64url's one form.
    public init?(text: some StringProtocol) {
        guard let digest = Digest32(text: text) else { return nil }
        self.init(digest)
    }

    public var text: String { digest.text }
}
