public import ThumbAccess
import ThumbAuthentication
import ThumbSecrets

// Private keys: which may be made, and when one is released to its custodian for an operation. Here a key is never released to an app.

extension StoredItem {
    /// Whether a custodian holds it and no rule releases it, so that it can be used but not read.
    public var isEnclaveKey: Bool { custodian != nil }

    /// Who holds an enclave key; nil for every other item.
    public var custodian: Custodian? {
        itemClass == .key ? attributes.custodian : nil
    }
}

/// A key that its rule has released for one operation, and the custodian that performs it.
public struct ReleasedKey: Sendable {
    public let key: HeldKey
    public let custodian: Custodian

    init(key: HeldKey, custodian: Custodian) { (self.key, self.custodian) = (key, custodian) }
}

extension Keychain {
    /// Whether that caller may make such a key now. Fails as adding the item would, before a custodian spends time on it.
    public func checkNewKey(_ new: NewKey, _ authority: Authority) throws(KeychainFailure) {
        // A key that is neither permanent nor bound to its custodian doesn't need the device: its maker can have it.
        guard new.isPermanent || new.isEnclave else { throw .parameter }
        guard !new.isEnclave || new.kind == .elliptic(.p256) else { throw .parameter }
        guard new.attributes[.custodian] == nil else { throw .noSuchAttribute }
        _ = try prepared(item(new, nil, .software), isEnclaveKey: new.isEnclave, authority)
    }

    /// Keeps a key that its custodian has just made: in the store, or sealed for its maker.
    public func keep(
        _ made: MadeKey, _ new: NewKey, by custodian: Custodian, _ authority: Authority
    ) throws(KeychainFailure) -> KeyRecord {
        let item = item(new, made, custodian)
        let prepared = try prepared(item, isEnclaveKey: new.isEnclave, authority)
        if new.isPermanent { return KeyRecord(item: try keep(prepared, item, authority)) }
        // The key isn't kept, but the group is, if its name is new.
        if try groups.standing(of: prepared.group, for: authority.caller) == .unmade { try checkQuota(1, bytes: 0) }
        try groups.claim(prepared.group, for: authority.caller)
        let sealed = try store.detach(prepared, secret: made.material, applicationKey: authority.applicationKey)
        audit.note(note(.added, prepared, authority))
        return KeyRecord(item: shown(prepared), detached: sealed)
    }

    private func item(_ new: NewKey, _ made: MadeKey?, _ custodian: Custodian) -> NewItem {
        var attributes = new.attributes
        attributes[.keyClass] = .number(1)
        attributes[.type] = .number(new.kind.typeNumber)
        attributes[.keySize] = .number(Int64(new.kind.bits))
        attributes[.effectiveKeySize] = .number(Int64(new.kind.bits))
        if let made {
            attributes[.publicKey] = .data(made.publicKey)
            if attributes[.applicationLabel] == nil { attributes[.applicationLabel] = .data(made.label) }
        }
        for (name, isSet) in KeyUsage.flags(new.kind, isPrivate: true) where attributes[name] == nil {
            attributes[name] = .number(isSet ? 1 : 0)
        }
        if new.isEnclave {
            attributes[.custodian] = .number(Int64(custodian.rawValue))
            attributes[.token] = .text(KeyUsage.enclaveToken)
        }
        return NewItem(itemClass: .key, attributes: attributes, rule: new.rule, secret: made?.material, asking: new.asking)
    }

    /// Puts a detached key into the store. The sealed form that its maker has goes on working.
    public func keepKey(
        _ sealed: [UInt8], _ attributes: Attributes, _ authority: Authority
    ) throws(KeychainFailure) -> KeyRecord {
        let detached = try own(sealed, authority)
        let secret = try store.secret(of: detached, applicationKey: authority.applicationKey)
        // Only the custodian may set this, whatever the caller writes.
        guard attributes[.custodian] == nil else { throw .noSuchAttribute }
        try checkStays(detached.item, attributes)
        var all = detached.item.attributes
        for (name, value) in attributes where ![.publicKey, .type, .keyClass, .keySize, .effectiveKeySize].contains(name) {
            all[name] = value
        }
        let new = NewItem(itemClass: .key, attributes: all, rule: detached.item.rule, secret: secret)
        var item = try prepared(new, isEnclaveKey: detached.item.isEnclaveKey, authority)
        // The fingers for which it was made are still the ones that count.
        item.enrolment = detached.item.enrolment
        return KeyRecord(item: try keep(item, new, authority))
    }

