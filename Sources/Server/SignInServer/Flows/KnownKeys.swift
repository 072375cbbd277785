import ThumbAccess
import ThumbCrypto
import ThumbSignIn

/// Keys that were parsed before, because they have signed. A device's name is its key's hash, so nothing kept here is ever out of date.
/// Whether the device is revoked is asked of the ledger each time.
final class KnownKeys: SignInCrypto {
    private let parsed = ParsedKeys<DeviceID>(atMost: Limits.keys)

    /// The device's key as a record for a claim's proof. The record's other members aren't known.
    func record(of device: DeviceID) -> DeviceRecord? {
        parsed.kept(device).map { key in
            DeviceRecord(id: device, key: key.spki, name: "", unverifiedProtection: "", registered: Moment(seconds: 0))
        }
    }

    func sha256(_ bytes: [UInt8]) throws(SignInRefusal) -> Digest32 {
        guard let hash = try? HashFunction.sha256.hash(bytes), let digest = Digest32(hash) else { throw .busy }
        return digest
    }

    func isSignature(
        _ signature: SignatureForm, ofSHA256 digest: Digest32, by key: [UInt8], of device: DeviceID
    ) throws(SignInRefusal) -> Bool {
        let known = parsed.kept(device)
        do {
            let parsedKey = try known ?? VerifyingKey(PublicKey(spki: key))
            guard try parsedKey.isSignature(signature.der, ofSHA256: digest.bytes) else { return false }
            // A key that hasn't signed gets no room here.
            if known == nil { parsed.keep(parsedKey, as: device) }
            return true
        } catch let error as CryptoError where error.code.isCallers {
            return false
        } catch { throw .busy }
    }
}
