public import ThumbAccess
import ThumbAuthentication

// What a provider keeps for other programs: whose it is, who may read it, and what the owner's tools change.

extension Keychain {
    /// Whether an item is in the provider's keeping. Its secret leaves only by a call that names who reads it.
    func isKept(_ item: StoredItem) -> Bool { item.group == keptGroup && item.itemClass == .genericPassword }

    /// Fails with `.missingEntitlement` for everybody but the provider. Nobody else may say who reads.
    public func checkProvider(_ caller: Caller) throws(KeychainFailure) {
        guard caller.own == keptGroup else { throw .missingEntitlement }
    }

    /// Kept items are the owner's affair: a program in a sandbox neither sees them nor changes them.
    public func checkUnconfined(_ caller: Caller) throws(KeychainFailure) {
        if caller.kind == .sandboxed { throw .missingEntitlement }
    }

    /// The living item that a reference names; nil if there is none.
    func keptItem(_ reference: [UInt8]) throws(KeychainFailure) -> StoredItem? {
        guard KeptItem.name(ofReference: reference) != nil else { return nil }
        let (itemClass, id) = try PersistentRef.read(reference)
        let item = try store.select(Selection(itemClass: itemClass, groups: [keptGroup], id: id, limit: 1)).first
        return item.flatMap { $0.isKeptItem && !$0.isDead ? $0 : nil }
    }

    // MARK: The owner's tools

    /// Calls `body` for what the provider keeps, one by one, without secrets, after `place` (nil: from the first), until it returns false.
    /// Returns that place.
    public func listKept(
        _ caller: Caller, after place: Int64?, _ body: (FoundItem) -> Bool
    ) throws(KeychainFailure) -> Int64? {
        try checkUnconfined(caller)
        return try store.select(Selection(itemClass: .genericPassword, groups: [keptGroup]), after: place) { item in
            item.isKeptItem && !item.isDead ? body(shown(item)) : true
        }
    }

    /// The item that a reference names, for the question to the owner. Fails with `.itemNotFound` if there is none.
    public func kept(_ reference: [UInt8], for caller: Caller) throws(KeychainFailure) -> StoredItem {
        try checkUnconfined(caller)
        guard let item = try keptItem(reference) else { throw .itemNotFound }
        return item
    }

    /// The item that the owner's answers know by that name, for a question; nil if there is none, or if it can't be seen just now.
    public func kept(named name: ExactName) -> StoredItem? {
        guard let id = KeptItem.id(ofName: name).flatMap(ItemID.init) else { return nil }
        let selection = Selection(itemClass: .genericPassword, groups: [keptGroup], id: id, limit: 1)
        // The question can be asked without the item's label.
        return try? store.select(selection).first
    }

    /// Changes a kept item's rule, once its present rule is satisfied. The owner has agreed to the change already.
    public func protect(
        _ reference: [UInt8], _ rule: AccessRule, _ authority: Authority
    ) throws(KeychainFailure) -> KeychainStep<Void> {
        let item = try kept(reference, for: authority.caller)
        switch try release(item, .allow, authority) {
        // The store itself seals its secret again under the new rule.
        case .secret: break
        case .gone, .skipped: throw .itemNotFound
        case .ask(let demands): return .ask(item, demands)
        }
        let new = try changed(item, ItemChange(rule: rule), authority)
        try audit.noting(notes(.changed, [new], authority)) { () throws(KeychainFailure) in
            try store.replace([(new, nil)], applicationKey: authority.applicationKey)
        }
        return .done(())
    }

    /// Keeps that a reader may have an item from now on.
    public func allow(
        _ reader: ExactName, named name: String, _ reference: [UInt8], by caller: Caller
    ) throws(KeychainFailure) {
        let item = try kept(reference, for: caller)
        let kind: CallerClass = if case .program(_, let kind) = GroupName.owner(of: reader) { kind } else { .consented }
        try consents.keep(.allowed, on: reader, item.wish, named: name, kind)
    }

    // MARK: Answers that outlive their item

    /// Forgets the owner's answers about items that are about to go.
    func forgetAnswers(about items: [StoredItem]) throws(KeychainFailure) {
        try consents.forget(about: Set(items.filter(isKept).map(\.keptName)))
    }

    /// Forgets the owner's answers about items that are gone with their class key.
    public func forgetAnswersAboutLostItems() throws(KeychainFailure) {
        var lost: Set<ExactName> = []
        for item in Set(try consents.answersAboutItems().map(\.item)) where try !isThere(item) { lost.insert(item) }
        try consents.forget(about: lost)
    }

    private func isThere(_ name: ExactName) throws(KeychainFailure) -> Bool {
        guard let id = KeptItem.id(ofName: name).flatMap(ItemID.init) else { return false }
        let selection = Selection(itemClass: .genericPassword, groups: [keptGroup], id: id, limit: 1)
        return try !store.select(selection).isEmpty
    }
}

extension StoredItem {
    /// Whether it is an item and not a collection, in the provider's group.
    var isKeptItem: Bool {
        guard case .text(let service) = attributes[.service] else { return false }
        return ExactName(service).hasPrefix(KeptItem.servicePrefix)
    }

    /// The program that made it; empty if that isn't known, so that it is nobody's.
    public var maker: ExactName { if case .text(let maker) = attributes[.comment] { ExactName(maker) } else { "" } }

    /// How the owner's answers know it.
    var keptName: ExactName { KeptItem.name(ofID: id.bytes) }
    var wish: AppWish { .keptItem(keptName) }
}
