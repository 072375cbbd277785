public import ThumbAccess

/// Whose question is before the owner: one of each reader at a time, and few in all. Readers take turns.
public struct ReaderTurns<Question: Sendable>: Sendable {
    private var waiting: [ExactName: [Question]] = [:]
    /// Readers with a question that waits, the next one first.
    private var turns: [ExactName] = []
    /// Readers with a question before the owner.
    private var asked: Set<ExactName> = []

    /// Nobody asks.
    public init() {}

    /// A reader has a question. Fails as too much if too many of its questions wait.
    public mutating func add(_ question: Question, of reader: ExactName) throws(ServiceFailure) {
        var own = waiting[reader] ?? []
        guard own.count < SecretServiceLimit.waitingQuestions else { throw .tooMuch }
        if own.isEmpty { turns.append(reader) }
        own.append(question)
        waiting[reader] = own
    }

    /// Takes the question that is to be put now; nil if there is none.
    public mutating func next() -> Question? {
        guard asked.count < SecretServiceLimit.questions, let place = turns.firstIndex(where: { !asked.contains($0) }),
            var own = waiting[turns[place]]
        else { return nil }
        let reader = turns.remove(at: place)
        let question = own.removeFirst()
        waiting[reader] = own.isEmpty ? nil : own
        if !own.isEmpty { turns.append(reader) }
        asked.insert(reader)
        return question
    }

    /// A reader's question is over.
    public mutating func end(_ reader: ExactName) { asked.remove(reader) }
}
