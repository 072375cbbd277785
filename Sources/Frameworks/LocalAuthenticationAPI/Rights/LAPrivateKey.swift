public import Foundation
public import ThumbSecurityAPI

/// The private half of a persisted right's key. It can be used while the right is authorized, and only where it is held.
///
/// Nothing here asks the owner. A call that needs the key fails with `LAError.notInteractive` unless the right is authorized, with
/// `errSecItemNotFound` (`NSOSStatusErrorDomain`) after the right was removed, with `errSecParam` for an algorithm that the key doesn't
/// have and for data that it can't work with, and in the domain `CryptoTokenKit` if the key can't be used any more.
public final class LAPrivateKey: NSObject, Sendable {
    /// The public half. Using it takes no authorization.
    public let publicKey: LAPublicKey

    private let stored: StoredRight
    private let core: RightCore
    /// The key without any terms of asking. It is only looked at and never used.
    private let seen: SecKey

    init(_ stored: StoredRight, _ core: RightCore, _ publicKey: LAPublicKey, _ seen: SecKey) {
        self.stored = stored
        self.core = core
        self.publicKey = publicKey
        self.seen = seen
    }

    // MARK: Signing

    /// Signs `data`; `handler` is called once, on a private queue.
    @preconcurrency
    public func sign(
        _ data: Data, algorithm: SecKeyAlgorithm, completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        let use = RightUse(core)
        answering(handler) { try use.run { try self.signature(data, algorithm, $0) } }
    }

    /// Signs `data`.
    public func sign(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data {
        let use = RightUse(core)
        return try await answered { try use.run { try self.signature(data, algorithm, $0) } }
    }

    /// Whether the key can sign with that algorithm.
    public func canSign(using algorithm: SecKeyAlgorithm) -> Bool { SecKeyIsAlgorithmSupported(seen, .sign, algorithm) }

    private func signature(_ data: Data, _ algorithm: SecKeyAlgorithm, _ context: LAContext) throws -> Data {
        let key = try stored.key(context)
        return try unsafe keyCall { unsafe SecKeyCreateSignature(key, algorithm, data as CFData, $0) } as Data
    }

    // MARK: Decrypting

    /// Decrypts `data`; `handler` is called once, on a private queue.
    @preconcurrency
    public func decrypt(
        _ data: Data, algorithm: SecKeyAlgorithm, completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        let use = RightUse(core)
        answering(handler) { try use.run { try self.plaintext(data, algorithm, $0) } }
    }

    /// Decrypts `data`.
    public func decrypt(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data {
        let use = RightUse(core)
        return try await answered { try use.run { try self.plaintext(data, algorithm, $0) } }
    }

    /// Whether the key can decrypt with that algorithm.
    public func canDecrypt(using algorithm: SecKeyAlgorithm) -> Bool { SecKeyIsAlgorithmSupported(seen, .decrypt, algorithm) }

    private func plaintext(_ data: Data, _ algorithm: SecKeyAlgorithm, _ context: LAContext) throws -> Data {
        let key = try stored.key(context)
        return try unsafe keyCall { unsafe SecKeyCreateDecryptedData(key, algorithm, data as CFData, $0) } as Data
    }

    // MARK: Agreeing

    /// Agrees with the other side's public key (X9.63) on a secret; `handler` is called once, on a private queue.
    ///
    /// `parameters` has the keys of `SecKeyKeyExchangeParameter`.
    @preconcurrency
    public func exchangeKeys(
        publicKey: Data, algorithm: SecKeyAlgorithm, parameters: [AnyHashable: Any],
        completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        // Nobody changes this dictionary from here on.
        nonisolated(unsafe) let parameters = parameters
        let use = RightUse(core)
        answering(handler) { try use.run { try self.agreement(publicKey, algorithm, unsafe parameters, $0) } }
    }

    /// Agrees with the other side's public key (X9.63) on a secret.
    public func exchangeKeys(
        publicKey: Data, algorithm: SecKeyAlgorithm, parameters: [AnyHashable: Any]
    ) async throws -> Data {
        nonisolated(unsafe) let parameters = parameters
        let use = RightUse(core)
        return try await answered { try use.run { try self.agreement(publicKey, algorithm, unsafe parameters, $0) } }
    }

    /// Whether the key can agree with that algorithm.
    public func canExchangeKeys(using algorithm: SecKeyAlgorithm) -> Bool {
        SecKeyIsAlgorithmSupported(seen, .keyExchange, algorithm)
    }

    private func agreement(
        _ peer: Data, _ algorithm: SecKeyAlgorithm, _ parameters: [AnyHashable: Any], _ context: LAContext
    ) throws -> Data {
        let attributes: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPublic,
        ]
        let other = try unsafe keyCall { unsafe SecKeyCreateWithData(peer as CFData, attributes as CFDictionary, $0) }
        let key = try stored.key(context)
        let said = NSMutableDictionary()
        for (name, value) in parameters {
            let name = (name.base as? SecKeyKeyExchangeParameter)?.rawValue ?? (name.base as? String).map { NSString(string: $0) }
            if let name { said.setObject(value, forKey: name) }
        }
        return try unsafe keyCall { unsafe SecKeyCopyKeyExchangeResult(key, algorithm, other, said, $0) } as Data
    }
}
