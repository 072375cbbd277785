public import ThumbAccess
import ThumbCrypto
public import ThumbKeychain
public import ThumbSecrets

// Items whose makers keep them, sealed: docs/STORE.md, "Detached keys".

extension ItemDatabase {
    private static let mark = Array("TDK1".utf8)
    /// The store's items begin at generation 1, so neither form opens in place of the other.
    private static let generation: UInt64 = 0
    private static let mostBytes = QueryLimit.secretBytes + QueryLimit.attributesBytes

    /// Seals an item for its maker instead of keeping it. Fails as `insert` does, but nothing is written.
    public func detach(
        _ item: StoredItem, secret: SecretBytes, applicationKey: SecretBytes?
    ) throws(KeychainFailure) -> [UInt8] {
        try ItemLimits.check(item, secret: secret)
        return try keeping {
            let keyClass = item.rule.accessibility.keyClass
            guard let key = keybag.classKey(keyClass), let serial = keyClass == .passcode ? keybag.passcodeSerial : 0 else {
                throw KeychainFailure.interactionNotAllowed
            }
            var sealed = SealedItem(item: item, serial: serial, secretGeneration: Self.generation)
            sealed.item.generation = Self.generation
            sealed.item.hasSecret = true
            var writer = ByteWriter(reserving: 1024)
            writer.raw(Self.mark)
            writer.raw(item.id.bytes)
            writer.counted(try seals.seal(sealed))
            writer.counted(try seals.seal(secret, of: sealed, under: key.secrets, applicationKey: applicationKey))
            return writer.bytes
        }
    }

    /// Reads a sealed form. Fails with `.parameter` unless this store made it, and with `.itemNotFound` once the passcode it was made under
    /// is gone.
    public func attach(_ sealed: [UInt8]) throws(KeychainFailure) -> DetachedItem {
        let item = try opened(sealed).sealed
        guard isAlive(item) else { throw .itemNotFound }
        return DetachedItem(item: item.item, sealed: sealed)
    }

    /// The secret of a sealed form. Fails with `.interactionNotAllowed` while its class key isn't available.
    public func secret(of detached: DetachedItem, applicationKey: SecretBytes?) throws(KeychainFailure) -> SecretBytes {
        let (sealed, box) = try opened(detached.sealed)
        return try keeping {
            guard let key = keybag.classKey(sealed.item.rule.accessibility.keyClass) else {
                throw KeychainFailure.interactionNotAllowed
            }
            do {
                return try seals.open(box, of: sealed, under: key.secrets, applicationKey: applicationKey)
            } catch is ItemSeals.Damaged {
                throw sealed.item.rule.constraints.contains(.applicationPassword)
                    ? KeychainFailure.authenticationFailed : .parameter
            }
        }
    }

    private func opened(_ form: [UInt8]) throws(KeychainFailure) -> (sealed: SealedItem, box: [UInt8]) {
        guard form.count <= Self.mostBytes else { throw .parameter }
        return try keeping {
            do {
                var reader = SecretReader(try SecretBytes(copying: form))
                guard try reader.raw(Self.mark.count) == Self.mark, let id = ItemID(try reader.raw(ItemID.length)) else {
                    throw Malformed()
                }
                let attributes = try reader.counted(limit: Self.mostBytes)
                let box = try reader.counted(limit: Self.mostBytes)
                try reader.end()
                return (try seals.open(attributes, id: id, generation: Self.generation), box)
            } catch is Malformed {
                throw KeychainFailure.parameter
            } catch is ItemSeals.Damaged {
                throw KeychainFailure.parameter
            }
        }
    }
}
