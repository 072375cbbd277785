public import ThumbAccess

/// Everything a prompt shows. It is sent whole each time, so that a prompt keeps no state of its own.
public struct PromptContent: Sendable, Hashable {
    /// The program that asks, as the daemon found it.
    public var callerName: String
    /// The app's own words, not yet made safe to show.
    public var words: PromptWords
    /// The sensor, if it is listening.
    public var listening: BiometryKind
    /// Whether a passcode may be typed now.
    public var acceptsPasscode: Bool
    /// Whether the fallback button stands there.
    public var offersFallback: Bool
    public var notice: PromptNotice?
    /// Seconds until the next passcode is looked at.
    public var passcodeWait: Double

    public init(
        callerName: String, words: PromptWords, listening: BiometryKind = .none, acceptsPasscode: Bool = false,
        offersFallback: Bool = false, notice: PromptNotice? = nil, passcodeWait: Double = 0
    ) {
        self.callerName = callerName
        self.words = words
        self.listening = listening
        self.acceptsPasscode = acceptsPasscode
        self.offersFallback = offersFallback
        self.notice = notice
        self.passcodeWait = passcodeWait
    }
}

/// What just happened, in a prompt's own words.
public enum PromptNotice: Sendable, Hashable {
    case missed(attemptsLeft: Int)
    case retry(RetryHint)
    case wrongPasscode
    case passcodeUnchecked
    case biometryLocked
}

/// How a prompt ends, for what it shows last.
public enum PromptEnding: UInt8, Sendable, Hashable {
    case success = 0
    case failure = 1
    case cancelled = 2
}
