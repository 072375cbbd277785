import ThumbAccess
import ThumbCrypto

extension SecKey {
    /// What the key's item says about it, under the keychain's names. Fails if the library does.
    func itemAttributes() throws(KeychainFailure) -> Attributes {
        var attributes: Attributes = [
            .keyClass: .number(isPrivate ? 1 : 0), .type: .number(kind.typeNumber), .keySize: .number(Int64(kind.bits)),
            .effectiveKeySize: .number(Int64(kind.bits)), .applicationLabel: .data(try label()),
            .publicKey: .data(publicHalf.external),
        ]
        for (name, isSet) in KeyUsage.flags(kind, isPrivate: isPrivate) { attributes[name] = .number(isSet ? 1 : 0) }
        return attributes
    }

    /// The attributes that find this key's item: which half it is, and its public half, which tells keys apart whatever apps call them.
    func identifying() -> Attributes {
        [.publicKey: .data(publicHalf.external), .keyClass: .number(isPrivate ? 1 : 0)]
    }

    /// The SHA-1 of the public half. Apple's keychain uses it to identify a key and to join it with its certificate.
    func label() throws(KeychainFailure) -> [UInt8] {
        do {
            return try publicHalf.label()
        } catch {
            throw .internalFailure
        }
    }
}
