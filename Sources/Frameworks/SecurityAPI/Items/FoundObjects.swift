import ThumbAccess

/// The objects of found items, by the items' persistent references.
typealias FoundObjects = [[UInt8]: AnyObject]

extension Query {
    /// The query that also brings what this one's objects are made from. A software key's object is the key itself, so the key is released
    /// with it, and its access control is looked at when the object is found.
    var withMaterial: Query {
        guard shape.contains(.ref), namedClass == .key else { return self }
        var query = self
        query.shape.insert(.data)
        return query
    }
}

extension ItemCalls {
    /// The items with the objects of the keys, certificates and identities among them. Data that can't be read as one has no object.
    ///
    /// An identity whose key isn't there any more, or is skipped because it would have to ask, isn't among the items. Fails as finding the
    /// key does.
    func objects(
        of items: [FoundItem], _ terms: AskingTerms, _ asking: KeyAsking
    ) throws(KeychainFailure) -> (items: [FoundItem], objects: FoundObjects) {
        var (kept, objects) = ([FoundItem](), FoundObjects())
        for item in items {
            switch item.itemClass {
            case .genericPassword, .internetPassword: break
            case .key: objects[item.persistentRef] = try SecKey.found(item, asking)
            case .certificate: objects[item.persistentRef] = item.certificate.map { SecCertificate($0) }
            case .identity:
                do throws(KeychainFailure) {
                    let key = try privateKey(of: item, terms, asking)
                    objects[item.persistentRef] = item.certificate.map { SecIdentity(SecCertificate($0), key) }
                } catch {
                    guard error == .itemNotFound else { throw error }
                    continue
                }
            }
            kept.append(item)
        }
        guard !kept.isEmpty else { throw .itemNotFound }
        return (kept, objects)
    }

    /// An identity's private key: the one with the hash that its certificate has, in its group. nil if that can't be read as a key.
    private func privateKey(
        of identity: FoundItem, _ terms: AskingTerms, _ asking: KeyAsking
    ) throws(KeychainFailure) -> SecKey? {
        var attributes: Attributes = [.keyClass: .number(1)]
        attributes[.applicationLabel] = identity.attributes[.publicKeyHash]
        attributes[.group] = identity.attributes[.group]
        let query = Query(itemClass: .key, attributes: attributes, sync: .any, shape: .ref, asking: terms)
        guard let found = try device.find(query.withMaterial).first else { throw .itemNotFound }
        return try SecKey.found(found, asking)
    }
}
