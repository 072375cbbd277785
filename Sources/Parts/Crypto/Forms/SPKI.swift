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

    /// The point in an SPKI on one of the curves. It still has to be checked.
    static func point(in spki: [UInt8]) -> [UInt8]? {
        for curve in Curve.allCases {
            let prefix = prefix(curve)
            if spki.count == prefix.count + curve.pointBytes, spki.starts(with: prefix) {
                return Array(spki.dropFirst(prefix.count))
            }
        }
        return nil
    }

    /// The PKCS#1 key in an SPKI. It still has to be checked.
    static func rsaKey(in spki: [UInt8]) -> [UInt8]? {
        guard let info = read(spki), info.algorithm == rsa else { return nil }
        return info.key
    }

    /// An SPKI's two parts, whatever its algorithm: the algorithm as the sequence that it comes in, and the key's own form.
    static func read(_ spki: [UInt8]) -> (algorithm: [UInt8], key: [UInt8])? {
        unsafe spki.withUnsafeBytes { bytes in
            var reader = unsafe DERReader(bytes)
            guard unsafe reader.enter(), let algorithm = unsafe reader.next(.sequence) else { return nil }
            guard let bits = unsafe reader.next(.bitString), unsafe reader.isAtEnd else { return nil }
            guard let unused = bits.first, unsafe bytes[unused] == 0 else { return nil }
            return unsafe (DER.sequence(Array(bytes[algorithm])), Array(bytes[bits.dropFirst()]))
        }
    }

    /// What says that a key is a point on that curve.
    static func algorithm(_ curve: Curve) -> [UInt8] {
        let name: [UInt8] =
            switch curve {
            case .p256: [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
            case .p384: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22]
            case .p521: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x23]
            }
        return DER.sequence(ecPublicKey + name)
    }

    /// Everything before the point. In the one DER form nothing follows the point.
    private static func prefix(_ curve: Curve) -> [UInt8] {
        let whole = DER.sequence(
            algorithm(curve) + DER.bitString([UInt8](repeating: 0, count: curve.pointBytes)))
        return whole.dropLast(curve.pointBytes)
    }
}
