import Foundation
import ThumbAccess
import ThumbSecurityAPI

/// A stored right in the keychain: a record under the app's name for it, a key that never leaves its custodian, and possibly a secret. Key
/// and secret have a name of the right's own, so that an old handle never finds a newer right's.
struct StoredRight: Sendable {
    private static let recordService = "thumbturn.right"
    private static let secretService = "thumbturn.right.secret"
    private static let prefix = "thumbturn.right."

    let identifier: String
    /// The name of the key and of the secret.
    let name: String

    // MARK: Storing

    /// Stores a right. The record comes last: without it the right doesn't exist.
    static func save(_ identifier: String, _ rule: AccessRule, secret: Data?) throws -> StoredRight {
        guard try find(identifier) == nil else { throw rightError(errSecDuplicateItem) }
        let right = StoredRight(identifier: identifier, name: prefix + UUID().uuidString)
        do {
            try right.makeKey(rule)
            if let secret {
                try check(
                    SecItemAdd(
                        right.secretQuery([
                            kSecValueData: secret, kSecAttrAccessControl: SecAccessControl(rule: rule),
                        ]), nil))
            }
            try check(
                SecItemAdd(
                    record(
                        identifier,
                        [
                            kSecAttrGeneric: Data(right.name.utf8),
                            kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
                        ]), nil))
        } catch {
            right.removeParts()
            throw error
        }
        return right
    }

    private func makeKey(_ rule: AccessRule) throws {
        let constraints = rule.constraints.union(.privateKeyUsage)
        let parameters: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
            kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
            kSecPrivateKeyAttrs: [
                kSecAttrIsPermanent: true, kSecAttrApplicationTag: Data(name.utf8), kSecAttrLabel: identifier,
                kSecAttrAccessControl: SecAccessControl(rule: try AccessRule(rule.accessibility, constraints)),
            ] as [CFString: Any],
        ]
        _ = try unsafe keyCall { unsafe SecKeyCreateRandomKey(parameters as CFDictionary, $0) }
    }

    // MARK: Finding

    static func find(_ identifier: String) throws -> StoredRight? {
        let found = try item(record(identifier, [kSecReturnAttributes: true])) as? [String: Any]
        guard let name = found?[kSecAttrGeneric as String] as? Data else { return nil }
        return StoredRight(identifier: identifier, name: String(decoding: name, as: UTF8.self))
    }

    /// The key, for use in `context`; fails with `errSecItemNotFound` if it was removed.
    func key(_ context: LAContext) throws -> SecKey {
        let query = keyQuery([kSecReturnRef: true, kSecUseAuthenticationContext: context])
        guard let key = try Self.item(query) as? SecKey else { throw rightError(errSecItemNotFound) }
        return key
    }

    /// The secret that `context` releases; fails with `errSecItemNotFound` if none was stored.
    func secret(_ context: LAContext) throws -> Data {
        let query = secretQuery([kSecReturnData: true, kSecUseAuthenticationContext: context])
        guard let secret = try Self.item(query) as? Data else { throw rightError(errSecItemNotFound) }
        return secret
    }

    // MARK: Removing

    /// Removes a right with its key and its secret; fails with `errSecItemNotFound` if it was removed already.
    func remove() throws {
        let status = SecItemDelete(Self.record(identifier, [kSecAttrGeneric: Data(name.utf8)]))
        removeParts()
        try Self.check(status)
    }

    private func removeParts() {
        SecItemDelete(keyQuery([:]))
        SecItemDelete(secretQuery([:]))
    }

    /// Removes every right of this app, and the remains that a crash may have left of others.
    static func removeAll() throws {
        for service in [recordService, secretService] {
            let status = SecItemDelete([kSecClass: kSecClassGenericPassword, kSecAttrService: service] as CFDictionary)
            if status != errSecItemNotFound { try check(status) }
        }
        let all: [CFString: Any] = [kSecClass: kSecClassKey, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true]
        for key in try item(all as CFDictionary) as? [[String: Any]] ?? [] {
            guard let tag = key[kSecAttrApplicationTag as String] as? Data else { continue }
            let name = String(decoding: tag, as: UTF8.self)
            guard name.hasPrefix(prefix) else { continue }
            try check(SecItemDelete(StoredRight(identifier: "", name: name).keyQuery([:])))
        }
    }

    // MARK: Dictionaries

    private static func record(_ identifier: String, _ fields: [CFString: Any]) -> CFDictionary {
        let base: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: recordService, kSecAttrAccount: identifier,
        ]
        return base.merging(fields) { $1 } as CFDictionary
    }

    private func secretQuery(_ fields: [CFString: Any]) -> CFDictionary {
        let base: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: Self.secretService, kSecAttrAccount: name,
        ]
        return base.merging(fields) { $1 } as CFDictionary
    }

    private func keyQuery(_ fields: [CFString: Any]) -> CFDictionary {
        let base: [CFString: Any] = [
            kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecAttrApplicationTag: Data(name.utf8),
        ]
        return base.merging(fields) { $1 } as CFDictionary
    }

    /// The item that a query finds; nil if there is none.
    private static func item(_ query: CFDictionary) throws -> AnyObject? {
        var result: AnyObject?
        let status = unsafe SecItemCopyMatching(query, &result)
        if status == errSecItemNotFound { return nil }
        try check(status)
        return result
    }

    private static func check(_ status: OSStatus) throws {
        if status != errSecSuccess { throw rightError(status) }
    }
}

/// The error that an app gets from a right for a status: `LAError` for what the owner answered, and the number for everything else.
func rightError(_ status: OSStatus) -> any Error {
    switch status {
    case errSecInteractionNotAllowed: LAError(failure: .notInteractive)
    case errSecAuthFailed: LAError(failure: .authenticationFailed)
    default: statusError(status)
    }
}

/// Makes a call that can return an error, and throws that as a right's error.
func keyCall<Value>(_ body: (UnsafeMutablePointer<Unmanaged<CFError>?>) -> Value?) throws -> Value {
    var error: Unmanaged<CFError>?
    if let value = unsafe body(&error) { return value }
    guard let failure = unsafe error?.takeRetainedValue() else { throw rightError(errSecInternalComponent) }
    let status = OSStatus(truncatingIfNeeded: failure.code)
    guard failure.domain == kCFErrorDomainOSStatus as String, [errSecInteractionNotAllowed, errSecAuthFailed].contains(status)
    else {
        throw failure
    }
    throw rightError(status)
}
