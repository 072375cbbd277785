import Foundation

/// What an app sets on a context. `init()` gives the defaults, which a context also shows again once it is invalidated.
struct ContextSettings: Sendable {
    var localizedReason = ""
    var localizedFallbackTitle: String?
    var localizedCancelTitle: String?
    var interactionNotAllowed = false
    var reuseDuration: TimeInterval = 0
    var maxBiometryFailures: NSNumber?
}
