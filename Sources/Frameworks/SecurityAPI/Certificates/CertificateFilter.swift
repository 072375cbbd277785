import Foundation
import ThumbAccess
import ThumbCrypto

/// What a search demands of certificates beyond their attributes. This is checked here, because certificates are public and the daemon
/// doesn't read them.
struct CertificateFilter {
    /// Issuers' names in DER. A certificate's chain must contain one of them.
    var issuers: [[UInt8]]?
    /// An address that must be among a certificate's, if it has any.
    var email: String?
    /// A moment, in seconds since 1970, that must be in the certificate's validity.
    var moment: Double?

    var isEmpty: Bool { issuers == nil && email == nil && moment == nil }

    /// - Parameter known: the certificates for following a chain, by subject.
    func accepts(_ item: FoundItem, known: [[UInt8]: Certificate]) -> Bool {
        guard let certificate = item.certificate else { return false }
        if let moment, !certificate.validity.contains(moment) { return false }
        let addresses = certificate.emailAddresses
        if let email, !addresses.isEmpty, !addresses.contains(where: { $0.lowercased() == email.lowercased() }) { return false }
        guard let issuers else { return true }
        return Self.chain(from: certificate, known).contains { issuers.contains($0) }
    }

    /// The issuers' names from a certificate upwards, as far as they are known. Nobody checks who signed what: this finds certificates and
    /// doesn't trust them.
    private static func chain(from first: Certificate, _ known: [[UInt8]: Certificate]) -> [[UInt8]] {
        var names = [first.issuer]
        while let last = names.last, let next = known[last], !names.contains(next.issuer), names.count < longestChain {
            names.append(next.issuer)
        }
        return names
    }

    private static let longestChain = 16
}
