public import ThumbAccess

/// Decides who is asked next. One prompt is on the screen, the others stand in a line, and nobody takes another's place.
///
/// A wish joins the line once its prompt's process has come, so a program that asks but shows nothing holds nobody up. Programs take turns:
/// the next one is the one that had the screen longest ago. Within a program its connections take turns in the same way.
public struct PromptLine: Sendable {
    /// The number of a wish. It isn't a type parameter, because each evaluation comes through here several times, and a generic type of
    /// another module is looked up at run time.
    public typealias Wish = UInt64

    /// How many wishes may wait: as many as a user may have calls under way. For each connection, one prompt is called for at a time.
    public static let limit = 4096
    /// How many programs' turns on the screen are remembered.
    static let remembered = 1024

    private struct Entry {
        let wish: Wish
        let program: ExactName
        let client: UInt64
        var stands = false
        /// Whether it goes before the others of its own program, because it replaces the one that is up.
        let isFirst: Bool
    }

    /// The wish on the screen.
    public private(set) var shown: Wish?
    private var shownProgram: ExactName?
    private var entries: [Entry] = []
    private var turn: UInt64 = 0
    private var turnsOfPrograms: [ExactName: UInt64] = [:]
    private var turnsOfClients: [UInt64: UInt64] = [:]

    public init() {}

    /// Takes a wish in. Returns false if too many wait.
    public mutating func enter(_ wish: Wish, of program: ExactName, client: UInt64, isFirst: Bool) -> Bool {
        guard entries.count < Self.limit else { return false }
        entries.append(Entry(wish: wish, program: program, client: client, isFirst: isFirst))
        return true
    }

    /// The wishes whose prompts should be called for: one for each connection, so that a program with a hundred blocked calls doesn't start
    /// a hundred prompts.
    public func wanted() -> [Wish] {
        if entries.isEmpty { return [] }
        var seen: Set<UInt64> = []
        if let shown, let client = clientOnScreen, !entries.contains(where: { $0.wish == shown }) { seen.insert(client) }
        var wanted: [Wish] = []
        for entry in entries.filter(\.isFirst) + entries.filter({ !$0.isFirst }) where seen.insert(entry.client).inserted {
            wanted.append(entry.wish)
        }
        return wanted
    }

    private var clientOnScreen: UInt64?

    /// Its prompt's process has come.
    public mutating func stands(_ wish: Wish) {
        if let place = entries.firstIndex(where: { $0.wish == wish }) { entries[place].stands = true }
    }

    /// Gives the screen to the next wish, if it is free.
    public mutating func next() -> Wish? {
        guard shown == nil else { return nil }
        let ready = entries.indices.filter { entries[$0].stands }
        guard let place = ready.min(by: { precedes(entries[$0], entries[$1]) }) else { return nil }
        let entry = entries.remove(at: place)
        turn += 1
        if turnsOfPrograms.count >= Self.remembered { turnsOfPrograms = [:] }
        if turnsOfClients.count >= Self.remembered { turnsOfClients = [:] }
        turnsOfPrograms[entry.program] = turn
        turnsOfClients[entry.client] = turn
        (shown, shownProgram, clientOnScreen) = (entry.wish, entry.program, entry.client)
        return entry.wish
    }

    /// Equal entries keep their order, because `min` finds the first.
    private func precedes(_ one: Entry, _ other: Entry) -> Bool {
        let turns = (turnsOfPrograms[one.program, default: 0], turnsOfPrograms[other.program, default: 0])
        if turns.0 != turns.1 { return turns.0 < turns.1 }
        if one.program == other.program, one.isFirst != other.isFirst { return one.isFirst }
        return turnsOfClients[one.client, default: 0] < turnsOfClients[other.client, default: 0]
    }

    /// Removes a wish, wherever it is.
    public mutating func leave(_ wish: Wish) {
        if shown == wish { (shown, shownProgram, clientOnScreen) = (nil, nil, nil) }
        entries.removeAll { $0.wish == wish }
    }

    /// How many programs have a waiting prompt, not counting the one on the screen.
    public var waiting: Int {
        if entries.isEmpty { return 0 }
        return Set(entries.filter { $0.stands && $0.program != shownProgram }.map(\.program)).count
    }

    /// All wishes of a program, including the one on the screen.
    public func wishes(of program: ExactName) -> [Wish] {
        (shownProgram == program ? [shown].compactMap { $0 } : []) + entries.filter { $0.program == program }.map(\.wish)
    }
}
