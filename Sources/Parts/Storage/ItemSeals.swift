import ThumbCrypto
import ThumbKeychain
import ThumbSecrets

/// Seals and opens an item's two parts, each bound to everything it belongs to.
struct ItemSeals {
    /// A seal that doesn't open, or holds something else than it should.
    struct Damaged: Error {}

    let keybag: [UInt8]
    let attributes: SecretBytes

    // A key for each item costs one HMAC more and keeps the count of random nonces small for ever.
    private func key(_ parent: SecretBytes, _ id: ItemID) throws -> SecretBytes {
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

    /// The attributes' plain form, for who only needs what a secret is bound to.
    private func openRaw(_ box: [UInt8], id: ItemID, generation: UInt64) throws -> SecretBytes {
        try opening { try SealedBox.open(box, key: key(attributes, id), associatedData: attributesBinding(id, generation)) }
    }

    func seal(_ secret: SecretBytes, of sealed: SealedItem, under parent: SecretBytes) throws -> [UInt8] {
        try SealedBox.seal(
            secret, key: key(parent, sealed.item.id), associatedData: secretBinding(sealed))
    }

    func open(_ box: [UInt8], of sealed: SealedItem, under parent: SecretBytes) throws -> SecretBytes {
        try opening { try SealedBox.open(box, key: key(parent, sealed.item.id), associatedData: secretBinding(sealed)) }
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
        writer.raw(try SHA256.hash(sealed.core))
        return writer.bytes
    }
}
