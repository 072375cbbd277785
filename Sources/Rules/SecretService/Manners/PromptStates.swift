/// Where a prompt of the service is: made, shown, over.
public struct PromptStates: Sendable {
    public enum State: Sendable, Hashable {
        case made
        /// The owner is asked, or something else is under way.
        case running
    }

    private var prompts: [UInt64: (client: String, state: State)] = [:]
    private var last: UInt64 = 0

    /// No prompts.
    public init() {}

    /// Makes a prompt for a client. Fails as too much if the client has as many as one may have.
    public mutating func make(for client: String) throws(ServiceFailure) -> UInt64 {
        guard prompts.values.count(where: { $0.client.utf8.elementsEqual(client.utf8) }) < SecretServiceLimit.prompts else {
            throw .tooMuch
        }
        last += 1
        prompts[last] = (client, .made)
        return last
    }

    /// Whether there is such a prompt.
    public func has(_ number: UInt64) -> Bool { prompts[number] != nil }

    /// The numbers of all prompts.
    public var numbers: [UInt64] { prompts.keys.sorted() }

    /// A client wants its prompt shown. Fails if it has no such prompt, and if it is shown already.
    public mutating func show(_ number: UInt64, by client: String) throws(ServiceFailure) {
        guard let prompt = prompts[number], prompt.client.utf8.elementsEqual(client.utf8) else { throw .noSuchObject }
        guard prompt.state == .made else { throw .invalid }
        prompts[number]?.state = .running
    }

    /// A client dismisses its prompt. Returns whether it was shown. Fails if it has no such prompt.
    public mutating func dismiss(_ number: UInt64, by client: String) throws(ServiceFailure) -> Bool {
        guard let prompt = prompts[number], prompt.client.utf8.elementsEqual(client.utf8) else { throw .noSuchObject }
        prompts[number] = nil
        return prompt.state == .running
    }

    /// A prompt is over. Returns whose it was; nil if it was dismissed meanwhile.
    public mutating func end(_ number: UInt64) -> String? { prompts.removeValue(forKey: number)?.client }

    /// A client is gone. Returns its prompts.
    public mutating func leave(_ client: String) -> [UInt64] {
        let own = prompts.filter { $0.value.client.utf8.elementsEqual(client.utf8) }.map(\.key)
        for number in own { prompts[number] = nil }
        return own
    }
}
