public import ThumbAccess
internal import ThumbAuthentication
internal import ThumbSecrets

/// The keychain's rules over a store: who may see what, what is a duplicate, when the owner must be asked.
///
/// A call never waits. It answers, or says which rule the owner must satisfy first; the caller evaluates and calls again.
public final class Keychain {
    let store: any ItemStore
    let audit: any AuditTrail
    let clock: () -> Double

    /// - Parameter clock: seconds since the reference date, for the dates on items.
    public init(store: any ItemStore, audit: any AuditTrail, clock: @escaping () -> Double) {
        self.store = store
        self.audit = audit
        self.clock = clock
    }

    /// Notes that an item was not released after all: the owner said no, or nobody could be asked.
    public func noteRefusal(of item: StoredItem, _ failure: KeychainFailure, _ authority: Authority) {
        audit.note(AuditRecord(.released, item, authority, clock(), failure: failure))
    }

    /// The items a query matches, with as much of each as it asked for. Fails with `.itemNotFound` rather than with nothing.
    public func find(_ query: Query, _ authority: Authority) throws(KeychainFailure) -> KeychainStep<[FoundItem]> {
        if query.limit == 0 { throw .itemNotFound }
        if try asksForIdentity(query) { return try findIdentities(query, authority) }
        var found: [FoundItem] = []
        var released: [StoredItem] = []
        for item in try matches(query, authority.caller) {
            var result = shown(item)
            if query.shape.needsSecret(of: item.itemClass) && item.hasSecret {
                switch try release(item, query.asking.permission, authority) {
                case .secret(let secret): result.secret = secret
                case .gone: continue
                case .skipped: continue
                case .ask: return .ask(item)
                }
                released.append(item)
            }
            found.append(result)
        }
        guard !found.isEmpty else { throw .itemNotFound }
        for record in AuditRecord.each(.released, released, authority, clock()) { audit.note(record) }
        return .done(found)
    }

    /// Shows what a query matches one by one, if it asks for nothing that would have to be opened; else shows nothing and answers
    /// false, and `find` has the answer. A failure takes back what was shown. Fails as `find` does.
    public func list(_ query: Query, _ caller: Caller, _ body: (FoundItem) -> Void) throws(KeychainFailure) -> Bool {
        // One match is sooner found than listed; and an identity is two items, one of which is opened.
        guard query.limit == nil, let itemClass = query.itemClass, itemClass != .identity,
            !query.shape.needsSecret(of: itemClass)
        else { return false }
        var isEmpty = true
        try eachMatch(query, caller) {
            isEmpty = false
            body(shown($0))
        }
        if isEmpty { throw .itemNotFound }
        return true
    }

    /// Removes every match. Never asks the owner: what is gone can't be read.
    public func remove(_ query: Query, _ authority: Authority) throws(KeychainFailure) {
        let items =
            try asksForIdentity(query)
            ? try identities(query, authority.caller).flatMap { [$0.key, $0.certificate] } : try matches(query, authority.caller)
        guard !items.isEmpty else { throw .itemNotFound }
        try audit.noting(AuditRecord.each(.removed, items, authority, clock())) { () throws(KeychainFailure) in
            try store.remove(items)
        }
    }

    // MARK: What the calls share

    func matches(_ query: Query, _ caller: Caller) throws(KeychainFailure) -> [StoredItem] {
        var found: [StoredItem] = []
        try eachMatch(query, caller) { found.append($0) }
        return found
    }

    private func eachMatch(_ query: Query, _ caller: Caller, _ body: (StoredItem) -> Void) throws(KeychainFailure) {
        var selection = Selection(
            itemClass: query.itemClass, groups: caller.groups, attributes: query.attributes, sync: query.sync,
            limit: query.limit)
        if let reference = query.persistentRef {
            guard query.attributes.isEmpty, query.hostOrSubdomain == nil else { throw .parameter }
            let (itemClass, id) = try PersistentRef.read(reference)
            if let asked = query.itemClass, asked != itemClass { throw .itemNotFound }
            selection.itemClass = itemClass
            selection.id = id
            selection.sync = .any
        }
        guard let itemClass = selection.itemClass else { throw .parameter }
        try checkSizes(query.attributes)
        if let group = selection.attributes.removeValue(forKey: .group) {
            selection.groups = [try Self.group(group, of: caller)]
        }
        // The class an item is sealed under is a column of its own, and hosts are compared by their ends: both are looked at here.
        let accessible = selection.attributes.removeValue(forKey: .accessible)
        selection.attributes[.accessControl] = nil
        guard accessible != nil || query.hostOrSubdomain != nil else { return try store.select(selection, body) }
        guard query.hostOrSubdomain == nil || itemClass == .internetPassword else { throw .unsupported }
        selection.limit = nil
        var room = query.limit ?? .max
        try store.select(selection) { item in
            guard room > 0, accessible.map({ Array(item.rule.accessibility.code.utf8) == $0.comparable }) ?? true,
                query.hostOrSubdomain.map({ item.isAt($0) }) ?? true
            else { return }
            room -= 1
            body(item)
        }
    }

