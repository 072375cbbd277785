/// What an evaluated rule is used for afterwards.
public enum RuleOperation: UInt8, Sendable, Hashable, CaseIterable {
    case createItem = 0
    case useItem = 1
    case createKey = 2
    case signWithKey = 3
    case decryptWithKey = 4
    case exchangeKeys = 5
}

/// What the owner is asked to satisfy.
public enum EvaluationSubject: Sendable, Hashable {
    case policy(Policy)
    case rule(AccessRule, RuleOperation)
}

/// One request to ask the owner.
public struct EvaluationRequest: Sendable, Hashable {
    /// The context that remembers a success; its number is the client's, its state the daemon's.
    public var context: UInt64
    public var subject: EvaluationSubject
    public var words: PromptWords
    public var interactionNotAllowed: Bool
    /// How long ago, in seconds, the device may have been unlocked by biometry for the unlock to count.
    public var reuseSeconds: Double

    public init(
        context: UInt64, subject: EvaluationSubject, words: PromptWords, interactionNotAllowed: Bool = false,
        reuseSeconds: Double = 0
    ) {
        self.context = context
        self.subject = subject
        self.words = words
        self.interactionNotAllowed = interactionNotAllowed
        self.reuseSeconds = reuseSeconds
    }
}

/// How an evaluation ended.
public struct EvaluationReply: Sendable, Hashable {
    public var result: Result<Factor, EvaluationFailure>
    public var kind: BiometryKind
    /// The enrolment in the form that this app may see; only after a success by biometry.
    public var domainState: [UInt8]?

    public init(result: Result<Factor, EvaluationFailure>, kind: BiometryKind, domainState: [UInt8]? = nil) {
        self.result = result
        self.kind = kind
        self.domainState = domainState
    }
}
