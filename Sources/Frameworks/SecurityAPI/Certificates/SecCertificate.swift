public import Foundation
import ThumbAccess
import ThumbCrypto

/// An X.509 certificate.
///
/// You make one with `SecCertificateCreateWithData` or find it in the keychain. It is immutable, and two with the same bytes are equal.
/// Reading a certificate says nothing about whether you can trust it.
public final class SecCertificate: NSObject, Sendable {
    let certificate: Certificate

    init(_ certificate: Certificate) { self.certificate = certificate }

    /// Whether `object` is the same certificate.
    public override func isEqual(_ object: Any?) -> Bool { (object as? SecCertificate)?.certificate == certificate }

    /// A hash that equal certificates share.
    public override var hash: Int { certificate.hashValue }

    /// A short form of the subject, for a log.
    public override var description: String { "<SecCertificate \(certificate.summary ?? "without a name")>" }
}

/// Reads a certificate in DER; nil if the data isn't exactly one. `allocator` is ignored.
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? {
    // This signature can't report the reason, so the error ends here.
    (try? Certificate(der: [UInt8](data as Data))).map { SecCertificate($0) }
}

/// The certificate's DER.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { certificate.certificate.der.asData }

/// The certificate's public key; nil if its kind isn't supported here.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
    let bits = certificate.certificate.publicKeyBits
    return KeyFamily.allCases.lazy.compactMap { try? PublicKey(external: bits, $0) }.first.map { SecKey($0) }
}

/// The certificate's public key; nil if its kind isn't supported here. This is iOS's older name of `SecCertificateCopyKey`.
@available(*, deprecated, renamed: "SecCertificateCopyKey")
public func SecCertificateCopyPublicKey(_ certificate: SecCertificate) -> SecKey? { SecCertificateCopyKey(certificate) }

/// A short form of the subject for people: the common name, or else the organization, the unit or an e-mail address; nil if the subject has
/// none of these. Whoever made the certificate chose it.
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? {
    certificate.certificate.summary.map { NSString(string: $0) }
}

/// Writes the subject's common name, or nil if it has none. Always `errSecSuccess`.
@discardableResult
public func SecCertificateCopyCommonName(
    _ certificate: SecCertificate, _ commonName: UnsafeMutablePointer<CFString?>
) -> OSStatus {
    unsafe commonName.pointee = certificate.certificate.commonName.map { NSString(string: $0) }
    return errSecSuccess
}

/// Writes the e-mail addresses in the subject and its alternative names, in an array that may be empty. Always `errSecSuccess`.
@discardableResult
public func SecCertificateCopyEmailAddresses(
    _ certificate: SecCertificate, _ emailAddresses: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    unsafe emailAddresses.pointee = NSArray(array: certificate.certificate.emailAddresses.map { NSString(string: $0) })
    return errSecSuccess
}

/// The issuer's name in DER, exactly as the certificate has it.
public func SecCertificateCopyNormalizedIssuerSequence(_ certificate: SecCertificate) -> CFData? {
    certificate.certificate.issuer.asData
}

/// The subject's name in DER, exactly as the certificate has it.
public func SecCertificateCopyNormalizedSubjectSequence(_ certificate: SecCertificate) -> CFData? {
    certificate.certificate.subject.asData
}

/// The serial number's bytes, big-endian. Never fails, and never writes `error`.
public func SecCertificateCopySerialNumberData(
    _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    certificate.certificate.serialNumber.asData
}

/// The beginning of the validity that the certificate claims.
public func SecCertificateCopyNotValidBeforeDate(_ certificate: SecCertificate) -> CFDate? {
    NSDate(timeIntervalSince1970: certificate.certificate.validity.lowerBound)
}

/// The end of the validity that the certificate claims.
public func SecCertificateCopyNotValidAfterDate(_ certificate: SecCertificate) -> CFDate? {
    NSDate(timeIntervalSince1970: certificate.certificate.validity.upperBound)
}

extension [UInt8] {
    var asData: NSData { NSData(data: Data(self)) }
}
