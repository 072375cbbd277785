import ThumbAccess
public import ThumbCompanion
import ThumbCrypto
public import ThumbSecrets

/// The companions' cryptography, by libcrypto: P-256, SHA-256, HKDF and AES-256-GCM.
public struct HouseCrypto: CompanionCrypto {
    public init() {}

    public func random(_ count: Int) throws(CompanionRefusal) -> [UInt8] {
        try done { try Random.bytes(count: count) }
    }

    public func hash(_ bytes: [UInt8]) throws(CompanionRefusal) -> [UInt8] {
        try done { try HashFunction.sha256.hash(bytes) }
    }

    public func makeFreshKey() throws(CompanionRefusal) -> any FreshKey {
        try done { FreshPrivateKey(key: try PrivateKey.generate(.elliptic(.p256))) }
    }

    public func derive(
        _ secrets: [SecretBytes], salt: [UInt8], info: String
    ) throws(CompanionRefusal) -> (asking: SecretBytes, companion: SecretBytes) {
        try done {
            let both = try HKDF.derive(secret: Self.joined(secrets), salt: salt, info: Array(info.utf8), count: 64)
            return (try both.slice(0..<32), try both.slice(32..<64))
        }
    }

    public func seal(_ bytes: [UInt8], _ key: SecretBytes, _ data: [UInt8]) throws(CompanionRefusal) -> [UInt8] {
        try done { try SealedBox.seal(bytes, key: key, associatedData: data) }
    }

    public func open(_ box: [UInt8], _ key: SecretBytes, _ data: [UInt8]) throws(CompanionRefusal) -> [UInt8] {
        try done {
            let opened = try SealedBox.open(box, key: key, associatedData: data)
            return unsafe opened.withUnsafeBytes { unsafe Array($0) }
        }
    }

    public func isSignature(
        _ signature: [UInt8], of digest: [UInt8], by publicKey: [UInt8]
    ) throws(CompanionRefusal) -> Bool {
        try done { try PublicKey(external: publicKey, .elliptic).isSignature(signature, of: digest, .ecdsa) }
    }

    /// The secrets one after another, in memory of their own.
    private static func joined(_ secrets: [SecretBytes]) throws -> SecretBytes {
        try unsafe SecretBytes(count: secrets.reduce(0) { $0 + $1.count }) { room in
            var place = 0
            for secret in secrets {
                unsafe secret.withUnsafeBytes {
                    unsafe UnsafeMutableRawBufferPointer(rebasing: room[place...]).copyMemory(from: $0)
                }
                place += secret.count
            }
        }
    }
}

/// A key in locked memory.
private struct FreshPrivateKey: FreshKey {
    let key: PrivateKey

    var publicKey: [UInt8] { key.publicKey.external }

    func agree(with peer: [UInt8]) throws(CompanionRefusal) -> SecretBytes {
        try done { try key.agree(with: PublicKey(external: peer, .elliptic), .raw) }
    }
}

/// Only a box, a key or a signature that isn't what it should be is the other side's doing.
private func done<Value>(_ body: () throws -> Value) throws(CompanionRefusal) -> Value {
    do {
        return try body()
    } catch let error as CryptoError {
        switch error.code {
        case .authenticationFailed, .invalidKey, .invalidInput, .agreementFailed: throw .notGenuine
        default: throw .failed
        }
    } catch {
        throw .failed
    }
}
