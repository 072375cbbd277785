public import Foundation
import ThumbAccess
import ThumbCrypto

/// A private key together with the certificate of its public half.
///
/// You find one in the keychain with `kSecClassIdentity`, or make it with `SecIdentityCreate`. It is immutable, and two with the same
/// certificate are equal.
public final class SecIdentity: NSObject, Sendable {
    let certificate: SecCertificate
    /// nil if what the keychain has under the certificate's hash can't be read as a key.
    let key: SecKey?

    init(_ certificate: SecCertificate, _ key: SecKey?) {
        self.certificate = certificate
        self.key = key
    }

    /// Whether `object` is the same identity.
    public override func isEqual(_ object: Any?) -> Bool { (object as? SecIdentity)?.certificate == certificate }

    /// A hash that equal identities share.
    public override var hash: Int { certificate.hash }

    /// Fails with `.itemNotFound` if it has no key that can be read as one.
    func privateKey() throws(KeychainFailure) -> SecKey {
        guard let key else { throw .itemNotFound }
        return key
    }
}

/// Makes an identity of that certificate and that private key. nil if the key isn't private or doesn't belong to the certificate.
/// `allocator` is ignored.
public func SecIdentityCreate(
    _ allocator: CFAllocator?, _ certificate: SecCertificate, _ privateKey: SecKey
) -> SecIdentity? {
    guard privateKey.isPrivate, privateKey.publicHalf.external == certificate.certificate.publicKeyBits else { return nil }
    return SecIdentity(certificate, privateKey)
}

/// Writes the identity's certificate. Always `errSecSuccess`.
@discardableResult
public func SecIdentityCopyCertificate(
    _ identityRef: SecIdentity, _ certificateRef: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
    unsafe certificateRef.pointee = identityRef.certificate
    return errSecSuccess
}

/// Writes the identity's private key. This asks nobody: a software key was released when the identity was found, and a Secure Enclave key
/// asks when you use it.
///
/// Returns `errSecItemNotFound` if the key can't be read as one.
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
