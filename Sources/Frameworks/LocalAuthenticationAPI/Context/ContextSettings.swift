import Foundation

/// What an app sets on a context. `init()` gives the defaults, which an invalidated context shows again.
struct ContextSettings: Sendable {
    var localizedReason = ""
    var localizedFallbackTitle: String?
    var localizedCancelTitle: String?
    var interactionNotAllowed = false
    var reuseDuration: TimeInterval = 0
    var maxBiometryFailures: NSNumber?
}
