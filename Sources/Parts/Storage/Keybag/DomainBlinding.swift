public import ThumbAccess
import ThumbCrypto
import ThumbSecrets

/// What an app sees instead of the digest over who is enrolled. It is equal as long as the digest is, and differs for each app and store,
/// so that nobody learns the digest or recognizes a person by it.
public struct DomainBlinding: Sendable {
    private let key: SecretBytes

    /// The blinding of the keybag's store; fails if there is no memory for its key.
    public init(_ keybag: Keybag) throws(StorageError) {
        key = try storing {
            let info = Array("thumbturn domain state".utf8)
            return try HKDF.derive(secret: keybag.device.root, salt: [], info: info, count: ClassKey.count)
        }
    }

    /// The digest as that app sees it.
    public func blinded(_ digest: [UInt8], for app: ExactName) -> [UInt8] {
        // If no MAC can be made, there is nothing to compare. An empty state never equals a saved one.
        (try? HMAC256.authenticate(digest + [0] + Array(app.utf8), key: key)) ?? []
    }
}
