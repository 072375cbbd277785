public import LocalAuthentication

/// A P-256 key that never leaves the device. It signs, and decrypts what was encrypted to its public half, once its owner has
/// authenticated.
///
/// The value has only the key's name and its public half. The key itself stays where it was made, and each use goes there; `custodian` says
/// where that is.
public struct EnclaveKey: Sendable, Hashable {
    /// Who holds a key.
    public enum Custodian: Sendable, Hashable {
        /// A chip that doesn't give keys out: a TPM here, the Secure Enclave on Apple's systems.
        case hardware
        /// The daemon, in software, because the owner allowed it. Whoever has the disk and the passcode has the key.
        case software
    }

    /// The app's name for it (`kSecAttrApplicationTag`).
    public let name: String
    /// The access group that it was made in or looked for in; nil is the app's own.
    public let accessGroup: String?
    /// The key's public half.
    public let publicKey: PublicKey
    /// Who holds the key.
    public let custodian: Custodian

    /// Tells it from other keys with its name.
    private let label: Data

    // MARK: Which there are

    /// Makes a key under a name that no other key has. Asks nobody.
    ///
    /// `guardedBy` is what the owner must show for each use; it never changes. Fails with `alreadyExists`, with `noEnclave` if nothing can
    /// hold such a key, and with `notAuthenticated`, `enrolmentUnknown` or `failed` if the device can't meet the guard now. If two programs
    /// use one name at the same moment both succeed, so don't share a name.
    @discardableResult
    public static func create(
        _ name: String, guardedBy: Vault.Guard = .presence, accessGroup: String? = nil
    ) throws(EnclaveKeyError) -> EnclaveKey {
        guard try find(name, accessGroup: accessGroup) == nil else { throw .alreadyExists }
        return try EnclaveKey(make(name, rule(guardedBy), accessGroup), name, accessGroup)
    }

