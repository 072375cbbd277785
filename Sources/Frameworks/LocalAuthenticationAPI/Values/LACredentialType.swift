/// A secret that an app may give to a context, so that nobody has to be asked for it.
public enum LACredentialType: Int, Sendable, BitwiseCopyable {
    /// A password of the app's own, for items whose access control has `.applicationPassword`.
    case applicationPassword = 0
    /// The PIN of a smart card.
    case smartCardPIN = -3

    /// The number that is sent to the daemon.
    var kind: UInt8 {
        switch self {
        case .applicationPassword: 0
        case .smartCardPIN: 3
        }
    }
}
