import ThumbAccess
import ThumbClient
import ThumbSecrets

/// A Secure Enclave key: its name at the device, who holds it there, the rule under which it is used, and how its owner is asked.
struct DeviceKey: Sendable {
    let name: KeyName
    let custodian: Custodian
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
        guard !asking.isVoid else { throw .owner(.invalidContext) }
        do throws(KeyUseFailure) {
            return try body(terms()).bytes
        } catch {
            throw KeyFailure(ofEnclave: error)
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
