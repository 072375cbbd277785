import ThumbAccess
import ThumbClient
import ThumbSecrets

/// A private key at the device: its name there, the rule under which it is used, and how its owner is asked.
struct DeviceKey: Sendable {
    let name: KeyName
    /// Who holds it; nil for a key that is an item like any other and may be released.
    let custodian: Custodian?
    let rule: AccessRule
    let asking: KeyAsking

    /// Uses the key once. Blocks while the owner is asked, if the key's rule demands it.
    func use(_ operation: KeyOperation) throws(KeyFailure) -> SecretBytes {
        try used { (terms) throws(KeyUseFailure) in
            try AppDevice.client.perform(KeyUse(name, operation, asking: terms))
        }
    }

    /// Signs a statement with those words. Blocks while the owner is asked.
    func sign(_ words: SignInWords, challenge: [UInt8]) throws(KeyFailure) -> SecretBytes {
        try used { (terms) throws(KeyUseFailure) in
            try AppDevice.client.sign(StatementUse(name, words, challenge: challenge, asking: terms))
        }
    }

    private func used(_ body: (AskingTerms) throws(KeyUseFailure) -> KeyProduct) throws(KeyFailure) -> SecretBytes {
        guard !asking.isVoid else { throw custodian == nil ? KeyFailure(.authenticationFailed) : .owner(.invalidContext) }
        do throws(KeyUseFailure) {
            return try body(terms()).bytes
        } catch {
            throw custodian == nil ? KeyFailure(error.keychainFailure) : KeyFailure(ofEnclave: error)
        }
    }

    /// The key itself, released by the keychain like an item's data.
    func released() throws(KeyFailure) -> SecretBytes {
        guard custodian == nil, case .stored(let reference) = name else {
            throw .status(errSecUnimplemented, "a Secure Enclave key never leaves the device")
        }
        return try keychain { () throws(KeychainFailure) in
            let query = Query(itemClass: .key, persistentRef: reference, shape: .data, asking: try asking.terms())
            guard let secret = try AppDevice.client.find(query).first?.secret else { throw .itemNotFound }
            return secret
        }
    }

    private func terms() throws(KeyUseFailure) -> AskingTerms {
        do throws(KeychainFailure) {
            return try asking.terms()
        } catch {
            throw .keychain(error)
        }
    }
}

extension DeviceKey {
    /// The value of `toid` for an Enclave key: its sealed form or, for a key in the keychain, a mark and its persistent reference.
    var tokenObject: [UInt8] {
        switch name {
        case .detached(let sealed): sealed
        case .stored(let reference): Self.storedMark + reference
        }
    }

    private static let storedMark = Array("TKR1".utf8)

    /// The key that this value names. Only the device knows whether the key exists.
    static func name(ofTokenObject object: [UInt8]) -> KeyName {
        object.starts(with: storedMark) ? .stored(Array(object.dropFirst(storedMark.count))) : .detached(object)
    }
}
