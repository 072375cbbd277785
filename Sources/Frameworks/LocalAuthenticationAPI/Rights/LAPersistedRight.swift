public import Foundation
import ThumbAccess
import ThumbSecurityAPI

/// A stored right, with a key that never leaves the device and, if you like, a secret. The daemon releases both only if the right's
/// requirement is met.
///
/// You get it from `LARightStore`, unauthorized each time. Its requirement, its key and its secret stay as they were stored.
public final class LAPersistedRight: LARight {
    /// The key; its private half can be used while the right is authorized.
    public let key: LAPrivateKey
    /// The secret that was saved with the right, if there was one.
    public let secret: LASecret

    let stored: StoredRight

    init(_ stored: StoredRight) throws {
        // The public part of the key, found again for each use.
        let found = try stored.key(HeldContext().context)
        let attributes = SecKeyCopyAttributes(found) as? [String: Any]
        guard let publicKey = SecKeyCopyPublicKey(found),
            let control = attributes?[kSecAttrAccessControl as String] as? SecAccessControl
        else { throw rightError(errSecInternalComponent) }
        let rule = try AccessRule(control.rule.accessibility, control.rule.constraints.subtracting(.privateKeyUsage))
        let core = RightCore(rule) { rule.isBoundToEnrolment ? Self.objection(stored) : nil }
        self.stored = stored
        key = LAPrivateKey(stored, core, LAPublicKey(publicKey), found)
        secret = LASecret(stored, core)
        super.init(core: core)
    }

    /// Asks the daemon for a signature that it can't give without asking the owner. If the daemon says that the key itself is gone, nobody
    /// needs to be asked.
    private static func objection(_ stored: StoredRight) -> LAError? {
        let mute = LAContext()
        mute.interactionNotAllowed = true
        do {
            let key = try stored.key(mute)
            _ = try unsafe keyCall {
                unsafe SecKeyCreateSignature(key, .ecdsaSignatureDigestX962SHA256, Data(count: 32) as CFData, $0)
            }
            return nil
        } catch let error as NSError where error.domain == "CryptoTokenKit" {
            return LAError(failure: .biometryNotEnrolled)
        } catch {
            return nil
        }
    }
}

/// The secret of a persisted right.
public final class LASecret: NSObject, Sendable {
    private let stored: StoredRight
    private let core: RightCore

    init(_ stored: StoredRight, _ core: RightCore) {
        self.stored = stored
        self.core = core
    }

    /// Reads the secret; `handler` is called once, on a private queue.
    ///
    /// Fails with `LAError.notInteractive` unless the right is authorized, and with `errSecItemNotFound` (`NSOSStatusErrorDomain`)
    /// if none was saved or the right was removed.
    @preconcurrency
    public func loadData(completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void) {
        let use = RightUse(core)
        answering(handler) { [stored] in try use.run(stored.secret) }
    }

    /// The secret. Throws the errors of `loadData`.
    public var rawData: Data {
        get async throws {
            let use = RightUse(core)
            return try await answered { [stored] in try use.run(stored.secret) }
        }
    }
}

/// Runs a blocking call on the reply queue, and passes its result on.
func answering<Value: Sendable>(
    _ handler: @escaping @Sendable (Value?, (any Error)?) -> Void, _ body: @escaping @Sendable () throws -> Value
) {
    replyQueue.async {
        do {
            let value = try body()
            handler(value, nil)
        } catch {
            handler(nil, error)
        }
    }
}

/// Runs a blocking call on the reply queue, and waits for it.
nonisolated(nonsending) func answered<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        replyQueue.async { continuation.resume(with: Result(catching: body)) }
    }
}
