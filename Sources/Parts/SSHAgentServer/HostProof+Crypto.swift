import ThumbAccess
import ThumbCrypto
import ThumbSSHAgent

extension HostProof {
    /// Whether the host made the signature.
    var isGenuine: Bool {
        do {
            switch key {
            case .ed25519(let point): return try Ed25519.isSignature(signature, of: message, key: point)
            case .ecdsa(_, let point):
                guard let hash else { return false }
                return try PublicKey(external: point, .elliptic).isSignature(signature, of: hash.hash(message), .ecdsa)
            case .rsa(let external):
                guard let hash else { return false }
                return try PublicKey(external: external, .rsa).isSignature(signature, of: hash.hash(message), .rsaPKCS1(hash))
            }
        } catch {
            // An invalid key has signed nothing.
            return false
        }
    }
}
