public import Foundation
public import ThumbSecurityAPI

/// The public half of a persisted right's key. Nothing here needs the right to be authorized.
public final class LAPublicKey: NSObject, Sendable {
    private let key: SecKey

    init(_ key: SecKey) { self.key = key }

    // MARK: Exporting

    /// The key's point in its uncompressed form (X9.63, 65 bytes); `handler` is called once, on a private queue.
    @preconcurrency
    public func exportBytes(completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void) {
        answering(handler) { try self.point() }
    }

    /// The key's point in its uncompressed form (X9.63, 65 bytes).
    public var bytes: Data { get async throws { try await answered { try self.point() } } }

    private func point() throws -> Data { try unsafe keyCall { unsafe SecKeyCopyExternalRepresentation(key, $0) } as Data }

    // MARK: Encrypting

    /// Encrypts `data`; `handler` is called once, on a private queue. Fails as `SecKeyCreateEncryptedData` does.
    @preconcurrency
    public func encrypt(
        _ data: Data, algorithm: SecKeyAlgorithm, completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        answering(handler) { try self.ciphertext(data, algorithm) }
    }

    /// Encrypts `data`; throws as `SecKeyCreateEncryptedData` fails.
    public func encrypt(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data {
        try await answered { try self.ciphertext(data, algorithm) }
    }

    /// Whether that algorithm can encrypt to the key.
    public func canEncrypt(using algorithm: SecKeyAlgorithm) -> Bool { SecKeyIsAlgorithmSupported(key, .encrypt, algorithm) }

    private func ciphertext(_ data: Data, _ algorithm: SecKeyAlgorithm) throws -> Data {
        try unsafe keyCall { unsafe SecKeyCreateEncryptedData(key, algorithm, data as CFData, $0) } as Data
    }

    // MARK: Verifying

    /// Verifies `signature` over `signedData`. `handler` is called once, on a private queue, with nil if the key made the signature.
    ///
    /// Fails with `errSecVerifyFailed` if it didn't, and otherwise as `SecKeyVerifySignature` does.
    @preconcurrency
    public func verify(
        _ signedData: Data, signature: Data, algorithm: SecKeyAlgorithm,
        completion handler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        answering({ (_: Bool?, error) in handler(error) }) { try self.check(signedData, signature, algorithm) }
    }

    /// Throws unless the key made `signature` over `signedData`. The errors are those of the form with a handler.
    public func verify(_ signedData: Data, signature: Data, algorithm: SecKeyAlgorithm) async throws {
        _ = try await answered { try self.check(signedData, signature, algorithm) }
    }

    /// Whether the key's signatures can be made with that algorithm.
    public func canVerify(using algorithm: SecKeyAlgorithm) -> Bool { SecKeyIsAlgorithmSupported(key, .verify, algorithm) }

    private func check(_ data: Data, _ signature: Data, _ algorithm: SecKeyAlgorithm) throws -> Bool {
        try unsafe keyCall {
            unsafe SecKeyVerifySignature(key, algorithm, data as CFData, signature as CFData, $0) ? true : nil
        }
    }
}
