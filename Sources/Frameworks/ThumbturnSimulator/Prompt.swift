import ThumbAccess
import ThumbSimulation

extension SimulatedDevice {
    /// One prompt as its owner saw it.
    public struct Prompt: Sendable, Hashable {
        /// How a prompt went away.
        public enum Outcome: Sendable, Hashable {
            case success, failure, cancelled
        }

        /// The app, as the device found it.
        public let appName: String
        public let reason: String
        /// Where the owner signs in and as whom, as the prompt says it in its own words; nil for every other question.
        public let signIn: SignIn?
        /// nil: the default title; "": hidden.
        public let fallbackTitle: String?
        public let cancelTitle: String?
        /// The sensor that listened when it came up.
        public let sensor: Biometry
        /// Whether a passcode could be typed when it came up.
        public let acceptsPasscode: Bool
        /// Whether the fallback button was there at any time.
        public let offeredFallback: Bool
        /// Misses at the sensor while it was up.
        public let misses: Int
        /// nil while it is up.
        public let outcome: Outcome?

        /// What a prompt says of signing in.
        public struct SignIn: Sendable, Hashable {
            public let origin: String
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
