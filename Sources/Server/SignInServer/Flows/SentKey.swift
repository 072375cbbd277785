import ThumbCrypto
import ThumbSignIn

/// A key in the form that a client sends: PEM, or base64url of DER or of an uncompressed point.
enum SentKey {
    /// The key as a SubjectPublicKeyInfo in DER. In whatever form the key came, its device's name is the same.
    /// - Throws: `.keyMalformed`, `.keyUnsuitable` or `.keyInvalid`.
    static func subjectPublicKeyInfo(_ text: String) throws(SignInRefusal) -> [UInt8] {
        do {
            if text.hasPrefix("-----BEGIN ") { return try PublicKey(p256PEM: text).spki }
            guard let bytes = Base64URL.decoded(text) else { throw SignInRefusal.keyMalformed }
            return try PublicKey(p256: bytes).spki
        } catch let error as CryptoError {
            switch error.code {
            case .invalidInput: throw .keyMalformed
            case .unsupported: throw .keyUnsuitable
            case .invalidKey: throw .keyInvalid
            default: throw .busy
            }
        } catch { throw .keyMalformed }
    }
}
