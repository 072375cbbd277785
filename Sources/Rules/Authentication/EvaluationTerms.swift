public import ThumbAccess
public import ThumbSecrets

// What an evaluation is about, what it hears, and what it wants done.

extension Evaluation {
    public enum Event: Sendable {
        /// The prompt's first content is on the screen. From now on the owner can see what a touch is for.
        case shown
        case match(Enrolment)
        case miss
        case retry(RetryHint)
        case sensorFailed
        case sensorDisconnected
        case companion(CompanionReport)
        case typed(SecretBytes)
        case verdict(PasscodeVerdict)
        /// The system wants to know more than the passcode that is being checked.
        case question(AccountQuestion)
        case waitIsOver
        case cancel
        case fallback
        case interrupted
        case promptUnavailable
        /// The app withdrew its request.
        case withdrawn
    }

    public enum Effect: Sendable {
        case show(PromptContent)
        case update(PromptContent)
        case dismiss(PromptEnding)
        case listen
        case stopListening
        /// Ask the companions, or take the question back.
        case reach
        case stopReaching
        /// Put the counters on disk; if that fails the evaluation ends as `.deviceFailure` and nothing after it is done.
        case commit(Attempts)
        case check(SecretBytes)
        /// Put the first password, which the account takes, in place of the second, if the second opens the slot.
        case renew(SecretBytes, over: SecretBytes)
        /// Answer the system's question with what was typed.
        case answer(SecretBytes)
        /// Send `.waitIsOver` after that many seconds.
        case wait(Double)
        case finish(Outcome)
    }

    public enum Outcome: Sendable, Hashable {
        case success(Set<Factor>, Enrolment?)
        case failure(EvaluationFailure)
    }

    public struct Terms: Sendable {
        public var demands: Demands
        public var program: ProgramWords
        public var words: PromptWords
        /// What the prompt says about a sign-in, in its own words.
        public var signIn: SignInWords?
        /// What polkit asks for.
        public var polkit: PolkitWords?
        /// The other machine that the program asks on, by its name here; nil: it asks on this one.
        public var machine: String?
        public var interactionNotAllowed: Bool
        /// What a typed passcode is for.
        public var purpose: PromptPurpose
        /// Whether the typed text is to become the passcode, and so must be long enough for one.
        public var becomesPasscode = false

        public init(
            demands: Demands, program: ProgramWords, words: PromptWords,
            signIn: SignInWords? = nil, interactionNotAllowed: Bool, purpose: PromptPurpose = .evaluate
        ) {
            self.demands = demands
            self.program = program
            self.words = words
            self.signIn = signIn
            self.interactionNotAllowed = interactionNotAllowed
            self.purpose = purpose
        }
    }
}
