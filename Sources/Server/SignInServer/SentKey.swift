internal import ThumbAccess
internal import ThumbCrypto
internal import ThumbSignIn

/// A key as a client sends it: PEM, or in base64url DER or an uncompressed point.
enum SentKey {
    /// The key as a SubjectPublicKeyInfo in DER: whatever form it came in, its device's name is the same.
    /// - Throws: `.keyMalformed`, `.keyUnsuitable` or `.keyInvalid`.
    static func subjectPublicKeyInfo(_ text: String) throws(SignInRefusal) -> [UInt8] {
        let isText = text.hasPrefix("-----BEGIN ")
        guard let bytes = isText ? der(inPEM: text) : Base64URL.decoded(text) else { throw .keyMalformed }
        let point = try point(in: bytes, mayBeBare: !isText)
        do {
            return try PublicKey(external: point, .elliptic).spki
        } catch let error as CryptoError where error.code == .invalidKey {
            throw .keyInvalid
        } catch { throw .busy }
    }

    /// The uncompressed point of P-256 in it; it is still to be looked at.
    private static func point(in bytes: [UInt8], mayBeBare: Bool) throws(SignInRefusal) -> [UInt8] {
        if mayBeBare, bytes.first == 0x04 {
            guard let curve = Curve.allCases.first(where: { $0.pointBytes == bytes.count }) else { throw .keyMalformed }
            if curve != .p256 { throw .keyUnsuitable }
            return bytes
        }
        guard let info = KeyInfo(bytes) else { throw .keyMalformed }
        guard info.algorithm == KeyInfo.p256 else { throw .keyUnsuitable }
        guard info.key.count == Curve.p256.pointBytes, info.key.first == 0x04 else { throw .keyMalformed }
        return info.key
    }

    /// What stands between PEM's two lines (RFC 7468).
    private static func der(inPEM text: String) -> [UInt8]? {
        var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }[...]
        guard lines.popFirst() == "-----BEGIN PUBLIC KEY-----" else { return nil }
        if lines.last == "" { lines.removeLast() }
        guard lines.popLast() == "-----END PUBLIC KEY-----" else { return nil }
        guard lines.allSatisfy({ (1...64).contains($0.utf8.count) }) else { return nil }
        let joined = lines.joined()
        let unpadded = joined.hasSuffix("==") ? joined.dropLast(2) : joined.hasSuffix("=") ? joined.dropLast() : joined[...]
        guard joined.utf8.count % 4 == 0, !joined.utf8.contains(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") })
        else { return nil }
        // The other alphabet differs in two letters.
        let other = unpadded.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 }
        return Base64URL.decoded(String(decoding: other, as: UTF8.self))
    }
}

/// A SubjectPublicKeyInfo (RFC 5280), of whatever kind of key.
private struct KeyInfo {
    /// The algorithm's content: its name, and its parameters.
    let algorithm: [UInt8]
    let key: [UInt8]

    /// id-ecPublicKey, prime256v1.
    static let p256: [UInt8] = [
        0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07,
    ]

    init?(_ der: [UInt8]) {
        var rest = der[...]
        guard var content = Self.take(0x30, &rest), rest.isEmpty, let algorithm = Self.take(0x30, &content),
            let bits = Self.take(0x03, &content), content.isEmpty, bits.first == 0
        else { return nil }
        var parameters = algorithm
        guard Self.take(0x06, &parameters) != nil else { return nil }
        self.algorithm = Array(algorithm)
        key = Array(bits.dropFirst())
    }

    /// Takes one element off the front: its content. Lengths are in their shortest form.
    private static func take(_ tag: UInt8, _ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard rest.popFirst() == tag, let first = rest.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            let count = Int(first & 0x7F)
            guard (1...2).contains(count), rest.count >= count, rest.first != 0 else { return nil }
            length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(count)
            guard length >= (count == 1 ? 0x80 : 0x100) else { return nil }
        }
        guard length <= rest.count else { return nil }
        defer { rest = rest.dropFirst(length) }
        return rest.prefix(length)
    }
}
