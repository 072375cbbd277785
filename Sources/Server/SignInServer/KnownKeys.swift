internal import ThumbAccess
internal import ThumbCrypto
internal import ThumbSecrets
internal import ThumbSignIn

/// Keys that were read before. A device's name is its key's hash, so what is kept here is never out of date; whether the device is
/// revoked is asked of the ledger each time.
final class KnownKeys: SignInCrypto {
    private struct Entry {
        let record: DeviceRecord
        let key: PublicKey
    }

    /// In parts, by the first bits of the name, so that threads seldom meet at one lock.
    private let shards = (0..<16).map { _ in Locked<[DeviceID: Entry]>([:]) }
    private static let limit = Limits.keys / 16

    private func shard(_ device: DeviceID) -> Locked<[DeviceID: Entry]> { shards[Int(device.digest.bytes[0] & 15)] }

    /// The device's key as a record for a claim's proof: of its other members none is known.
    func record(of device: DeviceID) -> DeviceRecord? {
        shard(device).withLock { $0[device]?.record }
    }

    func keep(_ device: DeviceRecord) {
        guard let key = try? PublicKey(spki: device.key) else { return }
        let bare = DeviceRecord(
            id: device.id, key: device.key, name: "", unverifiedProtection: "", registered: Moment(seconds: 0))
        shard(device.id).withLock { entries in
            if entries.count >= Self.limit, let some = entries.keys.first { entries[some] = nil }
            entries[device.id] = Entry(record: bare, key: key)
        }
    }

    func sha256(_ bytes: [UInt8]) throws(SignInRefusal) -> Digest32 {
        guard let hash = try? HashFunction.sha256.hash(bytes), let digest = Digest32(hash) else { throw .busy }
        return digest
    }

    func isSignature(
        _ signature: SignatureForm, ofSHA256 digest: Digest32, by key: [UInt8], of device: DeviceID
    ) throws(SignInRefusal) -> Bool {
        let known: PublicKey? = shard(device).withLock { $0[device]?.key }
        guard let key = try? known ?? PublicKey(spki: key) else { return false }
        do {
            return try key.isSignature(signature.der, of: digest.bytes, .ecdsa)
        } catch { throw .busy }
    }
}
