import ThumbAccess
import ThumbCrypto
import ThumbSecrets

// Keys that were found, or that the device has made.

extension SecKey {
    /// A key that a custodian holds, from the device's record of it; nil if the record lacks the public half.
    convenience init?(_ record: KeyRecord, _ asking: KeyAsking) {
        self.init(enclave: record.item, named: record.detached.map(KeyName.detached), asking)
    }

    /// The Enclave key of an item; nil if no custodian holds such a key.
    convenience init?(enclave item: FoundItem, named name: KeyName? = nil, _ asking: KeyAsking) {
        guard item.itemClass == .key, item.half == 1, let custodian = item.attributes.custodian,
            let publicHalf = item.publicHalf
        else { return nil }
        self.init(
            publicHalf,
            .device(DeviceKey(name: name ?? .stored(item.persistentRef), custodian: custodian, rule: item.rule, asking: asking)))
    }

    /// The key of an item of the class key, whose secret was released if it has one; nil if its data isn't a key. Fails if no locked memory
    /// is left.
    static func found(_ item: FoundItem, _ asking: KeyAsking) throws(KeychainFailure) -> SecKey? {
        if let key = SecKey(enclave: item, asking) { return key }
        switch item.half {
        case 0: return item.publicHalf.map { SecKey($0) }
        case 1: return try item.privateKey().map { SecKey($0) }
        default: return nil
        }
    }
}

extension FoundItem {
    /// Which half a key's item says that it is: 0 the public one, 1 the private one.
    fileprivate var half: Int64? {
        let value = attributes[.keyClass]?.comparable
        return [0, 1].first { AttributeValue.number($0).comparable == value }
    }

    fileprivate var publicHalf: PublicKey? {
        guard case .data(let bytes)? = attributes[.publicKey], let kind = KeyKind(attributes) else { return nil }
        // What an app wrote into an item can be anything.
        return try? PublicKey(external: bytes, kind.family)
    }

    /// The software key in the item's data; nil if that isn't one.
    fileprivate func privateKey() throws(KeychainFailure) -> PrivateKey? {
        guard publicHalf != nil, let kind = KeyKind(attributes), let secret else { return nil }
        do {
            return try PrivateKey(external: secret, kind.family)
        } catch let error as CryptoError where error.code.isCallers {
            return nil
        } catch let error as CryptoError where error.code == .outOfMemory {
            throw .outOfMemory
        } catch is SecretError {
            throw .outOfMemory
        } catch {
            throw .internalFailure
        }
    }
}
