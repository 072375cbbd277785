public import ThumbAccess

/// The owner's answers about apps.
public final class Consents {
    /// How many answers are kept. Beyond that a new one is refused, because otherwise the oldest would be forgotten silently.
    public static let limit = 10_000

    let tables: any HouseTables
    private let clock: () -> Double
    /// Grows with every change, so that a caller that remembers an answer knows when to ask again.
    private(set) var revision = 0

    public init(tables: any HouseTables, clock: @escaping () -> Double) {
        self.tables = tables
        self.clock = clock
    }

    /// The answer to an app's wish; nil if the owner was never asked.
    public func verdict(on app: ExactName, _ wish: AppWish) throws(KeychainFailure) -> AppVerdict? {
        try tables.consents(.on(app, wish)).first?.known.verdict
    }

    /// Every answer, in the order in which they were first given.
    public func all() throws(KeychainFailure) -> [KnownApp] { try tables.consents(.all).map(\.known) }

    /// The answers to a reader's wishes, by the item's name.
    func answers(to reader: ExactName) throws(KeychainFailure) -> [ExactName: AppVerdict] {
        var answers: [ExactName: AppVerdict] = [:]
        for consent in try tables.consents(.of(reader)) {
            if case .keptItem(let item) = consent.known.wish { answers[item] = consent.known.verdict }
        }
        return answers
    }

    /// The groups of other programs that an app was let into.
    func groups(allowedTo app: ExactName) throws(KeychainFailure) -> [ExactName] {
        try tables.consents(.of(app)).compactMap {
            guard case .group(let group) = $0.known.wish, $0.known.verdict == .allowed else { return nil }
            return group
        }
    }

    /// Keeps an answer and replaces an earlier one. What the earlier answer was tied to stays, unless there is a new tie.
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

    /// Forgets every answer about kept items.
    func forget(about items: Set<ExactName>) throws(KeychainFailure) {
        guard !items.isEmpty else { return }
        var gone: [Consent] = []
        if items.count <= Self.itemsLookedUp {
            for item in items { gone += try tables.consents(.about(.keptItem(item))) }
        } else {
            gone = try answersAboutItems().filter { items.contains($0.item) }.map(\.consent)
        }
        if gone.isEmpty { return }
        revision += 1
        try tables.change(removing: gone.map { .consent($0) }, keeping: [])
    }

    /// Every answer about a kept item.
    func answersAboutItems() throws(KeychainFailure) -> [(item: ExactName, consent: Consent)] {
        try tables.consents(.all).compactMap { if case .keptItem(let item) = $0.known.wish { (item, $0) } else { nil } }
    }

    /// For more items than these, reading all answers once is faster than looking for those about each item.
    private static let itemsLookedUp = 16

    /// Replaces a group's maker, and forgets every answer about the group.
    func give(_ group: MadeGroup, insteadOf before: MadeGroup) throws(KeychainFailure) {
        let words = try tables.consents(.about(.group(group.group)))
        revision += 1
        try tables.change(removing: [.group(before)] + words.map { .consent($0) }, keeping: [.group(group)])
    }

    // MARK: Ties of programs to bundle identifiers

    /// The answers about programs that claim an identifier, in order.
    func ties(of app: ExactName) throws(KeychainFailure) -> [Consent] {
        try tables.consents(.of(app)).filter {
            switch $0.known.wish {
            case .program, .folder: $0.tie != nil
            case .face, .group, .keptItem: false
            }
        }
    }

    /// For how many identifiers a program has ties.
    func ties(by program: ExactName) throws(KeychainFailure) -> Int { try tables.countConsents(.tied(program)) }

    /// How many ties there are.
    func ties() throws(KeychainFailure) -> Int { try tables.countConsents(.ties) }
}
