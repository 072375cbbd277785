import ThumbAccess

/// An object that a dictionary names under `v_Ref`.
enum ItemReference {
    case certificate(SecCertificate)
    case identity(SecIdentity)
    case key(SecKey)

    /// Fails with `.parameter` on anything that isn't such an object.
    init(_ value: Any) throws(KeychainFailure) {
        switch value {
        case let certificate as SecCertificate: self = .certificate(certificate)
        case let identity as SecIdentity: self = .identity(identity)
        case let key as SecKey: self = .key(key)
        default: throw .parameter
        }
    }

    var itemClass: ItemClass {
        switch self {
        case .certificate: .certificate
        case .identity: .identity
        case .key: .key
        }
    }

    /// The attributes that find this object's item, and no other.
    func identifying() throws(KeychainFailure) -> Attributes {
        switch self {
        case .certificate(let certificate): try certificate.certificate.identifying()
        case .identity(let identity): try identity.certificate.certificate.identifying()
        case .key(let key): key.identifying()
        }
    }
}
