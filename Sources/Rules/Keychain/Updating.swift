public import ThumbAccess
import ThumbAuthentication
import ThumbSecrets

extension Keychain {
    /// Changes every match, all or none. A protected item is opened to be sealed again, so the owner may have to be asked. An Enclave key's
    /// row is changed without asking, because the key stays with its custodian under the rule that it was made with.
    public func update(
        _ query: Query, _ change: ItemChange, _ authority: Authority
    ) throws(KeychainFailure) -> KeychainStep<Void> {
        if try asksForIdentity(query) { throw .unsupported }
        try checkSizes(change.attributes)
        if let secret = change.secret, secret.count > QueryLimit.secretBytes { throw .dataTooLarge }
        guard change.attributes[.custodian] == nil else { throw .noSuchAttribute }
        var changes: [(item: StoredItem, secret: SecretBytes?)] = []
        var growth = 0
        for item in try matches(query, authority.caller, to: .change) {
            var before = 0
            if item.hasSecret, !item.isEnclaveKey {
                switch try release(item, query.asking.permission, authority) {
                // The store itself seals its secret again under the new rule, so the secret needn't pass through here.
                case .secret(let secret): before = secret.count
                case .gone, .skipped: continue
                case .ask(let demands): return .ask(item, demands)
                }
            }
            let new = try changed(item, change, authority)
            growth += max(0, new.attributes.byteCount - item.attributes.byteCount + (change.secret?.count ?? before) - before)
            changes.append((new, change.secret))
        }
        guard !changes.isEmpty else { throw .itemNotFound }
        try checkQuota(0, bytes: growth)
        for group in changes.map(\.item.group).distinct { try groups.claim(group, for: authority.caller) }
        let notes = notes(.changed, changes.map(\.item), authority)
        try audit.noting(notes) { () throws(KeychainFailure) in
            try store.replace(changes, applicationKey: authority.applicationKey)
        }
        return .done(())
    }

    func changed(
        _ item: StoredItem, _ change: ItemChange, _ authority: Authority
    ) throws(KeychainFailure) -> StoredItem {
        if item.isEnclaveKey { try check(change, toEnclaveKey: item) }
        var new = item
        new.generation += 1
        for (name, value) in change.attributes {
            switch name {
            case .group:
                new.group = try Self.group(value, of: authority.caller)
                // It would be read there without anybody being asked.
                if isKept(item), new.group != item.group { throw .missingEntitlement }
            case .accessible, .accessControl: break
            default: new.attributes[name] = value
            }
        }
        if let rule = change.rule {
            new.rule = rule
            new.enrolment = try enrolmentForNew(rule, authority)
        }
        if change.secret != nil { new.hasSecret = true }
        try checkSync(new.attributes, new.rule)
        new.attributes[.modified] = .date(later(than: item.attributes[.modified]))
        return new
    }

    /// The modification date always moves forward, even if the clock doesn't.
    private func later(than last: AttributeValue?) -> Double {
        guard case .date(let date) = last else { return clock() }
        return max(clock(), date + 0.001)
    }

    /// A custodian's key stays what it is, under the rule that it was made with. Its row may say anything else about it, and an attribute
    /// that is only written again changes nothing.
    private func check(_ change: ItemChange, toEnclaveKey item: StoredItem) throws(KeychainFailure) {
        guard change.secret == nil, change.rule == nil else { throw .parameter }
        for (name, value) in change.attributes where !Self.sayings.contains(name) {
            guard item.attributes[name]?.isSame(as: value) == true else { throw .parameter }
        }
    }

    /// What a key's row says about a key without deciding what the key is, who holds it or where its item belongs.
    private static let sayings: Set<AttributeName> = {
        let named: Set<AttributeName> = [
            .label, .applicationLabel, .applicationTag, .alias, .group, .viewHint, .creator, .modified, .created, .validFrom,
            .validTo,
        ]
        return named.union(KeyUsage.flags(.elliptic(.p256), isPrivate: true).map(\.name))
    }()
}
