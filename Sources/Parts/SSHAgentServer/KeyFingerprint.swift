import ThumbAccess
import ThumbCrypto
import ThumbSSHAgent

/// The text by which people compare keys.
public enum KeyFingerprint {
    /// The fingerprint of a public key in SSH's form.
    public static func of(_ blob: [UInt8]) -> String {
        (try? HashFunction.sha256.hash(blob)).map { SSHForms.fingerprint(sha256: $0) } ?? "a key that can't be named"
    }
}
