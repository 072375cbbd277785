import Foundation
import ThumbAccess
import ThumbClient
import ThumbCrypto
import ThumbSecrets

/// A new pair.
struct KeyPair {
    let privateKey: SecKey
    let publicKey: SecKey

    /// Makes the pair that a dictionary describes, and keeps the halves that it wants kept: all of it or nothing.
    init(_ parameters: NSDictionary) throws(KeyFailure) {
        self = try keychain { () throws(KeychainFailure) in try KeyPair(KeyPairReading(parameters)) }
    }

    private init(_ reading: KeyPairReading) throws(KeychainFailure) {
        let (key, reference) = try Self.make(reading)
        privateKey = key
        publicKey = SecKey(key.publicHalf)
        guard let item = reading.publicItem else { return }
        do {
            try publicKey.keep(item)
        } catch {
            // If only half a pair stayed in the keychain, somebody would find and use it.
            if let reference { try? AppDevice.client.remove(Query(itemClass: .key, persistentRef: reference, limit: nil)) }
            throw error
        }
    }

    /// The private half, and its persistent reference if it is in the keychain.
    private static func make(_ reading: KeyPairReading) throws(KeychainFailure) -> (SecKey, reference: [UInt8]?) {
        guard let item = reading.enclaveItem else {
            let key = try SecKey.own(reading.kind)
            return (key, try reading.privateItem.map { (item) throws(KeychainFailure) in try key.keep(item) })
        }
        let new = NewKey(
            kind: reading.kind, isEnclave: true, isPermanent: reading.privateItem != nil, attributes: item.attributes,
            rule: item.rule, asking: try item.asking.terms())
        let record = try AppDevice.client.makeKey(new)
        guard let key = SecKey(record, item.asking) else { throw .internalFailure }
        return (key, record.detached == nil ? record.item.persistentRef : nil)
    }
}

extension SecKey {
    /// A new key in this program's own memory.
    fileprivate static func own(_ kind: KeyKind) throws(KeychainFailure) -> SecKey {
        do {
            return SecKey(try PrivateKey.generate(kind))
        } catch is SecretError {
            throw .outOfMemory
        } catch {
            throw .internalFailure
        }
    }

    /// Puts a key that this program has into the keychain. Returns its persistent reference.
    @discardableResult
    fileprivate func keep(_ item: KeyItemReading) throws(KeychainFailure) -> [UInt8] {
        let attributes = try itemAttributes().merging(item.attributes) { _, own in own }
        let material =
            if case .own(let own) = holding { own.external } else { try lockedCopy(of: Data(publicHalf.external)) }
        return try AppDevice.client.add(
            NewItem(
                itemClass: .key, attributes: attributes, rule: item.rule, secret: material, asking: try item.asking.terms())
        ).persistentRef
    }
}