    /// A key that a custodian holds stays on this device, and is no other token's.
    private func checkStays(_ key: StoredItem, _ attributes: Attributes) throws(KeychainFailure) {
        guard key.isEnclaveKey else { return }
        if let token = attributes[.token], key.attributes[.token]?.isSame(as: token) != true { throw .parameter }
        if Self.isSynchronized(attributes) { throw .parameter }
    }

    /// The public part of a detached key.
    public func readKey(_ sealed: [UInt8], _ authority: Authority) throws(KeychainFailure) -> KeyRecord {
        KeyRecord(item: shown(try own(sealed, authority).item), detached: sealed)
    }

    /// A key for one use, once its rule is satisfied.
    public func hold(_ use: KeyUse, _ authority: Authority) throws(KeychainFailure) -> KeychainStep<ReleasedKey> {
        try hold(use.key, use.asking, toSignIn: false, authority)
    }

    /// A sign-in key for one statement, once its rule is satisfied.
    public func hold(_ use: StatementUse, _ authority: Authority) throws(KeychainFailure) -> KeychainStep<ReleasedKey> {
        try hold(use.key, use.asking, toSignIn: true, authority)
    }

    private func hold(
        _ key: KeyName, _ asking: AskingTerms, toSignIn: Bool, _ authority: Authority
    ) throws(KeychainFailure) -> KeychainStep<ReleasedKey> {
        let item: StoredItem
        let open: () throws(KeychainFailure) -> SecretBytes
        let secretStore = store
        switch key {
        case .stored(let reference):
            let (itemClass, _) = try PersistentRef.read(reference)
            guard itemClass == .key else { throw .parameter }
            let query = Query(itemClass: .key, sync: .any, persistentRef: reference)
            guard let found = try matches(query, authority.caller, to: .find).first, found.hasSecret else { throw .itemNotFound }
            item = found
            open = { () throws(KeychainFailure) in
                try secretStore.secret(of: found, applicationKey: authority.applicationKey)
            }
        case .detached(let sealed):
            let detached = try own(sealed, authority)
            item = detached.item
            open = { () throws(KeychainFailure) in
                try secretStore.secret(of: detached, applicationKey: authority.applicationKey)
            }
        }
        guard let kind = KeyKind(item.attributes), item.attributes[.keyClass]?.comparable == AttributeValue.number(1).comparable,
            case .data(let publicKey)? = item.attributes[.publicKey]
        else { throw .unsupported }
        try checkUsage(of: item, toSignIn: toSignIn, authority)
        // If nobody may be asked, the evaluation itself says so, after it has said what the device lacks.
        let permission = asking.permission == .fail ? .allow : asking.permission
        switch try release(item, permission, authority, open) {
        case .secret(let material):
            audit.note(note(toSignIn ? .statementSigned : .keyUsed, item, authority))
            let key = HeldKey(kind: kind, material: material, publicKey: publicKey)
            return .done(ReleasedKey(key: key, custodian: item.custodian ?? .software))
        // Its item is still found, and so is the ref that an app keeps. It is the key that doesn't open any more.
        case .gone: throw item.isEnclaveKey ? .damaged : .itemNotFound
        case .skipped: throw .interactionNotAllowed
        case .ask(let demands): return .ask(item, demands)
        }
    }

    /// If an enclave key's rule has constraints but says nothing about using the key, the key's operations are refused.
    private func checkUsage(of item: StoredItem, toSignIn: Bool, _ authority: Authority) throws(KeychainFailure) {
        // If a sign-in key signed anything it is given, it would sign a server's challenge for anybody who brings one.
        guard item.rule.isForSigningIn == toSignIn else {
            noteRefusal(of: item, .unsupported, authority)
            throw .unsupported
        }
        let constraints = item.rule.constraints
        guard item.isEnclaveKey, !constraints.isEmpty, !constraints.contains(.privateKeyUsage) else { return }
        noteRefusal(of: item, .authenticationFailed, authority)
        throw .authenticationFailed
    }

    /// A detached key, if it is in one of the caller's groups.
    private func own(_ sealed: [UInt8], _ authority: Authority) throws(KeychainFailure) -> DetachedItem {
        let detached = try store.attach(sealed)
        guard detached.item.itemClass == .key else { throw .parameter }
        guard authority.caller.groups.contains(detached.item.group) else { throw .missingEntitlement }
        return detached
    }
}
