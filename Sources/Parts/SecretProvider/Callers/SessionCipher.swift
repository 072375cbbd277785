import ThumbBus
import ThumbSecretService
import ThumbSecrets

/// How secrets cross the bus in a session.
enum SessionCipher: Sendable {
    /// As they are: the bus is the user's, and only root and the user can look into it.
    case plain

    static let plainName = "plain"
    static let exchangeName = "dh-ietf1024-sha256-aes128-cbc-pkcs7"

    /// A new session's cipher, and what the client needs to know of it. Fails if the algorithm is another one.
    static func begin(_ algorithm: String, _ input: BusValue) throws(ServiceFailure) -> (SessionCipher, BusValue) {
        if algorithm.utf8.elementsEqual(plainName.utf8) { return (.plain, .variant(.string(""))) }
        throw .notSupported
    }

    /// A secret as it crosses: parameters and value.
    func seal(_ secret: SecretBytes) throws(ServiceFailure) -> (parameters: BusValue, value: SecretBytes) {
        switch self {
        case .plain: (.bytes([]), secret)
        }
    }

    /// The secret in what has crossed.
    func open(_ value: SecretBytes, _ parameters: SecretBytes) throws(ServiceFailure) -> SecretBytes {
        switch self {
        case .plain: value
        }
    }
}
