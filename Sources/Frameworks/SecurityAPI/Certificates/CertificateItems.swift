import Foundation
import ThumbAccess
import ThumbCrypto
import ThumbSecrets

// Certificates as items. Their attributes come from their DER, so that identities and searches find them.

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

    /// The attributes that an item gets when this certificate takes another one's place in it. The item keeps its label.
    func attributesOfChange() throws(KeychainFailure) -> Attributes { try attributes().filter { $0.key != .label } }

    /// The attributes that find this certificate's item, and no other.
    func identifying() throws(KeychainFailure) -> Attributes {
        [.issuer: .data(issuer), .serialNumber: .data(serialNumber), .publicKeyHash: .data(try publicKeyHash())]
    }

    /// The keychain's number for DER.
    private static let derEncoding: Int64 = 3

    private func publicKeyHash() throws(KeychainFailure) -> [UInt8] {
        do {
            return try HashFunction.sha1.hash(publicKeyBits)
        } catch {
            throw .internalFailure
        }
    }
}

extension FoundItem {
    /// The certificate in the item's data.
    var certificate: Certificate? {
        // The data of an item that was added as plain data can be anything.
        secret.flatMap { try? Certificate(der: $0.plainBytes(in: 0..<$0.count)) }
    }
}
