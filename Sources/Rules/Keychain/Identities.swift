import ThumbAccess
import ThumbAuthentication

// An identity isn't stored. It is a private key with the certificate of its public half, if a caller has both.

extension Keychain {
    struct Identity {
        var key: StoredItem
        var certificate: StoredItem

        /// The attributes of both. If both have the same one, the certificate's counts.
        var attributes: Attributes { key.attributes.merging(certificate.attributes) { $1 } }
    }

    private static let privateKey = AttributeValue.number(1)

    func asksForIdentity(_ query: Query) throws(KeychainFailure) -> Bool {
        if let reference = query.persistentRef { return try PersistentRef.read(reference).0 == .identity }
        return query.itemClass == .identity
    }

    /// The identities a query matches, in the order in which their keys were added.
    func identities(
        _ query: Query, _ caller: Caller, toRead: Bool = false
    ) throws(KeychainFailure) -> [Identity] {
        if caller.groups.isEmpty { throw .missingEntitlement }
        try checkSizes(query.attributes)
        var attributes = query.attributes
        var groups = caller.groups
        if let group = attributes.removeValue(forKey: .group) { groups = [try Self.group(group, of: caller, toRead: toRead)] }
        let accessible = attributes.removeValue(forKey: .accessible)
        attributes[.accessControl] = nil
        var certificates = Selection(itemClass: .certificate, groups: groups, sync: query.sync)
        if let reference = query.persistentRef {
            guard query.attributes.isEmpty else { throw .parameter }
            certificates.id = try PersistentRef.read(reference).1
            certificates.sync = .any
        }
        var keys = Selection(
            itemClass: .key, groups: groups, attributes: [.keyClass: Self.privateKey], sync: certificates.sync)
        keys.attributes[.applicationLabel] = attributes[.publicKeyHash] ?? attributes[.applicationLabel]
        var found: [Identity] = []
        for key in try store.select(keys) {
            guard let label = key.attributes[.applicationLabel], !label.comparable.isEmpty else { continue }
            certificates.attributes = [.publicKeyHash: label]
            for certificate in try store.select(certificates) {
                let identity = Identity(key: key, certificate: certificate)
                let merged = identity.attributes
                guard attributes.allSatisfy({ merged[$0.key]?.comparable == $0.value.comparable }) else { continue }
                if let accessible, Array(key.rule.accessibility.code.utf8) != accessible.comparable { continue }
                found.append(identity)
                if let limit = query.limit, found.count >= limit { return found }
            }
        }
        return found
    }

    /// Identities as results. Their data is the certificate's, which is public; the private key isn't returned.
    func findIdentities(_ query: Query, _ authority: Authority) throws(KeychainFailure) -> KeychainStep<[FoundItem]> {
        var found: [FoundItem] = []
        for identity in try identities(query, authority.caller, toRead: true) {
            var attributes = identity.attributes
            attributes[.group] = .text(identity.key.group.text)
            var result = FoundItem(
                itemClass: .identity, attributes: attributes, rule: identity.key.rule,
                persistentRef: PersistentRef.make(.identity, identity.certificate.id))
            if query.shape.needsSecret(of: .identity) {
                switch try release(identity.certificate, query.asking.permission, authority) {
                case .secret(let data): result.secret = data
                case .gone, .skipped: continue
                case .ask(let demands): return .ask(identity.certificate, demands)
                }
            }
            found.append(result)
        }
        guard !found.isEmpty else { throw .itemNotFound }
        return .done(found)
    }
}
