public import ThumbAccess
import ThumbAuthentication
import ThumbSecrets

extension Keychain {
    /// Stores a new item. `.duplicateItem` leaves the existing item untouched; a dead item is replaced. It never asks the owner: nobody
    /// needs a key to close a lock.
    public func add(_ new: NewItem, _ authority: Authority) throws(KeychainFailure) -> FoundItem {
        try keep(plain(new, authority), new, authority)
    }

    /// Stores a new item in the place of the one with its name, as if that one had been removed and this one added, but both or neither. It
    /// never asks the owner, as neither of the two does: that item isn't read.
    public func put(_ new: NewItem, _ authority: Authority) throws(KeychainFailure) -> FoundItem {
        let item = try plain(new, authority)
        guard let old = try livingHolder(of: item, authority) else { return try keep(item, new, authority) }
        // The size of a secret isn't known without opening it, so the old one's counts as none.
        let bytes = item.attributes.byteCount + (new.secret?.count ?? 0)
        try checkQuota(0, bytes: max(0, bytes - old.attributes.byteCount))
        try groups.claim(item.group, for: authority.caller)
        try forgetAnswers(about: [old])
        try audit.noting(notes(.removed, [old], authority) + [note(.added, item, authority)]) { () throws(KeychainFailure) in
            try store.exchange(old, for: item, secret: new.secret, applicationKey: authority.applicationKey)
        }
        return shown(item, new)
    }

    /// The same for an item of an app's, which names no custodian.
    private func plain(_ new: NewItem, _ authority: Authority) throws(KeychainFailure) -> StoredItem {
        // An identity exists where a key and its certificate do.
        guard new.itemClass != .identity else { throw .parameter }
        guard new.attributes[.custodian] == nil else { throw .noSuchAttribute }
        return try prepared(new, authority)
    }

    /// The item as it would be stored, if it may be made at all.
    func prepared(_ new: NewItem, isEnclaveKey: Bool = false, _ authority: Authority) throws(KeychainFailure) -> StoredItem {
        try checkSizes(new.attributes)
        if let secret = new.secret, secret.count > QueryLimit.secretBytes { throw .dataTooLarge }
        var attributes = new.attributes
        var group = authority.caller.groups.first { $0 != Self.tokenGroup }
        if let wanted = attributes.removeValue(forKey: .group) { group = try place(wanted, authority.caller) }
        guard let group else { throw .missingEntitlement }
        let enrolment = try enrolmentForNew(new.rule, isEnclaveKey: isEnclaveKey, authority)
        try checkSync(attributes, new.rule)
        let now = clock()
        attributes[.created] = .date(now)
        attributes[.modified] = .date(now)
        for name in new.itemClass.uniqueAttributes where attributes[name] == nil {
            attributes[name] = new.itemClass.emptyValue(of: name)
        }
        attributes[.accessible] = nil
        attributes[.accessControl] = nil
        return StoredItem(
            id: try store.makeItemID(), itemClass: new.itemClass, group: group, rule: new.rule, attributes: attributes,
            hasSecret: new.secret != nil, enrolment: enrolment)
    }

    /// Puts a prepared item into the store.
    func keep(_ item: StoredItem, _ new: NewItem, _ authority: Authority) throws(KeychainFailure) -> FoundItem {
        try checkQuota(1, bytes: item.attributes.byteCount + (new.secret?.count ?? 0))
        try groups.claim(item.group, for: authority.caller)
        // A dead item makes room for this one, and is gone then.
        if isKept(item), let holder = try holder(of: item) {
            let isDead = holder.isDead ? true : try hasJustDied(holder, authority)
            if isDead { try forgetAnswers(about: [holder]) }
        }
        do {
            try insert(item, new.secret, authority)
        } catch {
            guard error == .duplicateItem, try holderIsDead(of: item, authority) else { throw error }
            try insert(item, new.secret, authority)
        }
        return shown(item, new)
    }

