public import ThumbAccess

/// What the owner lets the device do although it protects less. Kept among the items, in a group that no caller can have.
public final class Allowances {
    /// Named like the group of the consents, and for the same reason.
    static let group: ExactName = "\u{1}allowances"

    private let store: any ItemStore
    private let clock: () -> Double

    public init(store: any ItemStore, clock: @escaping () -> Double) {
        self.store = store
        self.clock = clock
    }

    public func holds(_ allowance: Allowance) throws(KeychainFailure) -> Bool { try item(allowance) != nil }

    public func set(_ allowance: Allowance, _ isAllowed: Bool) throws(KeychainFailure) {
        let known = try item(allowance)
        guard isAllowed else {
            if let known { try store.remove([known]) }
            return
        }
        guard known == nil else { return }
        let new = StoredItem(
            id: try store.makeItemID(), itemClass: .genericPassword, group: Self.group,
            rule: AccessRule(.alwaysThisDeviceOnly),
            attributes: [.account: .text(allowance.name), .created: .date(clock()), .synchronizable: .number(0)],
            hasSecret: false)
        try store.insert(new, secret: nil)
    }

    private func item(_ allowance: Allowance) throws(KeychainFailure) -> StoredItem? {
        let selection = Selection(
            itemClass: .genericPassword, groups: [Self.group], attributes: [.account: .text(allowance.name)])
        return try store.select(selection).first
    }
}
