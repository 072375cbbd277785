import ThumbAccess
import ThumbAuthentication
import ThumbLoop
import ThumbSecrets

extension EvaluationDesk {
    /// One request to ask the owner, and what happens with the answer.
    @OnLoop final class Job {
        enum Order {
            /// Replaces what its own program shows; that call ends with a system cancel. An app's newer evaluation does this.
            case replaces
            /// Waits behind the others, as a blocked keychain call does.
            case waits
        }

        /// What a typed passcode is compared with.
        enum Judge {
            case passcode
            /// The account's password, if there is no passcode yet. The system is asked, and no slot is touched.
            case account
            /// The same, for a password that is to become the passcode. It is handed on once the system accepted it.
            case newPasscode
            /// A password that the system judges for a purpose of its own. It is no passcode, and proves nothing here.
            case system(any AccountPassword)

            /// What a prompt asks to be typed.
            func purpose(_ source: PasscodeSource) -> PromptPurpose {
                switch self {
                case .passcode: source == .account ? .accountPassword : .evaluate
                case .account, .newPasscode: .accountPassword
                case .system: .systemPassword
                }
            }

            var needsPasscode: Bool { if case .passcode = self { true } else { false } }
            var makesPasscode: Bool { if case .newPasscode = self { true } else { false } }
        }

        let demands: Demands
        let caller: Caller
        /// The connection that asks.
        let client: ObjectIdentifier
        let words: PromptWords
        let signIn: SignInWords?
        let interactionNotAllowed: Bool
        let order: Order
        let judge: Judge
        let offer: ([UInt8]) -> Void
        /// Whether it is a login, before there is a session. A finger may open it before the passcode was given, if the owner chose that.
        var isLogin = false
        /// What polkit asks for.
        var polkit: PolkitWords?
        /// What a companion is told that its yes satisfies.
        var subject = EvaluationSubject.policy(.companion)
        /// The program, where another machine's daemon found it, and that machine's name here; nil: the caller, here.
        var program: ProgramWords?
        var machine: String?
        /// The program that asks through the caller, which is a provider. It is the one that the prompt shows and that takes the turn.
        var reader: Reader?
        /// The answer that another call's prompt may have brought while this one waited.
        var answered: (() -> Evaluation.Outcome?)?
        var finish: ((Evaluation.Outcome) -> Void)?
        /// Whoever asked is gone, so nobody is told the outcome.
        var isTakenBack = false
        /// The account's password once the system accepted it, for the call that makes it the passcode.
        var accepted: SecretBytes?
        var turn: PromptTurns.Turn?

        init(
            demands: Demands, caller: Caller, client: ObjectIdentifier, words: PromptWords, signIn: SignInWords? = nil,
            interactionNotAllowed: Bool,
            order: Order, judge: Judge, offer: @escaping ([UInt8]) -> Void,
            finish: ((Evaluation.Outcome) -> Void)? = nil
        ) {
            self.demands = demands
            self.caller = caller
            self.client = client
            self.words = words
            self.signIn = signIn
            self.interactionNotAllowed = interactionNotAllowed
            self.order = order
            self.judge = judge
            self.offer = offer
            self.finish = finish
        }

        /// The program that a prompt shows.
        var shown: ProgramWords { program ?? reader?.program ?? caller.program }

        func end(_ outcome: Evaluation.Outcome) {
            turn = nil
            let finish = finish
            self.finish = nil
            finish?(outcome)
        }
    }
}
