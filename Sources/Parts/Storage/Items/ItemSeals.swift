import ThumbAccess
import ThumbCrypto
import ThumbKeychain
import ThumbSecrets

/// Seals and opens an item's two parts, each bound to everything it belongs to.
struct ItemSeals {
    /// A seal that doesn't open, or contains something other than it should.
    struct Damaged: Error {}

    let keybag: [UInt8]
    let attributes: HMACKey

    // A key for each item costs one more HMAC, and keeps the number of random nonces under a key small for ever.
    private func key(_ parent: HMACKey, _ id: ItemID) throws -> SecretBytes {
        try HKDF.expand(key: parent, info: id.bytes, count: 32)
    }

    func seal(_ sealed: SealedItem) throws -> [UInt8] {
        try SealedBox.seal(
            sealed.serialised(), key: key(attributes, sealed.item.id),
            associatedData: attributesBinding(sealed.item.id, sealed.item.generation))
    }

    func open(_ box: [UInt8], id: ItemID, generation: UInt64) throws -> SealedItem {
        try SealedItem(id: id, generation: generation, opened: openRaw(box, id: id, generation: generation))
    }

    /// The attributes' plain form, for a caller that only needs what a secret is bound to.
    private func openRaw(_ box: [UInt8], id: ItemID, generation: UInt64) throws -> SecretBytes {
        try opening { try SealedBox.open(box, key: key(attributes, id), associatedData: attributesBinding(id, generation)) }
    }

    func seal(
        _ secret: SecretBytes, of sealed: SealedItem, under parent: HMACKey, applicationKey: SecretBytes?
    ) throws -> [UInt8] {
        try SealedBox.seal(
            secret, key: secretKey(parent, sealed.item, applicationKey), associatedData: secretBinding(sealed))
    }

    func open(
        _ box: [UInt8], of sealed: SealedItem, under parent: HMACKey, applicationKey: SecretBytes?
    ) throws -> SecretBytes {
        let key = try secretKey(parent, sealed.item, applicationKey)
        return try opening { try SealedBox.open(box, key: key, associatedData: secretBinding(sealed)) }
    }

    /// The key of an item's secret. If the rule says so, the app's own password is mixed into it.
    private func secretKey(_ parent: HMACKey, _ item: StoredItem, _ applicationKey: SecretBytes?) throws -> SecretBytes {
        let own = try key(parent, item.id)
        guard item.rule.constraints.contains(.applicationPassword) else { return own }
        guard let applicationKey else { throw KeychainFailure.authenticationFailed }
        let both = try unsafe SecretBytes(count: own.count + applicationKey.count) { buffer in
            unsafe own.withUnsafeBytes { unsafe buffer.copyMemory(from: $0) }
            unsafe applicationKey.withUnsafeBytes {
                unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[own.count...]).copyMemory(from: $0)
            }
        }
        return try HKDF.derive(secret: both, info: Array("thumbturn application password".utf8), count: 32)
    }

    private func opening(_ body: () throws -> SecretBytes) throws -> SecretBytes {
        do {
            return try body()
        } catch let error as CryptoError where error.code == .authenticationFailed {
            throw Damaged()
        }
    }

    private func attributesBinding(_ id: ItemID, _ generation: UInt64) -> [UInt8] {
        var writer = ByteWriter(reserving: 80)
        writer.raw("thumbturn item attributes 1")
        writer.raw(keybag)
        writer.raw(id.bytes)
        writer.integer(generation)
        return writer.bytes
    }

    private func secretBinding(_ sealed: SealedItem) throws -> [UInt8] {
        var writer = ByteWriter(reserving: 96)
        writer.raw("thumbturn item secret 1")
        writer.raw(keybag)
        writer.raw(sealed.item.id.bytes)
        writer.raw(try HashFunction.sha256.hash(sealed.core))
        return writer.bytes
    }
}
