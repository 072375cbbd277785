public import ThumbAccess

/// What readers want to ask the owner: what one reader asks within a moment is one question, and what it asks while its question is on the
/// screen waits for that answer. Readers take turns, so no one of them keeps the others from the screen.
public struct QuestionLine: Sendable {
    /// One that waits for answers.
    public typealias Asker = UInt64

    /// A question as it is put.
    public struct Question: Sendable, Hashable {
        /// The reader that asks.
        public let reader: ExactName
        /// What it asks for.
        public let places: [ItemPlace]
    }

    private struct Waiting: Sendable {
        let asker: Asker
        let place: ItemPlace
    }

    private struct Line: Sendable {
        var waiting: [Waiting] = []
        /// When the reader's first wish of those that wait was made.
        var since = 0.0
        /// What is on the screen, or on the way there.
        var asked: [ItemPlace]?
        var askers: [Waiting] = []
    }

    private var lines: [ExactName: Line] = [:]
    /// Whose turn is next.
    private var turns: [ExactName] = []
    private var running = 0

    /// Nobody asks.
    public init() {}

    /// Whether nobody waits and nothing is asked.
    public var isEmpty: Bool { lines.isEmpty }

    /// Somebody waits for an answer about items. Fails as too much if its reader waits for too many.
    public mutating func ask(_ places: [ItemPlace], by asker: Asker, of reader: ExactName, at now: Double) throws(ServiceFailure)
    {
        var line = lines[reader] ?? Line()
        guard line.waiting.count + places.count <= SecretServiceLimit.waitingItems else { throw .tooMuch }
        if line.waiting.isEmpty {
            line.since = now
            turns.append(reader)
        }
        line.waiting += places.map { Waiting(asker: asker, place: $0) }
        lines[reader] = line
    }

    /// When the next question may be put; nil if none waits for time alone.
    public func nextTime() -> Double? {
        guard running < SecretServiceLimit.questions else { return nil }
        return turns.compactMap { lines[$0] }.filter { $0.asked == nil }.map { $0.since + SecretServiceLimit.burstSeconds }.min()
    }

    /// The questions that are to be put now.
    public mutating func due(at now: Double) -> [Question] {
        var questions: [Question] = []
        var later: [ExactName] = []
        for reader in turns {
            guard var line = lines[reader] else { continue }
            guard running < SecretServiceLimit.questions, line.asked == nil, line.since + SecretServiceLimit.burstSeconds <= now
            else {
                later.append(reader)
                continue
            }
            var places: [ItemPlace] = []
            var known: Set<ItemPlace> = []
            var rest: [Waiting] = []
            for waiting in line.waiting {
                if known.contains(waiting.place) {
                    line.askers.append(waiting)
                } else if places.count < SecretServiceLimit.questionItems {
                    known.insert(waiting.place)
                    places.append(waiting.place)
                    line.askers.append(waiting)
                } else {
                    rest.append(waiting)
                }
            }
            line.waiting = rest
            line.asked = places
            lines[reader] = line
            if !rest.isEmpty { later.append(reader) }
            running += 1
            questions.append(Question(reader: reader, places: places))
        }
        turns = later
        return questions
    }

    /// A reader's question has been answered. Returns who had asked for which item. What waits behind it can be put at once.
    public mutating func end(_ reader: ExactName) -> [(asker: Asker, place: ItemPlace)] {
        guard var line = lines[reader], line.asked != nil else { return [] }
        running -= 1
        let askers = line.askers.map { ($0.asker, $0.place) }
        line.asked = nil
        line.askers = []
        lines[reader] = line.waiting.isEmpty ? nil : line
        return askers
    }

    /// Somebody doesn't wait any longer. Returns the readers whose question nobody waits for any more; it is to be withdrawn.
    public mutating func withdraw(_ asker: Asker) -> [ExactName] {
        var idle: [ExactName] = []
        for (reader, old) in lines {
            var line = old
            line.waiting.removeAll { $0.asker == asker }
            let had = line.askers.count
            line.askers.removeAll { $0.asker == asker }
            if line.asked != nil, line.askers.isEmpty, had > 0 { idle.append(reader) }
            if line.waiting.isEmpty { turns.removeAll { $0 == reader } }
            lines[reader] = line.waiting.isEmpty && line.asked == nil ? nil : line
        }
        return idle
    }
}
