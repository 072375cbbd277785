public import Foundation
import ThumbAccess
import ThumbClient
import ThumbCrypto

/// A private key together with the certificate of its public half.
///
/// You find one in the keychain with `kSecClassIdentity`, or make it with `SecIdentityCreate`. It is immutable, and two with the same
/// certificate are equal.
public final class SecIdentity: NSObject, Sendable {
    /// Where its private key is.
    enum Key: Sendable {
        case here(SecKey)
        /// The key with the hash that the certificate has, in the group where the identity was found.
        case inKeychain(group: AttributeValue?, KeyAsking)
    }

    let certificate: SecCertificate
    private let key: Key

    init(_ certificate: SecCertificate, _ key: Key) {
        self.certificate = certificate
        self.key = key
    }

    /// Whether `object` is the same identity.
    public override func isEqual(_ object: Any?) -> Bool { (object as? SecIdentity)?.certificate == certificate }

    /// A hash that equal identities share.
    public override var hash: Int { certificate.hash }

    func privateKey() throws(KeychainFailure) -> SecKey {
        switch key {
        case .here(let key): return key
        case .inKeychain(let group, let asking):
            var attributes: Attributes = [.keyClass: .number(1)]
            attributes[.applicationLabel] = try certificate.certificate.identifying()[.publicKeyHash]
            attributes[.group] = group
            let found = try AppDevice.client.find(Query(itemClass: .key, attributes: attributes, sync: .any, shape: .ref))
            guard let key = found.first.flatMap({ SecKey($0, nil, asking) }) else { throw .itemNotFound }
            return key
        }
    }
}

/// Makes an identity of that certificate and that private key. nil if the key isn't private or doesn't belong to the certificate.
/// `allocator` is ignored.
public func SecIdentityCreate(
    _ allocator: CFAllocator?, _ certificate: SecCertificate, _ privateKey: SecKey
) -> SecIdentity? {
    guard privateKey.isPrivate, privateKey.publicHalf.external == certificate.certificate.publicKeyBits else { return nil }
    return SecIdentity(certificate, .here(privateKey))
}

/// Writes the identity's certificate. Always `errSecSuccess`.
@discardableResult
public func SecIdentityCopyCertificate(
    _ identityRef: SecIdentity, _ certificateRef: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
    unsafe certificateRef.pointee = identityRef.certificate
    return errSecSuccess
}

/// Writes the identity's private key. This doesn't ask the owner, but using the key may.
///
/// Returns `errSecItemNotFound` if the key isn't in the keychain any more or can't be read as one, and otherwise what `SecItemCopyMatching`
/// returns.
@discardableResult
public func SecIdentityCopyPrivateKey(
    _ identityRef: SecIdentity, _ privateKeyRef: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
    do throws(KeychainFailure) {
        let key = try identityRef.privateKey()
        unsafe privateKeyRef.pointee = key
        return errSecSuccess
    } catch {
        return error.status
    }
}