    static func make(
        _ name: String, _ rule: SecAccessControl, _ accessGroup: String?
    ) throws(EnclaveKeyError) -> SecKey {
        var own: [String: Any] = [
            kSecAttrIsPermanent as String: true, kSecAttrApplicationTag as String: Data(name.utf8),
            kSecAttrLabel as String: name, kSecAttrAccessControl as String: rule,
        ]
        if let accessGroup { own[kSecAttrAccessGroup as String] = accessGroup }
        let parameters: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits as String: 256,
            kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave, kSecPrivateKeyAttrs as String: own,
        ]
        do throws(EnclaveKeyError) {
            return try unsafe keyCall { unsafe SecKeyCreateRandomKey(parameters as CFDictionary, $0) }
        } catch .failed(errSecUnimplemented) {
            throw .noEnclave
        } catch .notAuthenticated where UnknownEnrolment.isHere {
            // Nobody was asked: it is the guard that can't be met.
            throw .enrolmentUnknown
        }
    }

    /// Finds the key with that name; nil if there is none. Asks nobody.
    public static func find(_ name: String, accessGroup: String? = nil) throws(EnclaveKeyError) -> EnclaveKey? {
        var query = query(name, accessGroup)
        query[kSecReturnRef as String] = true
        guard let key = try first(query) else { return nil }
        // A sign-in key belongs to `SignIn`, and can't do anything that is offered here.
        guard (SecKeyCopyAttributes(key) as? [String: Any])?["thumbturn.device"] == nil else { return nil }
        return try EnclaveKey(key, name, accessGroup)
    }

    /// All keys, in the order of their names. Asks nobody.
    public static func list(accessGroup: String? = nil) throws(EnclaveKeyError) -> [EnclaveKey] {
        var query = query(nil, accessGroup)
        query[kSecMatchLimit as String] = kSecMatchLimitAll
        query[kSecReturnAttributes as String] = true
        var result: AnyObject?
        let status = unsafe SecItemCopyMatching(query as CFDictionary, &result)
        if status == errSecItemNotFound { return [] }
        if status != errSecSuccess { throw EnclaveKeyError(status) }
        let tags = (result as? [[String: Any]] ?? []).compactMap { $0[kSecAttrApplicationTag as String] as? Data }
        var keys: [EnclaveKey] = []
        for name in Set(tags.compactMap { String(data: $0, encoding: .utf8) }).sorted() {
            // A key that was removed in the meantime isn't there.
            if let key = try find(name, accessGroup: accessGroup) { keys.append(key) }
        }
        return keys
    }

    /// Removes the key with that name for good. Returns whether there was one. Asks nobody, because a removed key can't be used.
    @discardableResult
    public static func remove(_ name: String, accessGroup: String? = nil) throws(EnclaveKeyError) -> Bool {
        let status = SecItemDelete(query(name, accessGroup) as CFDictionary)
        if status == errSecItemNotFound { return false }
        if status != errSecSuccess { throw EnclaveKeyError(status) }
        return true
    }

    // MARK: Using it

    /// Signs `data` (ECDSA with SHA-256; the signature is DER), after asking the owner as the key's guard demands.
    ///
    /// `reason` is shown in the prompt. If enough was shown for `context` already, nobody is asked. The call waits on a thread of its own,
    /// and cancelling the task closes the prompt unless you gave a context. Fails with `unusable` if the enrolment that the key was made
    /// under has changed.
    nonisolated(nonsending) public func sign(
        _ data: Data, reason: String? = nil, context: LAContext? = nil
    ) async throws(EnclaveKeyError) -> Data {
        try await use(reason, context) { (key) throws(EnclaveKeyError) in
            try unsafe keyCall { unsafe SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, data as CFData, $0) } as Data
        }
    }

    /// Signs a SHA-256 digest that was made elsewhere, as `sign` signs data. A digest of another length fails with `unreadable`.
    nonisolated(nonsending) public func sign(
        digest: Data, reason: String? = nil, context: LAContext? = nil
    ) async throws(EnclaveKeyError) -> Data {
        guard digest.count == 32 else { throw .unreadable }
        return try await use(reason, context) { (key) throws(EnclaveKeyError) in
            try unsafe keyCall { unsafe SecKeyCreateSignature(key, .ecdsaSignatureDigestX962SHA256, digest as CFData, $0) }
                as Data
        }
    }

    /// Decrypts what `PublicKey.encrypt` made, after asking the owner as the key's guard demands. It waits and fails as `sign` does, and
    /// with `unreadable` if the data was encrypted to another key or changed since.
    nonisolated(nonsending) public func decrypt(
        _ ciphertext: Data, reason: String? = nil, context: LAContext? = nil
    ) async throws(EnclaveKeyError) -> Data {
        try await use(reason, context) { (key) throws(EnclaveKeyError) in
            do throws(EnclaveKeyError) {
                return try unsafe keyCall {
                    unsafe SecKeyCreateDecryptedData(key, PublicKey.encryption, ciphertext as CFData, $0)
                } as Data
            } catch .failed(errSecParam) {
                throw .unreadable
            }
        }
    }

    /// Makes a call with the key, which is found again with this call's own context: a key remembers the context it was found with.
    nonisolated(nonsending) private func use(
        _ reason: String?, _ context: LAContext?, _ body: @escaping @Sendable (SecKey) throws(EnclaveKeyError) -> Data
    ) async throws(EnclaveKeyError) -> Data {
        var query = Self.query(name, accessGroup)
        query[kSecAttrApplicationLabel as String] = label
        query[kSecReturnRef as String] = true
        // Nobody changes the query from here on.
        nonisolated(unsafe) let base = query
        return try await Asking(context).run { (context) throws(EnclaveKeyError) in
            if let reason { context.localizedReason = reason }
            let whole = unsafe base.merging([kSecUseAuthenticationContext as String: context]) { $1 }
            guard let key = try Self.first(whole) else { throw .notFound }
            return try body(key)
        }
    }

    // MARK: Dictionaries

    init(_ key: SecKey, _ name: String, _ accessGroup: String?) throws(EnclaveKeyError) {
        let attributes = SecKeyCopyAttributes(key) as? [String: Any] ?? [:]
        guard let half = SecKeyCopyPublicKey(key), let label = attributes[kSecAttrApplicationLabel as String] as? Data else {
            throw .failed(errSecInternalComponent)
        }
        let point = try unsafe keyCall { unsafe SecKeyCopyExternalRepresentation(half, $0) } as Data
        guard let publicKey = PublicKey(x963: point) else { throw .failed(errSecInternalComponent) }
        self.name = name
        self.accessGroup = accessGroup
        self.publicKey = publicKey
        self.label = label
        // Apple's systems have no such attribute; there it is always the chip.
        custodian = attributes["thumbturn.custodian"] as? String == "software" ? .software : .hardware
    }

    static func first(_ query: [String: Any]) throws(EnclaveKeyError) -> SecKey? {
        var result: AnyObject?
        let status = unsafe SecItemCopyMatching(query as CFDictionary, &result)
        if status == errSecItemNotFound { return nil }
        if status != errSecSuccess { throw EnclaveKeyError(status) }
        guard let result, CFGetTypeID(result) == SecKeyGetTypeID() else { throw .failed(errSecInternalComponent) }
        // Its type was checked.
        return (result as! SecKey)
    }

    static func query(_ name: String?, _ accessGroup: String?) -> [String: Any] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassKey, kSecAttrKeyClass as String: kSecAttrKeyClassPrivate,
            kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave,
        ]
        if let name { query[kSecAttrApplicationTag as String] = Data(name.utf8) }
        if let accessGroup { query[kSecAttrAccessGroup as String] = accessGroup }
        return query
    }

    static func rule(
        _ guardedBy: Vault.Guard, _ use: SecAccessControlCreateFlags = []
    ) throws(EnclaveKeyError) -> SecAccessControl {
        let flags: SecAccessControlCreateFlags =
            switch guardedBy {
            case .nothing: .privateKeyUsage
            case .presence: [.privateKeyUsage, .userPresence]
            case .passcode: [.privateKeyUsage, .devicePasscode]
            case .biometry: [.privateKeyUsage, .biometryAny]
            case .currentBiometry: [.privateKeyUsage, .biometryCurrentSet]
            }
        let rule = SecAccessControlCreateWithFlags(
            nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, flags.union(use), nil)
        guard let rule else { throw .failed(errSecParam) }
        return rule
    }
}