    private func shown(_ item: StoredItem, _ new: NewItem) -> FoundItem {
        FoundItem(
            itemClass: item.itemClass, attributes: shownAttributes(item), rule: item.rule,
            persistentRef: PersistentRef.make(item), secret: new.shape.needsSecret(of: item.itemClass) ? new.secret : nil)
    }

    /// The group that an item is added to: one of the program's, or one that this addition makes.
    private func place(_ wanted: AttributeValue, _ caller: Caller) throws(KeychainFailure) -> ExactName {
        if case .text(let text) = wanted {
            let name = ExactName(text)
            if try groups.standing(of: name, for: caller) == .unmade { return name }
        }
        return try Self.group(wanted, of: caller)
    }

    private func insert(_ item: StoredItem, _ secret: SecretBytes?, _ authority: Authority) throws(KeychainFailure) {
        try audit.noting([note(.added, item, authority)]) { () throws(KeychainFailure) in
            try store.insert(item, secret: secret, applicationKey: authority.applicationKey)
        }
    }

    /// Whether the item with this one's name can never be opened again. Nobody may have looked since the enrolment changed.
    private func holderIsDead(of item: StoredItem, _ authority: Authority) throws(KeychainFailure) -> Bool {
        guard let holder = try holder(of: item), !holder.isDead else { return false }
        return try hasJustDied(holder, authority)
    }

    /// The item with this one's name, if it can still be opened.
    func livingHolder(of item: StoredItem, _ authority: Authority) throws(KeychainFailure) -> StoredItem? {
        guard let holder = try holder(of: item), !holder.isDead else { return nil }
        return try hasJustDied(holder, authority) ? nil : holder
    }

    private func hasJustDied(_ holder: StoredItem, _ authority: Authority) throws(KeychainFailure) -> Bool {
        guard case .known = authority.enrolment, holder.rule.diesWithEnrolment else { return false }
        if case .changed = try standing(of: holder, authority) { return true }
        return false
    }

    private func holder(of item: StoredItem) throws(KeychainFailure) -> StoredItem? {
        var selection = Selection(itemClass: item.itemClass, groups: [item.group])
        for name in item.itemClass.uniqueAttributes { selection.attributes[name] = item.attributes[name] }
        return try store.select(selection).first { $0.uniqueness == item.uniqueness }
    }

    /// Whether such an item can be made now, and the enrolment it is bound to.
    func enrolmentForNew(
        _ rule: AccessRule, isEnclaveKey: Bool = false, _ authority: Authority
    ) throws(KeychainFailure) -> [UInt8]? {
        let device = Demands(rule).seen(authority.device)
        let keyClass = rule.accessibility.keyClass
        if keyClass == .passcode && !device.passcodeIsSet { throw .authenticationFailed }
        if authority.isLocked && rule.accessibility.needsUnlocked { throw .interactionNotAllowed }
        if !store.isOpen(keyClass) { throw .interactionNotAllowed }
        // A rule for private keys can't say "release the item", so an item under it could never be read.
        if rule.constraints.contains(.privateKeyUsage) && !isEnclaveKey { throw .authenticationFailed }
        // The password is mixed into the key, so without it there is no key.
        if rule.constraints.contains(.applicationPassword) && authority.applicationKey == nil { throw .authenticationFailed }
        if rule.needsBiometry && (device.kind == .none || device.condition != .ready) { throw .authenticationFailed }
        guard rule.isBoundToEnrolment else { return nil }
        guard case .known(let digest) = authority.enrolment else { throw .authenticationFailed }
        return digest
    }

    func checkSync(_ attributes: Attributes, _ rule: AccessRule) throws(KeychainFailure) {
        if Self.isSynchronized(attributes), rule.asksForOwner { throw .parameter }
    }

    static func isSynchronized(_ attributes: Attributes) -> Bool {
        switch attributes[.synchronizable] {
        case .number(let number): number != 0
        case .flag(let flag): flag
        default: false
        }
    }
}
