import ThumbAccess
import ThumbAuthentication
import ThumbSecrets

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
    func identities(_ query: Query, _ caller: Caller, to purpose: Purpose) throws(KeychainFailure) -> [Identity] {
        if caller.groups.isEmpty { throw .missingEntitlement }
        try checkSizes(query.attributes)
        var attributes = query.attributes
        var groups = caller.groups
        if let group = attributes.removeValue(forKey: .group) {
            groups = [try Self.group(group, of: caller, toRead: purpose == .find)]
        }
        let accessible = attributes.removeValue(forKey: .accessible)
        attributes[.accessControl] = nil
        var certificates = Selection(itemClass: .certificate, groups: groups, sync: query.sync)
        certificates.showsDead = purpose == .remove
        if let reference = query.persistentRef {
            guard query.attributes.isEmpty else { throw .parameter }
            certificates.id = try PersistentRef.read(reference).1
            certificates.sync = .any
        }
        var keys = Selection(
            itemClass: .key, groups: groups, attributes: [.keyClass: Self.privateKey], sync: certificates.sync)
        keys.attributes[.applicationLabel] = attributes[.publicKeyHash] ?? attributes[.applicationLabel]
        var found: [Identity] = []
        var reach = Reach()
        for key in try gather(keys, &reach) {
            // As in a search for keys: one that died isn't found unless it is the Enclave's, and a removal takes every one.
            guard purpose == .remove || !key.isDead || key.isEnclaveKey else { continue }
            guard let label = key.attributes[.applicationLabel], !label.comparable.isEmpty else { continue }
            certificates.attributes = [.publicKeyHash: label]
            for certificate in try gather(certificates, &reach) {
                let identity = Identity(key: key, certificate: certificate)
                try reach.take(key, again: true)
                let merged = identity.attributes
                guard attributes.allSatisfy({ merged[$0.key]?.comparable == $0.value.comparable }) else { continue }
                if let accessible, Array(key.rule.accessibility.code.utf8) != accessible.comparable { continue }
                found.append(identity)
                if let limit = query.limit, found.count >= limit { return found }
            }
        }
        return found
    }

    /// How far one call may still look. Each key goes with each certificate of the same label, so a few items can be very many identities.
    private struct Reach {
        private var bytes = QueryLimit.gatheredBytes
        private var items = QueryLimit.pairedItems

        mutating func take(_ item: StoredItem, again: Bool = false) throws(KeychainFailure) {
            bytes -= item.attributes.byteCount
            if !again { items -= 1 }
            if bytes < 0 || items < 0 { throw .outOfMemory }
        }
    }

    /// The items of a selection, if all of them are within reach.
    private func gather(_ selection: Selection, _ reach: inout Reach) throws(KeychainFailure) -> [StoredItem] {
        var found: [StoredItem] = []
        var failure: KeychainFailure?
        _ = try store.select(selection, after: nil) { item in
            do throws(KeychainFailure) { try reach.take(item) } catch { failure = error }
            found.append(item)
            return failure == nil
        }
        if let failure { throw failure }
        return found
    }

    /// Identities as results. Their data is the certificate's, which is public; the private key isn't returned.
    func findIdentities(_ query: Query, _ authority: Authority) throws(KeychainFailure) -> KeychainStep<[FoundItem]> {
        var found: [FoundItem] = []
        var released: [StoredItem] = []
        var releasedBytes = 0
        for identity in try identities(query, authority.caller, to: .find) {
            var attributes = identity.attributes
            attributes[.group] = .text(identity.key.group.text)
            var result = FoundItem(
                itemClass: .identity, attributes: attributes, rule: identity.key.rule,
                persistentRef: PersistentRef.make(.identity, identity.certificate.id))
            if query.shape.needsSecret(of: .identity) {
                switch try release(identity.certificate, query.asking.permission, authority) {
                case .secret(let data):
                    releasedBytes += data.count
                    guard releasedBytes <= QueryLimit.releasedBytes else { throw .outOfMemory }
                    result.secret = data
                case .gone, .skipped: continue
                case .ask(let demands): return .ask(identity.certificate, demands)
                }
                released.append(identity.certificate)
            }
            found.append(result)
        }
        guard !found.isEmpty else { throw .itemNotFound }
        for note in notes(.released, released, authority) { audit.note(note) }
        return .done(found)
    }
}
