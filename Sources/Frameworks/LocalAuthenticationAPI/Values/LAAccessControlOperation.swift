import ThumbAccess

/// What an access control is evaluated for.
public enum LAAccessControlOperation: Int, Sendable, BitwiseCopyable {
    /// Adding an item.
    case createItem = 0
    /// Reading an item.
    case useItem = 1
    /// Making a key.
    case createKey = 2
    /// Signing with a key.
    case useKeySign = 3
    /// Decrypting with a key.
    case useKeyDecrypt = 4
    /// Agreeing on a secret with a key.
    case useKeyKeyExchange = 5

    /// The daemon's value for the operation.
    var operation: RuleOperation {
        switch self {
        case .createItem: .createItem
        case .useItem: .useItem
        case .createKey: .createKey
        case .useKeySign: .signWithKey
        case .useKeyDecrypt: .decryptWithKey
        case .useKeyKeyExchange: .exchangeKeys
        }
    }
}
