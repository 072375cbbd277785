package import ThumbAccess

/// What a keychain call needs to know of an authentication context. `LAContext` is one, and this room knows no more of it.
package protocol AuthenticationContextSource: AnyObject {
    /// The context's number at the daemon, which keeps its state.
    var contextNumber: UInt64 { get }
    /// Whether it was ended. Then no call that gets it may succeed, whether or not the daemon has heard of it.
    var isInvalidated: Bool { get }
    /// The words for a prompt that the call itself may bring up.
    var contextWords: PromptWords { get }
    /// How long ago, in seconds, the device may have been unlocked by biometry for that to count.
    var contextReuseSeconds: Double { get }
    /// Whether a prompt is out of the question.
    var interactionNotAllowed: Bool { get }
}
