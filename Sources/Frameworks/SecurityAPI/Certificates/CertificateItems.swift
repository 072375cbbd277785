import Foundation
import ThumbAccess
import ThumbCrypto
import ThumbSecrets

// Certificates as items: their attributes come from their DER, so that identities and searches find them.

extension Certificate {
    /// What the DER says, under the keychain's names.
    func attributes() throws(KeychainFailure) -> Attributes {
        var attributes: Attributes = [
            .certificateType: .number(Int64(version)), .certificateEncoding: .number(Self.derEncoding), .subject: .data(subject),
            .issuer: .data(issuer), .serialNumber: .data(serialNumber), .publicKeyHash: .data(try publicKeyHash()),
        ]
        if let summary { attributes[.label] = .text(summary) }
        if let subjectKeyID { attributes[.subjectKeyID] = .data(subjectKeyID) }
        return attributes
    }

    /// What finds this certificate's item, and no other's.
    func identifying() throws(KeychainFailure) -> Attributes {
        [.issuer: .data(issuer), .serialNumber: .data(serialNumber), .publicKeyHash: .data(try publicKeyHash())]
    }

    /// The number by which the keychain calls DER.
    private static let derEncoding: Int64 = 3

    private func publicKeyHash() throws(KeychainFailure) -> [UInt8] {
        do {
            return try HashFunction.sha1.hash(publicKeyBits)
        } catch {
            throw .internalFailure
        }
    }
}

/// An object that a dictionary names under `v_Ref`.
enum ItemReference {
    case certificate(SecCertificate)
    case identity(SecIdentity)

    /// Fails with `.parameter` on anything that isn't such an object.
    init(_ value: Any) throws(KeychainFailure) {
        switch value {
        case let certificate as SecCertificate: self = .certificate(certificate)
        case let identity as SecIdentity: self = .identity(identity)
        default: throw .parameter
        }
    }

    var itemClass: ItemClass {
        switch self {
        case .certificate: .certificate
        case .identity: .identity
        }
    }

    var certificate: Certificate {
        switch self {
        case .certificate(let certificate): certificate.certificate
        case .identity(let identity): identity.certificate.certificate
        }
    }
}

extension FoundItem {
    /// The object that stands for a found certificate or identity; nil for what has none, and for a certificate that can't be read.
    var object: AnyObject? {
        guard itemClass == .certificate || itemClass == .identity, let certificate else { return nil }
        return itemClass == .certificate ? SecCertificate(certificate) : SecIdentity(SecCertificate(certificate))
    }

    /// The certificate in the item's data.
    var certificate: Certificate? {
        // An item that was added as plain data is whatever its author put there.
        secret.flatMap { try? Certificate(der: $0.plainBytes(in: 0..<$0.count)) }
    }
}
