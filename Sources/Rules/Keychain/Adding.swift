public import ThumbAccess
internal import ThumbAuthentication
internal import ThumbSecrets

extension Keychain {
    /// Stores a new item; `.duplicateItem` leaves what is there untouched. Never asks: making a lock needs no key to it.
    public func add(_ new: NewItem, _ authority: Authority) throws(KeychainFailure) -> FoundItem {
        // An identity comes into being where a key and its certificate are.
        guard new.itemClass != .identity else { throw .parameter }
        try checkSizes(new.attributes)
        if let secret = new.secret, secret.count > QueryLimit.secretBytes { throw .dataTooLarge }
        var attributes = new.attributes
        var group = authority.caller.groups.first
        if let wanted = attributes.removeValue(forKey: .group) { group = try Self.group(wanted, of: authority.caller) }
        guard let group else { throw .missingEntitlement }
        let enrolment = try enrolmentForNew(new.rule, authority)
        try checkSync(attributes, new.rule)
        let now = clock()
        attributes[.created] = .date(now)
        attributes[.modified] = .date(now)
        for name in new.itemClass.uniqueAttributes where attributes[name] == nil {
            attributes[name] = new.itemClass.emptyValue(of: name)
        }
        attributes[.accessible] = nil
        attributes[.accessControl] = nil
        let item = StoredItem(
            id: try store.makeItemID(), itemClass: new.itemClass, group: group, rule: new.rule, attributes: attributes,
            hasSecret: new.secret != nil, enrolment: enrolment)
        try audit.noting([AuditRecord(.added, item, authority, now)]) { () throws(KeychainFailure) in
            try store.insert(item, secret: new.secret, applicationKey: authority.applicationKey)
        }
        return FoundItem(
            itemClass: item.itemClass, attributes: shownAttributes(item), rule: item.rule,
            persistentRef: PersistentRef.make(item), secret: new.shape.needsSecret(of: item.itemClass) ? new.secret : nil)
    }

    /// Whether such an item can be made now, and the enrolment it is bound to.
    func enrolmentForNew(_ rule: AccessRule, _ authority: Authority) throws(KeychainFailure) -> [UInt8]? {
        let device = authority.device
        let keyClass = rule.accessibility.keyClass
        if keyClass == .passcode && !device.passcodeIsSet { throw .authenticationFailed }
        if authority.isLocked && rule.accessibility.needsUnlocked { throw .interactionNotAllowed }
        if !store.isOpen(keyClass) { throw .interactionNotAllowed }
        // A rule for private keys has no way to say "release the item": an item under it could never be read.
        if rule.constraints.contains(.privateKeyUsage) { throw .authenticationFailed }
        // Mixed into the key, so there is none without it.
        if rule.constraints.contains(.applicationPassword) && authority.applicationKey == nil { throw .authenticationFailed }
        if rule.needsBiometry && (device.kind == .none || device.condition != .ready) { throw .authenticationFailed }
        guard rule.isBoundToEnrolment else { return nil }
        guard case .known(let digest) = authority.enrolment else { throw .authenticationFailed }
        return digest
    }

    func checkSync(_ attributes: Attributes, _ rule: AccessRule) throws(KeychainFailure) {
        let synced: Bool =
            switch attributes[.synchronizable] {
            case .number(let number): number != 0
            case .flag(let flag): flag
            default: false
            }
        if synced && rule.asksForOwner { throw .parameter }
    }
}
