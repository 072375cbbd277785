package import ThumbAccess

/// What a keychain call needs to know about an authentication context. `LAContext` is one, and this room knows nothing else about it.
package protocol AuthenticationContextSource: AnyObject {
    /// The context's number at the daemon, which keeps its state.
    var contextNumber: UInt64 { get }
    /// Whether it was ended. Then no call that gets it may succeed, even if the daemon hasn't been told.
    var isInvalidated: Bool { get }
    /// The words for a prompt that the call itself may bring up.
    var contextWords: PromptWords { get }
    /// How long ago, in seconds, the device may have been unlocked by biometry for the unlock to count.
    var contextReuseSeconds: Double { get }
    /// Whether no prompt may be shown.
    var interactionNotAllowed: Bool { get }
}
