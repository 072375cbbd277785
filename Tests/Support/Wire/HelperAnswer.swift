public import ThumbAccess
public import ThumbConversation
public import ThumbSecrets

/// Whatever a helper may say.
public enum HelperAnswer: Sendable, Equatable {
    case question(AccountQuestion)
    case verdict(AccountVerdict, delay: Double)

    /// Reads a frame, its length already taken off.
    public static func read(_ body: SecretBytes) throws(Refusal) -> HelperAnswer {
        switch try FromHelper(try Frame(body)) {
        case .question(let question): .question(question)
        case .verdict(let said): .verdict(said.verdict, delay: said.delay)
        }
    }
}
