public import ThumbAccess

/// Decides who is asked next. One prompt is on the screen, the others stand in a line, and nobody takes another's place.
///
/// A wish joins the line once its prompt's process has come, so a program that asks but shows nothing holds nobody up. Programs take turns:
/// the next one is the one that had the screen longest ago. Within a program its connections take turns in the same way.
///
/// For each connection one prompt is called for at a time, so few wishes stand. Nothing here looks at all that wait, or a program with
/// thousands of calls could keep everybody else waiting.
public struct PromptLine: Sendable {
    /// The number of a wish. It isn't a type parameter, because each evaluation comes through here several times, and a generic type of
    /// another module is looked up at run time.
    public typealias Wish = UInt64

    /// How many wishes may wait: as many as a user may have calls under way.
    public static let limit = 4096
    /// How many programs' turns on the screen are remembered.
    static let remembered = 1024

    private struct Entry {
        let wish: Wish
        let program: ExactName
        let client: UInt64
        /// Whether it goes before the others of its own program, because it replaces the one that is up.
        let isFirst: Bool
        /// Grows with each entry.
        let place: UInt64
    }

    /// The wishes of one connection, in the order in which they came.
    private struct Queue {
        var first: [Wish] = []
        var others: [Wish] = []

        var head: Wish? { first.first ?? others.first }

        mutating func add(_ wish: Wish, isFirst: Bool) { if isFirst { first.append(wish) } else { others.append(wish) } }

        mutating func remove(_ wish: Wish) {
            if let place = first.firstIndex(of: wish) { first.remove(at: place) }
            if let place = others.firstIndex(of: wish) { others.remove(at: place) }
        }
    }

    /// The wish on the screen.
    public private(set) var shown: Wish?
    private var shownProgram: ExactName?
    private var clientOnScreen: UInt64?
    private var entries: [Wish: Entry] = [:]
    private var queues: [UInt64: Queue] = [:]
    /// Those whose prompt's process has come.
    private var standing: Set<Wish> = []
    private var last: UInt64 = 0
    private var turn: UInt64 = 0
    private var turnsOfPrograms: [ExactName: UInt64] = [:]
    private var turnsOfClients: [UInt64: UInt64] = [:]

    public init() {}

    /// Takes a wish in. Returns false if too many wait.
    public mutating func enter(_ wish: Wish, of program: ExactName, client: UInt64, isFirst: Bool) -> Bool {
        guard entries.count < Self.limit else { return false }
        last += 1
        entries[wish] = Entry(wish: wish, program: program, client: client, isFirst: isFirst, place: last)
        queues[client, default: Queue()].add(wish, isFirst: isFirst)
        return true
    }

    /// The wishes whose prompts should be called for: one for each connection, so that a program with a hundred blocked calls doesn't start
    /// a hundred prompts.
    public func wanted() -> [Wish] {
        let heads = queues.compactMap { client, queue in client == clientOnScreen ? nil : queue.head.flatMap { entries[$0] } }
        return heads.sorted { $0.isFirst == $1.isFirst ? $0.place < $1.place : $0.isFirst }.map(\.wish)
    }

    /// Its prompt's process has come.
    public mutating func stands(_ wish: Wish) { if entries[wish] != nil { standing.insert(wish) } }

    /// Gives the screen to the next wish, if it is free.
    public mutating func next() -> Wish? {
        guard shown == nil else { return nil }
        guard let entry = standing.compactMap({ entries[$0] }).min(by: { precedes($0, $1) }) else { return nil }
        remove(entry.wish)
        turn += 1
        if turnsOfPrograms.count >= Self.remembered { turnsOfPrograms = [:] }
        if turnsOfClients.count >= Self.remembered { turnsOfClients = [:] }
        turnsOfPrograms[entry.program] = turn
        turnsOfClients[entry.client] = turn
        (shown, shownProgram, clientOnScreen) = (entry.wish, entry.program, entry.client)
        return entry.wish
    }

    private func precedes(_ one: Entry, _ other: Entry) -> Bool {
        let turns = (turnsOfPrograms[one.program, default: 0], turnsOfPrograms[other.program, default: 0])
        if turns.0 != turns.1 { return turns.0 < turns.1 }
        if one.program == other.program, one.isFirst != other.isFirst { return one.isFirst }
        let clients = (turnsOfClients[one.client, default: 0], turnsOfClients[other.client, default: 0])
        return clients.0 == clients.1 ? one.place < other.place : clients.0 < clients.1
    }

    /// Removes a wish, wherever it is.
    public mutating func leave(_ wish: Wish) {
        if shown == wish { (shown, shownProgram, clientOnScreen) = (nil, nil, nil) }
        remove(wish)
    }

    private mutating func remove(_ wish: Wish) {
        guard let entry = entries.removeValue(forKey: wish) else { return }
        standing.remove(wish)
        queues[entry.client]?.remove(wish)
        if queues[entry.client]?.head == nil { queues[entry.client] = nil }
    }

    /// How many programs have a waiting prompt, not counting the one on the screen.
    public var waiting: Int { Set(standing.compactMap { entries[$0]?.program }.filter { $0 != shownProgram }).count }

    /// All wishes of a program, including the one on the screen.
    public func wishes(of program: ExactName) -> [Wish] {
        let others = entries.values.filter { $0.program == program }.sorted { $0.place < $1.place }
        return (shownProgram == program ? [shown].compactMap { $0 } : []) + others.map(\.wish)
    }
}
