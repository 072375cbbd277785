public import ThumbAccess

/// The owner's word on which apps may use face recognition, kept among the items in a group that no caller can have.
public final class Consents {
    /// A control character stands in it, and callers' groups are made safe to show: so no caller's group is ever this.
    static let group = "\u{1}consents"
    /// Apps remembered at most; past that the oldest would be forgotten silently, so a new one is refused instead.
    public static let limit = 10_000

    private let store: any ItemStore
    private let clock: () -> Double

    public init(store: any ItemStore, clock: @escaping () -> Double) {
        self.store = store
        self.clock = clock
    }

    /// What was decided about an app; nil if it was never asked.
    public func verdict(on app: String) throws(KeychainFailure) -> AppVerdict? {
        try item(of: app).flatMap(Self.known)?.verdict
    }

    /// Every app there was a decision about, in the order they first asked.
    public func all() throws(KeychainFailure) -> [KnownApp] { try select(nil).compactMap(Self.known) }

    /// Keeps a decision, in place of an earlier one.
    public func keep(_ verdict: AppVerdict, on app: String, named name: String) throws(KeychainFailure) {
        guard !app.isEmpty, app.utf8.count <= QueryLimit.attributeBytes else { throw .parameter }
        let attributes: Attributes = [
            .account: .text(app), .service: .text("face"), .label: .text(name), .type: .number(Int64(verdict.rawValue)),
            .created: .date(clock()), .synchronizable: .number(0),
        ]
        if var known = try item(of: app) {
            known.attributes = attributes
            known.generation += 1
            return try store.replace([(item: known, secret: nil)])
        }
        guard try select(nil).count < Self.limit else { throw .storeUnavailable }
        let new = StoredItem(
            id: try store.makeItemID(), itemClass: .genericPassword, group: Self.group,
            rule: AccessRule(.alwaysThisDeviceOnly), attributes: attributes, hasSecret: false)
        try store.insert(new, secret: nil)
    }

    /// Forgets a decision, so that the app is asked about again.
    public func forget(_ app: String) throws(KeychainFailure) {
        guard let known = try item(of: app) else { throw .itemNotFound }
        try store.remove([known])
    }

    private func item(of app: String) throws(KeychainFailure) -> StoredItem? { try select(app).first }

    private func select(_ app: String?) throws(KeychainFailure) -> [StoredItem] {
        var selection = Selection(itemClass: .genericPassword, groups: [Self.group], attributes: [.service: .text("face")])
        if let app { selection.attributes[.account] = .text(app) }
        return try store.select(selection)
    }

    private static func known(_ item: StoredItem) -> KnownApp? {
        guard case .text(let app)? = item.attributes[.account], case .number(let number)? = item.attributes[.type],
            let verdict = UInt8(exactly: number).flatMap(AppVerdict.init(rawValue:)),
            case .date(let date)? = item.attributes[.created]
        else { return nil }
        var name = app
        if case .text(let label)? = item.attributes[.label] { name = label }
        return KnownApp(app: app, name: name, verdict: verdict, date: date)
    }
}