    /// What anyone whose item it is sees of it without opening it.
    private func shown(_ item: StoredItem) -> FoundItem {
        FoundItem(
            itemClass: item.itemClass, attributes: shownAttributes(item), rule: item.rule,
            persistentRef: PersistentRef.make(item))
    }

    func checkSizes(_ attributes: Attributes) throws(KeychainFailure) {
        var total = 0
        for value in attributes.values {
            let size = value.byteCount
            guard size <= QueryLimit.attributeBytes else { throw .dataTooLarge }
            total += size
        }
        guard total <= QueryLimit.attributesBytes else { throw .dataTooLarge }
    }

    static func group(_ value: AttributeValue, of caller: Caller) throws(KeychainFailure) -> String {
        guard case .text(let name) = value else { throw .parameter }
        guard caller.groups.contains(name) else { throw .missingEntitlement }
        return name
    }

    func shownAttributes(_ item: StoredItem) -> Attributes {
        var shown = item.attributes
        shown[.group] = .text(item.group)
        return shown
    }

    enum Release {
        case secret(SecretBytes)
        /// Dead or erased for good: as if it weren't there.
        case gone
        case skipped
        case ask
    }

    func release(
        _ item: StoredItem, _ permission: PromptPermission, _ authority: Authority
    ) throws(KeychainFailure) -> Release {
        do {
            return try opened(item, permission, authority)
        } catch {
            noteRefusal(of: item, error, authority)
            throw error
        }
    }

    private func opened(
        _ item: StoredItem, _ permission: PromptPermission, _ authority: Authority
    ) throws(KeychainFailure) -> Release {
        if item.isDead { return .gone }
        if item.rule.isBoundToEnrolment {
            switch try standing(of: item, authority) {
            case .same: break
            case .changed: return .gone
            }
        }
        if authority.isLocked && item.rule.accessibility.needsUnlocked { throw .interactionNotAllowed }
        // Asking the owner would be in vain, and there is no prompt for an app's own password.
        if item.rule.constraints.contains(.applicationPassword) && authority.applicationKey == nil {
            if permission == .skip { return .skipped }
            throw .authenticationFailed
        }
        let demands = Demands(item.rule.demands)
        if !demands.areMet(by: authority.given) {
            switch permission {
            case .allow: return .ask
            case .skip: return .skipped
            case .fail:
                // What could not succeed by asking says so, whatever may be asked.
                if demands.failure(on: authority.device) != nil { throw .authenticationFailed }
                throw .interactionNotAllowed
            }
        }
        do {
            return .secret(try store.secret(of: item, applicationKey: authority.applicationKey))
        } catch .itemNotFound {
            return .gone
        }
    }

    private enum Standing { case same, changed }

    private func standing(of item: StoredItem, _ authority: Authority) throws(KeychainFailure) -> Standing {
        switch authority.enrolment {
        case .known(let digest) where digest == item.enrolment: return .same
        case .known:
            try audit.noting([AuditRecord(.died, item, authority, clock())]) { () throws(KeychainFailure) in
                try store.markDead(item)
            }
            return .changed
        // None enrolled, or the reader can't be read: refused, and nothing is concluded from it.
        case .empty, .unknown: throw .authenticationFailed
        }
    }
}

extension ResultShape {
    /// Whether an item is opened for such a result: for its data, and for a certificate's object, which is made of it.
    func needsSecret(of itemClass: ItemClass) -> Bool {
        contains(.data) || contains(.ref) && (itemClass == .certificate || itemClass == .identity)
    }
}

extension StoredItem {
    /// Whether its server is that host or lies in it.
    fileprivate func isAt(_ host: String) -> Bool {
        guard case .text(let server) = attributes[.server], !host.isEmpty else { return false }
        let (mine, wanted) = (server.lowercased(), host.lowercased())
        return mine == wanted || mine.hasSuffix("." + wanted)
    }
}

extension Accessibility {
    /// Whether the item is shut while the session is locked.
    public var needsUnlocked: Bool {
        switch self {
        case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: true
        case .afterFirstUnlock, .always, .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly: false
        }
    }
}
