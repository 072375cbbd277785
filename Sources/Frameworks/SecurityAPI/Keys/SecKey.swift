public import Foundation
import ThumbAccess
import ThumbCrypto

/// An asymmetric key: public, or private in the app's own memory, or private with a custodian that never gives it out.
///
/// You make one with `SecKeyCreateRandomKey` or `SecKeyCreateWithData`, or find it in the keychain with `kSecReturnRef`. A software key's
/// object holds the key: the keychain released it as its access control says, and it works until you let go of it. A Secure Enclave key's
/// object only names the key, and each use asks the device. An object is immutable, and two are equal if they are the same half of the same
/// pair.
public final class SecKey: NSObject, Sendable {
    let publicHalf: PublicKey
    let holding: KeyHolding

    init(_ publicHalf: PublicKey, _ holding: KeyHolding = .publicHalf) {
        self.publicHalf = publicHalf
        self.holding = holding
    }

    convenience init(_ own: PrivateKey) { self.init(own.publicKey, .own(own)) }

    var kind: KeyKind { publicHalf.kind }

    var isPrivate: Bool {
        switch holding {
        case .publicHalf: false
        case .own, .device: true
        }
    }

    /// The key at the device, if a custodian holds it.
    var enclaveKey: DeviceKey? {
        guard case .device(let key) = holding else { return nil }
        return key
    }

    /// Whether it only signs statements.
    var isForSigningIn: Bool { enclaveKey?.rule.isForSigningIn ?? false }

    /// Whether `object` is the same half of the same pair, and is held in the same way.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SecKey else { return false }
        return publicHalf == other.publicHalf && isPrivate == other.isPrivate && (enclaveKey == nil) == (other.enclaveKey == nil)
    }

    /// A hash that equal keys share.
    public override var hash: Int { publicHalf.hashValue }

    /// The kind of key, for a log; it contains nothing of the key itself.
    public override var description: String {
        let family = kind.family == .elliptic ? "EC" : "RSA"
        let half = !isPrivate ? "public" : enclaveKey == nil ? "private" : "Enclave"
        return "<SecKey \(half) \(family) \(kind.bits)>"
    }
}

/// Where a key's private half is.
enum KeyHolding: Sendable {
    /// There is no private half: this is the public half.
    case publicHalf
    /// In this program's own secret memory.
    case own(PrivateKey)
    /// With a custodian at the device, which never gives it out. Each use goes there.
    case device(DeviceKey)
}

/// The bytes of one block: of a coordinate, or of the modulus.
public func SecKeyGetBlockSize(_ key: SecKey) -> Int { key.kind.blockBytes }

/// The public half; for a public key, an equal key. Never asks the owner, and is never nil here.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? { SecKey(key.publicHalf) }

/// Whether this key, with its size, supports that operation with that algorithm. Asks nobody and changes nothing.
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool {
    (try? key.meaning(of: algorithm, for: operation)) != nil
}

/// The key as data: X9.63 for a curve (04, X, Y and for a private key K), PKCS#1 for RSA.
///
/// Asks nobody. Returns nil, with `errSecUnimplemented` in `error`, for a Secure Enclave key.
public func SecKeyCopyExternalRepresentation(_ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?) -> CFData? {
    unsafe reporting(error) { () throws(KeyFailure) in
        switch key.holding {
        case .publicHalf: key.publicHalf.external.asData
        case .own(let own): own.external.copiedForApp
        case .device: throw .status(errSecUnimplemented, "a Secure Enclave key never leaves the device")
        }
    }
}
