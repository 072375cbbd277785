import ThumbAccess
import ThumbSimulation

extension SimulatedDevice {
    /// One prompt as its owner saw it.
    public struct Prompt: Sendable, Hashable {
        /// How a prompt ended.
        public enum Outcome: Sendable, Hashable {
            /// The owner showed what was asked for.
            case success
            /// The owner didn't show it, and the evaluation failed.
            case failure
            /// The owner, the app or the system cancelled it.
            case cancelled
        }

        /// The app's name as the device found it.
        public let appName: String
        /// The reason, in the app's words.
        public let reason: String
        /// Where the owner signs in and as whom, in the prompt's own words; nil for every other question.
        public let signIn: SignIn?
        /// The title of the fallback button; nil is the default one, "" hides the button.
        public let fallbackTitle: String?
        /// The title of the cancel button; nil is the default one.
        public let cancelTitle: String?
        /// The sensor that listened when the prompt came up.
        public let sensor: Biometry
        /// Whether a passcode could be typed when the prompt came up.
        public let acceptsPasscode: Bool
        /// Whether the fallback button appeared at any time.
        public let offeredFallback: Bool
        /// How often the sensor saw a stranger while the prompt was up.
        public let misses: Int
        /// How the prompt ended; nil while it is up.
        public let outcome: Outcome?

        /// What a prompt says about signing in.
        public struct SignIn: Sendable, Hashable {
            /// The server's origin.
            public let origin: String
            /// The account at that server.
            public let account: String
            /// Whether the device is to be registered there, rather than used to sign in.
            public let registers: Bool
        }

        init(_ shown: ShownPrompt) {
            let first = shown.contents.first
            appName = shown.callerName
            reason = shown.words.reason
            signIn = first?.signIn.map {
                SignIn(origin: $0.origin.text, account: $0.account.text, registers: $0.purpose == .register)
            }
            fallbackTitle = shown.words.fallbackTitle
            cancelTitle = shown.words.cancelTitle
            sensor =
                switch first?.listening {
                case .touchID?: .touchID
                case .faceID?: .faceID
                case .none?, nil: .none
                }
            acceptsPasscode = first?.acceptsPasscode ?? false
            offeredFallback = shown.contents.contains { $0.offersFallback }
            misses = shown.misses
            outcome =
                switch shown.ending {
                case .success?: .success
                case .failure?: .failure
                case .cancelled?: .cancelled
                case nil: nil
                }
        }
    }
}
