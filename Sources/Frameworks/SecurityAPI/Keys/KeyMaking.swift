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
        guard let item = reading.privateItem ?? reading.enclaveItem else { return (try SecKey.own(reading.kind), nil) }
        let new = NewKey(
            kind: reading.kind, isEnclave: reading.isEnclave, isPermanent: reading.privateItem != nil,
            attributes: item.attributes, rule: item.rule, asking: try item.asking.terms())
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

    /// Puts a public key into the keychain.
    fileprivate func keep(_ item: KeyItemReading) throws(KeychainFailure) {
        let attributes = try itemAttributes().merging(item.attributes) { _, own in own }
        _ = try AppDevice.client.add(
            NewItem(
                itemClass: .key, attributes: attributes, rule: item.rule, secret: try secret(publicHalf.external.asData),
                asking: try item.asking.terms()))
    }

    /// A key that the device holds, from the device's record of it; nil if the record lacks the public half.
    convenience init?(_ record: KeyRecord, _ asking: KeyAsking) {
        self.init(record.item, record.detached.map(KeyName.detached), asking)
    }

    /// The key of an item of the class key; nil if its data isn't a key.
    convenience init?(_ item: FoundItem, _ name: KeyName?, _ asking: KeyAsking) {
        guard item.itemClass == .key, case .data(let bytes)? = item.attributes[.publicKey], let kind = KeyKind(item.attributes),
            let publicHalf = try? PublicKey(external: bytes, kind.family), let half = item.attributes[.keyClass]?.comparable
        else { return nil }
        switch half {
        case AttributeValue.number(0).comparable: self.init(publicHalf)
        case AttributeValue.number(1).comparable:
            let key = DeviceKey(
                name: name ?? .stored(item.persistentRef), custodian: item.attributes.custodian, rule: item.rule, asking: asking)
            self.init(publicHalf, .device(key))
        default: return nil
        }
    }
}
