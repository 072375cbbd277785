import ThumbBus
import ThumbCrypto
import ThumbSecretService
import ThumbSecrets

/// How secrets cross the bus in a session.
enum SessionCipher: Sendable {
    /// As they are: the bus is the user's, and only root and the user can look into it.
    case plain
    /// Under a key that client and provider agreed on.
    case agreed(TransferKey)

    static let plainName = "plain"
    static let agreementName = "dh-ietf1024-sha256-aes128-cbc-pkcs7"

    /// A new session's cipher, and what the client needs to know of it. Fails if the algorithm is another one, or its input.
    static func begin(_ algorithm: String, _ input: BusValue) throws(ServiceFailure) -> (SessionCipher, BusValue) {
        if algorithm.utf8.elementsEqual(plainName.utf8) { return (.plain, .variant(.string(""))) }
        guard algorithm.utf8.elementsEqual(agreementName.utf8) else { throw .notSupported }
        guard let value = input.bytes else { throw .invalid }
        do {
            let agreement = try TransferAgreement()
            return (.agreed(try agreement.key(with: value)), .variant(.bytes(agreement.publicValue)))
        } catch {
            throw .invalid
        }
    }

    /// A secret as it crosses: parameters and value.
    func seal(_ secret: SecretBytes) throws(ServiceFailure) -> (parameters: BusValue, value: BusValue) {
        switch self {
        case .plain: return (.bytes([]), .secret(secret))
        case .agreed(let key):
            do {
                let sealed = try key.seal(secret)
                return (.bytes(sealed.vector), .bytes(sealed.ciphertext))
            } catch {
                throw .failed
            }
        }
    }

    /// The secret in what has crossed. Fails as invalid if it isn't this session's.
    func open(_ value: SecretBytes, _ parameters: SecretBytes) throws(ServiceFailure) -> SecretBytes {
        switch self {
        case .plain: return value
        case .agreed(let key):
            guard parameters.count == TransferKey.vectorBytes else { throw .invalid }
            // A vector isn't secret.
            let vector = unsafe parameters.withUnsafeBytes { unsafe [UInt8]($0) }
            do { return try key.open(value, vector: vector) } catch { throw .invalid }
        }
    }
}
