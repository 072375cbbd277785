public import ThumbAccess

// How the five classes differ.

extension ItemClass {
    /// The attributes that make two items of a class the same, together with their group. An identity has none of its own: see
    /// `Identities`.
    public var uniqueAttributes: [AttributeName] {
        let everywhere: [AttributeName] = [.synchronizable, .viewHint, .token]
        switch self {
        case .genericPassword: return [.account, .service] + everywhere
        case .internetPassword:
            return [.account, .securityDomain, .server, .networkProtocol, .authenticationType, .port, .path] + everywhere
        case .certificate: return [.certificateType, .issuer, .serialNumber] + everywhere
        case .key:
            return [
                .keyClass, .applicationLabel, .applicationTag, .creator, .type, .keySize, .effectiveKeySize, .validFrom, .validTo,
            ] + everywhere
        case .identity: return everywhere
        }
    }

    /// The attributes by which people look an item up, mostly all together. The store keeps one index over all of them, so another list
    /// here needs a new format of the store.
    public var lookupAttributes: [AttributeName] {
        switch self {
        case .genericPassword: Self.lookupOfGenericPassword
        case .internetPassword: Self.lookupOfInternetPassword
        case .certificate: Self.lookupOfCertificate
        case .key, .identity: []
        }
    }

    private static let lookupOfGenericPassword: [AttributeName] = [.service, .account]
    private static let lookupOfInternetPassword: [AttributeName] = [.server, .account]
    private static let lookupOfCertificate: [AttributeName] = [.issuer, .serialNumber]

    /// The value of an attribute that helps to tell items apart, if its author left it out. A search for "nothing" finds it.
    func emptyValue(of name: AttributeName) -> AttributeValue? {
        switch name {
        case .validFrom, .validTo: .date(0)
        case .port, .certificateType, .keyClass, .creator, .type, .keySize, .effectiveKeySize, .synchronizable: .number(0)
        case .issuer, .serialNumber: .data([])
        // Seldom used, and the same whether empty or absent.
        case .viewHint, .token: nil
        default: .text("")
        }
    }
}
