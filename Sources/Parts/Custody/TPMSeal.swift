import ThumbSecrets

/// A sealed secret in its stored form: docs/STORE.md, *seal*. Unlike a key's material it contains no authorization.
struct TPMSeal: Equatable {
    let parent: [UInt8]
    /// TPMT_PUBLIC.
    let area: [UInt8]
    let wrapped: [UInt8]

    init(_ material: TPMKeyMaterial) {
        (parent, area, wrapped) = (material.parent, material.area, material.wrapped)
    }

    /// Reads it; fails with `damaged` for anything but exactly this form.
    init(_ bytes: [UInt8]) throws(TPMError) {
        var rest = bytes[...]
        func next() throws(TPMError) -> [UInt8] {
            guard rest.count >= 2 else { throw TPMError(.damaged, "reading a seal") }
            let count = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
            rest = rest.dropFirst(2)
            guard count <= TPMKeyMaterial.mostBytes, rest.count >= count else { throw TPMError(.damaged, "reading a seal") }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        parent = try next()
        area = try next()
        wrapped = try next()
        guard rest.isEmpty else { throw TPMError(.damaged, "reading a seal") }
    }

    var bytes: [UInt8] {
        [parent, area, wrapped].flatMap { [UInt8($0.count >> 8), UInt8($0.count & 0xFF)] + $0 }
    }

    /// The material for the TPM, with the authorization that the caller brought.
    func material(under authorization: SecretBytes) -> TPMKeyMaterial {
        TPMKeyMaterial(parent: parent, authorization: authorization, area: area, wrapped: wrapped)
    }
}
