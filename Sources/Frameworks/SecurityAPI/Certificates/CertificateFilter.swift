import Foundation
import ThumbAccess
import ThumbCrypto

/// What a search asks of certificates beyond their attributes. It is checked here, because certificates are public and the
/// daemon reads none.
struct CertificateFilter {
    /// Names of which a certificate's chain must hold one, in DER.
    var issuers: [[UInt8]]?
    /// An address that must be among a certificate's, where it has any.
    var email: String?
    /// A moment, in seconds since 1970, in the certificate's validity.
    var moment: Double?

    var isEmpty: Bool { issuers == nil && email == nil && moment == nil }

    /// - Parameter known: the certificates by which a chain is followed, by subject.
    func accepts(_ item: FoundItem, known: [[UInt8]: Certificate]) -> Bool {
        guard let certificate = item.certificate else { return false }
        if let moment, !certificate.validity.contains(moment) { return false }
        let addresses = certificate.emailAddresses
        if let email, !addresses.isEmpty, !addresses.contains(where: { $0.lowercased() == email.lowercased() }) { return false }
        guard let issuers else { return true }
        return Self.chain(from: certificate, known).contains { issuers.contains($0) }
    }

    /// The issuers' names from a certificate upwards, as far as they are known. Who signed what isn't checked: this finds, it
    /// doesn't trust.
    private static func chain(from first: Certificate, _ known: [[UInt8]: Certificate]) -> [[UInt8]] {
        var names = [first.issuer]
        while let last = names.last, let next = known[last], !names.contains(next.issuer), names.count < longestChain {
            names.append(next.issuer)
        }
        return names
    }

    private static let longestChain = 16
}
