import ThumbAccess

/// Public areas, in the TPM's own encoding (TPMT_PUBLIC). Ours have one form each, so they are compared, not interpreted.
enum TPMTemplate {
    /// A P-256 storage root according to TCG's provisioning guidance, up to its *unique*: SHA-256 names, attributes 0x30472, no policy,
    /// AES-128-CFB for its children.
    static let storageRoot: [UInt8] = [
        0x00, 0x23, 0x00, 0x0B, 0x00, 0x03, 0x04, 0x72, 0x00, 0x00, 0x00, 0x06, 0x00, 0x80, 0x00, 0x43, 0x00, 0x10, 0x00, 0x03,
        0x00, 0x10,
    ]

    /// A key of ours, up to its *unique*: attributes 0x60472 (fixed to the TPM and its parent, made inside, authorized by its
    /// value, no dictionary-attack protection, decrypts and signs), no policy, no symmetric algorithm, no scheme.
    static let key: [UInt8] = [
        0x00, 0x23, 0x00, 0x0B, 0x00, 0x06, 0x04, 0x72, 0x00, 0x00, 0x00, 0x10, 0x00, 0x10, 0x00, 0x03, 0x00, 0x10,
    ]

    /// A sealed secret, up to its *unique*: fixed to the TPM and its parent, authorized by its value, brought from outside, no policy, no
    /// scheme. If guesses count, wrong authorizations count against the TPM's dictionary-attack lockout.
    static func seal(countsGuesses: Bool) -> [UInt8] {
        [0x00, 0x08, 0x00, 0x0B, 0x00, 0x00, countsGuesses ? 0x00 : 0x04, 0x52, 0x00, 0x00, 0x00, 0x10]
    }

    /// The same for a secret that its policy alone authorizes, and no value.
    static func seal(policy: [UInt8]) -> [UInt8] { policySeal + policy + [0x00, 0x10] }
    private static let policySeal: [UInt8] = [0x00, 0x08, 0x00, 0x0B, 0x00, 0x00, 0x04, 0x12, 0x00, 0x20]

    /// Whether a sealed secret's public area has that form.
    static func isPolicySeal(_ area: [UInt8]) -> Bool { area.starts(with: policySeal) }

    /// An empty *unique* for a seal, which has a single hash there.
    static let emptyHash: [UInt8] = [0, 0]

    /// An empty *unique*, for a template that the TPM fills.
    static let empty: [UInt8] = [0, 0, 0, 0]

    /// The name of an object with this public area: the hash's number and the hash.
    static func name(_ area: [UInt8]) throws(TPMError) -> [UInt8] {
        [0x00, 0x0B] + (try TPMError.hash(area, "naming an object"))
    }

    /// The point of a key of ours, X9.63; fails with `damaged` if the area isn't exactly of that form.
    static func point(of area: [UInt8]) throws(TPMError) -> [UInt8] {
        guard area.starts(with: key) else { throw TPMError(.damaged, "reading a key's public area") }
        var rest = area.dropFirst(key.count)
        var point: [UInt8] = [0x04]
        for _ in 0..<2 {
            guard rest.count >= 2 else { throw TPMError(.damaged, "reading a key's public area") }
            let size = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
            rest = rest.dropFirst(2)
            guard size <= Curve.p256.fieldBytes, rest.count >= size else {
                throw TPMError(.damaged, "reading a key's public area")
            }
            // Some TPMs leave leading zeros out.
            point += [UInt8](repeating: 0, count: Curve.p256.fieldBytes - size) + rest.prefix(size)
            rest = rest.dropFirst(size)
        }
        guard rest.isEmpty else { throw TPMError(.damaged, "reading a key's public area") }
        return point
    }
}
