import ThumbAccess

/// SubjectPublicKeyInfo, the DER that everyone else writes public keys in.
internal enum SPKI {
    private static let ecPublicKey: [UInt8] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    // rsaEncryption, with the NULL that belongs to it.
    private static let rsa: [UInt8] = DER.sequence([
        0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
    ])

    static func encode(_ key: PublicKey) -> [UInt8] {
        switch key.kind {
        case .elliptic(let curve): prefix(curve) + key.external
        case .rsa: DER.sequence(rsa + DER.bitString(key.external))
        }
    }

    /// The point in an SPKI on one of the curves; it is still to be looked at.
    static func point(in spki: [UInt8]) -> [UInt8]? {
        for curve in Curve.allCases {
            let prefix = prefix(curve)
            if spki.count == prefix.count + curve.pointBytes, spki.starts(with: prefix) {
                return Array(spki.dropFirst(prefix.count))
            }
        }
        return nil
    }

    /// The PKCS#1 key in an SPKI; it is still to be looked at.
    static func rsaKey(in spki: [UInt8]) -> [UInt8]? {
        unsafe spki.withUnsafeBytes { bytes in
            var reader = unsafe DERReader(bytes)
            guard unsafe reader.enter(), let algorithm = unsafe reader.next(.sequence) else { return nil }
            guard unsafe DER.sequence(Array(bytes[algorithm])) == rsa else { return nil }
            guard let bits = unsafe reader.next(.bitString), unsafe reader.isAtEnd else { return nil }
            guard let unused = bits.first, unsafe bytes[unused] == 0 else { return nil }
            return unsafe Array(bytes[bits.dropFirst()])
        }
    }

    /// All that stands before the point: the one DER form has nothing after it.
    private static func prefix(_ curve: Curve) -> [UInt8] {
        let name: [UInt8] =
            switch curve {
            case .p256: [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
            case .p384: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22]
            case .p521: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x23]
            }
        let whole = DER.sequence(
            DER.sequence(ecPublicKey + name) + DER.bitString([UInt8](repeating: 0, count: curve.pointBytes)))
        return whole.dropLast(curve.pointBytes)
    }
}

/// DER as text between two lines.
internal enum PEM {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ der: [UInt8], _ what: String) -> String {
        let lines = stride(from: 0, to: der.count, by: 48).map { start in
            base64(der[start..<min(start + 48, der.count)])
        }
        return (["-----BEGIN \(what)-----"] + lines + ["-----END \(what)-----", ""]).joined(separator: "\n")
    }

    private static func base64(_ bytes: ArraySlice<UInt8>) -> String {
        var text: [UInt8] = []
        var rest = bytes
        while !rest.isEmpty {
            let group = Array(rest.prefix(3))
            rest = rest.dropFirst(3)
            let bits = group.enumerated().reduce(0) { $0 | Int($1.element) << (16 - 8 * $1.offset) }
            for index in 0..<4 {
                text.append(index <= group.count ? alphabet[bits >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
