public import Foundation

/// A private key in the keychain together with the certificate of its public half.
///
/// Found in the keychain with `kSecClassIdentity`; immutable; two with the same certificate are equal. The key's use comes with
/// `SecKey`.
public final class SecIdentity: NSObject, Sendable {
    let certificate: SecCertificate

    init(_ certificate: SecCertificate) { self.certificate = certificate }

    /// Whether `object` is the same identity.
    public override func isEqual(_ object: Any?) -> Bool { (object as? SecIdentity)?.certificate == certificate }

    /// A hash that equal identities share.
    public override var hash: Int { certificate.hash }
}

/// Writes the identity's certificate. Always `errSecSuccess`.
@discardableResult
public func SecIdentityCopyCertificate(
    _ identityRef: SecIdentity, _ certificateRef: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
    unsafe certificateRef.pointee = identityRef.certificate
    return errSecSuccess
}
