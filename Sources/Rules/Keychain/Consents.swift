public import ThumbAccess

/// What the owner answered about apps. Kept among the items, in a group that no caller can have.
public final class Consents {
    /// It has a control character in it. Callers' groups are made safe to show, so no caller's group is ever this.
    static let group: ExactName = "\u{1}consents"
    /// How many answers are kept. Beyond that a new one is refused: otherwise the oldest would be forgotten silently.
    public static let limit = 10_000

    private let store: any ItemStore
    private let clock: () -> Double
    /// Grows with every change, so that a caller which remembers an answer knows when to ask again.
    private(set) var revision = 0

    public init(store: any ItemStore, clock: @escaping () -> Double) {
        self.store = store
        self.clock = clock
    }

    /// The answer to an app's wish; nil if the owner was never asked.
    public func verdict(on app: ExactName, _ wish: AppWish) throws(KeychainFailure) -> AppVerdict? {
        try item(of: app, wish).flatMap(Self.known)?.verdict
    }

    /// Every wish that was answered, in the order in which they first came.
    public func all() throws(KeychainFailure) -> [KnownApp] { try select([:]).compactMap(Self.known) }

    /// The groups of others that an app was let into.
    func groups(allowedTo app: ExactName) throws(KeychainFailure) -> [ExactName] {
        try select([.account: .text(app.text)]).compactMap(Self.known).compactMap {
            guard case .group(let group) = $0.wish, $0.verdict == .allowed else { return nil }
            return group
        }
    }

    /// Keeps an answer, in place of an earlier one.
    public func keep(
        _ verdict: AppVerdict, on app: ExactName, _ wish: AppWish, named name: String, _ kind: CallerClass,
        tied: (program: ExactName, file: [UInt8])? = nil
    ) throws(KeychainFailure) {
        guard !app.isEmpty, app.utf8.count <= QueryLimit.attributeBytes else { throw .parameter }
        revision += 1
        var attributes: Attributes = [
            .account: .text(app.text), .service: Self.service(wish), .label: .text(name), .type: .number(Int64(verdict.rawValue)),
            .creator: .number(Int64(kind.rawValue)), .created: .date(clock()), .synchronizable: .number(0),
        ]
        if let tied {
            attributes[.comment] = .text(tied.program.text)
            attributes[.generic] = .data(tied.file)
        }
        if var known = try item(of: app, wish) {
            // The owner's answer changes; what it is about stays.
            if tied == nil {
                for name in [AttributeName.comment, .generic] { attributes[name] = known.attributes[name] }
            }
            known.attributes = attributes
            known.generation += 1
            return try store.replace([(item: known, secret: nil)])
        }
        guard try count() < Self.limit else { throw .storeUnavailable }
        let new = StoredItem(
            id: try store.makeItemID(), itemClass: .genericPassword, group: Self.group,
            rule: AccessRule(.alwaysThisDeviceOnly), attributes: attributes, hasSecret: false)
        try store.insert(new, secret: nil)
    }

    /// Forgets an answer, so that the owner is asked again.
    public func forget(_ app: ExactName, _ wish: AppWish) throws(KeychainFailure) {
        guard let known = try item(of: app, wish) else { throw .itemNotFound }
        revision += 1
        try store.remove([known])
    }

    /// Forgets everything that was said about a group, because it is another program's now.
    func forgetAll(about group: ExactName) throws(KeychainFailure) {
        let words = try select([.service: Self.service(.group(group))])
        revision += 1
        if !words.isEmpty { try store.remove(words) }
    }

    /// How many records of its own this keeps among the items.
    public func count() throws(KeychainFailure) -> Int { try select([:]).count }

    private func item(of app: ExactName, _ wish: AppWish) throws(KeychainFailure) -> StoredItem? {
        try select([.account: .text(app.text), .service: Self.service(wish)]).first
    }

    private func select(_ attributes: Attributes) throws(KeychainFailure) -> [StoredItem] {
        try store.select(Selection(itemClass: .genericPassword, groups: [Self.group], attributes: attributes))
    }

    // MARK: Ties of programs to bundle identifiers

    /// The owner's answer about a program that claims an identifier, and what told its file from others at that time.
    struct Tie {
        var known: KnownApp
        var file: [UInt8]
    }

    /// The ties of an identifier, in the order in which they came.
    func ties(of app: ExactName) throws(KeychainFailure) -> [Tie] {
        try select([.account: .text(app.text)]).compactMap { item in
            guard let known = Self.known(item), case .data(let file)? = item.attributes[.generic] else { return nil }
            switch known.wish {
            case .program, .folder: return Tie(known: known, file: file)
            case .face, .group: return nil
            }
        }
    }

    /// For how many identifiers a program has ties.
    func ties(by program: ExactName) throws(KeychainFailure) -> Int { try select([.comment: .text(program.text)]).count }

    /// How many ties there are.
    func ties() throws(KeychainFailure) -> Int { try select([:]).count { $0.attributes[.generic] != nil } }

    private static let groupPrefix = "group "
    private static let programPrefix = "program "
    private static let folderPrefix = "folder "

    private static func service(_ wish: AppWish) -> AttributeValue {
        switch wish {
        case .face: .text("face")
        case .group(let group): .text(groupPrefix + group.text)
        case .program(let path): .text(programPrefix + path.text)
        case .folder(let path): .text(folderPrefix + path.text)
        }
    }

    private static func wish(_ service: String) -> AppWish? {
        func rest(_ prefix: String) -> ExactName? {
            guard service.utf8.starts(with: prefix.utf8) else { return nil }
            return ExactName(String(decoding: service.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
        }
        if service == "face" { return .face }
        if let group = rest(groupPrefix) { return .group(group) }
        if let program = rest(programPrefix) { return .program(program) }
        return rest(folderPrefix).map { .folder($0) }
    }

    private static func known(_ item: StoredItem) -> KnownApp? {
        guard case .text(let app)? = item.attributes[.account], case .text(let service)? = item.attributes[.service],
            case .number(let number)? = item.attributes[.type],
            let verdict = UInt8(exactly: number).flatMap(AppVerdict.init(rawValue:)),
            case .date(let date)? = item.attributes[.created]
        else { return nil }
        guard let wish = wish(service) else { return nil }
        var known = KnownApp(app: ExactName(app), name: app, wish: wish, verdict: verdict, date: date)
        if case .text(let label)? = item.attributes[.label] { known.name = label }
        if case .number(let number)? = item.attributes[.creator], let kind = UInt8(exactly: number) {
            known.kind = CallerClass(rawValue: kind) ?? .consented
        }
        return known
    }
}
