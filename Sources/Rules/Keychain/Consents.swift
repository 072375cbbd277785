public import ThumbAccess

/// What the owner answered about apps.
public final class Consents {
    /// How many answers are kept. Beyond that a new one is refused: otherwise the oldest would be forgotten silently.
    public static let limit = 10_000

    let tables: any HouseTables
    private let clock: () -> Double
    /// Grows with every change, so that a caller which remembers an answer knows when to ask again.
    private(set) var revision = 0

    public init(tables: any HouseTables, clock: @escaping () -> Double) {
        self.tables = tables
        self.clock = clock
    }

    /// The answer to an app's wish; nil if the owner was never asked.
    public func verdict(on app: ExactName, _ wish: AppWish) throws(KeychainFailure) -> AppVerdict? {
        try tables.consents(.on(app, wish)).first?.known.verdict
    }

    /// Every wish that was answered, in the order in which they first came.
    public func all() throws(KeychainFailure) -> [KnownApp] { try tables.consents(.all).map(\.known) }

    /// The groups of others that an app was let into.
    func groups(allowedTo app: ExactName) throws(KeychainFailure) -> [ExactName] {
        try tables.consents(.of(app)).compactMap {
            guard case .group(let group) = $0.known.wish, $0.known.verdict == .allowed else { return nil }
            return group
        }
    }

    /// Keeps an answer, in place of an earlier one. What an earlier one was tied to stays, unless there is a new tie.
    public func keep(
        _ verdict: AppVerdict, on app: ExactName, _ wish: AppWish, named name: String, _ kind: CallerClass,
        tie: Consent.Tie? = nil
    ) throws(KeychainFailure) {
        guard !app.isEmpty, app.utf8.count <= QueryLimit.attributeBytes else { throw .parameter }
        revision += 1
        let before = try tables.consents(.on(app, wish)).first
        if before == nil, try tables.countConsents(.all) >= Self.limit { throw .storeUnavailable }
        let known = KnownApp(app: app, name: name, kind: kind, wish: wish, verdict: verdict, date: clock())
        try tables.change(removing: [], keeping: [.consent(Consent(known, tie: tie ?? before?.tie))])
    }

    /// Forgets an answer, so that the owner is asked again.
    public func forget(_ app: ExactName, _ wish: AppWish) throws(KeychainFailure) {
        guard let known = try tables.consents(.on(app, wish)).first else { throw .itemNotFound }
        revision += 1
        try tables.change(removing: [.consent(known)], keeping: [])
    }

    /// Puts a group's new maker in the place of another, and forgets everything that was said about the group.
    func give(_ group: MadeGroup, insteadOf before: MadeGroup) throws(KeychainFailure) {
        let words = try tables.consents(.about(.group(group.group)))
        revision += 1
        try tables.change(removing: [.group(before)] + words.map { .consent($0) }, keeping: [.group(group)])
    }

    // MARK: Ties of programs to bundle identifiers

    /// The words on programs that claim an identifier, in the order in which they came.
    func ties(of app: ExactName) throws(KeychainFailure) -> [Consent] {
        try tables.consents(.of(app)).filter {
            switch $0.known.wish {
            case .program, .folder: $0.tie != nil
            case .face, .group: false
            }
        }
    }

    /// For how many identifiers a program has ties.
    func ties(by program: ExactName) throws(KeychainFailure) -> Int { try tables.countConsents(.tied(program)) }

    /// How many ties there are.
    func ties() throws(KeychainFailure) -> Int { try tables.countConsents(.ties) }
}
