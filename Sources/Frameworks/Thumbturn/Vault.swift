public import LocalAuthentication

/// An app's own secrets in the keychain, each under a name: passwords, tokens, and values of its own types.
///
/// Saving replaces an older value in one step: whatever goes wrong, either the older value or the new one is there. The daemon decides what
/// guards a secret, not this object.
///
/// A call that has to ask the owner blocks until the owner answers. In an `async` function use the form that you await; it waits on a
/// thread of its own.
public struct Vault: Sendable {
    /// What the owner must show before a secret is released.
    public enum Guard: Sendable, Hashable, CaseIterable {
        /// Nothing. The secret is released to this app whenever the device isn't locked.
        case nothing
        /// A finger, a face, or the passcode.
        case presence
        /// The passcode.
        case passcode
        /// Any enrolled finger or face.
        case biometry
        /// A finger or face that is enrolled when you save. After the enrolment changes, the secret is gone.
        case currentBiometry
    }

    /// The service of all its items in the keychain (`kSecAttrService`).
    public let service: String
    /// The access group of its items; nil is the app's own first one.
    public let accessGroup: String?
    /// What guards the secrets that you save. Earlier secrets keep their guard until you save them again.
    public var guardedBy: Guard

    /// Makes a vault for that service.
    public init(_ service: String, guardedBy: Guard = .presence, accessGroup: String? = nil) {
        self.service = service
        self.guardedBy = guardedBy
        self.accessGroup = accessGroup
    }

    // MARK: Calls

    /// Keeps `value` under `name`, in place of an older one.
    ///
    /// `Data` and `String` are kept unchanged, everything else as JSON. An older value is opened to be replaced, so the owner may have to
    /// be asked. `reason` is shown in the prompt. If enough was shown for `context` already, nobody is asked. If this fails, the older
    /// value is still there. Under `.currentBiometry` it fails with `enrolmentUnknown` on a device that can't tell the enrolment.
    public func save(
        _ value: some Encodable, as name: String, reason: String? = nil, context: LAContext? = nil
    ) throws(VaultError) {
        var new: [String: Any] = [kSecValueData as String: try VaultValue.data(value)]
        let rule = try rule()
        new[rule.key as String] = rule.value
        let query = query(name, reason, context)
        let status = Replacement(
            update: { SecItemUpdate(query as CFDictionary, new as CFDictionary) },
            add: { SecItemAdd(query.merging(new) { $1 } as CFDictionary, nil) }
        ).run()
        guard let error = VaultError(status) else { return }
        throw error == .notAuthenticated && guardedBy == .currentBiometry && UnknownEnrolment.isHere ? .enrolmentUnknown : error
    }

    /// Reads the value under `name`; nil if there is none, or if it is gone because the enrolment changed.
    ///
    /// Fails with `unreadable` if it isn't a value of that type, and otherwise depending on the owner's answer.
    public func read<Value: Decodable>(
        _ name: String, as type: Value.Type, reason: String? = nil, context: LAContext? = nil
    ) throws(VaultError) -> Value? {
        var query = query(name, reason, context)
        query[kSecReturnData as String] = true
        var result: AnyObject?
        let status = unsafe SecItemCopyMatching(query as CFDictionary, &result)
        if status == errSecItemNotFound { return nil }
        if let error = VaultError(status) { throw error }
        guard let data = result as? Data else { throw .unreadable }
        return try VaultValue.value(data, as: type)
    }

    /// Removes the value under `name` for good. Returns whether there was one. Nobody is asked, because a removed value can't be read.
    @discardableResult
    public func remove(_ name: String) throws(VaultError) -> Bool {
        let status = SecItemDelete(query(name) as CFDictionary)
        if status == errSecItemNotFound { return false }
        if let error = VaultError(status) { throw error }
        return true
    }

    /// The names that have a value, in order. Opens nothing and asks nobody.
    public func list() throws(VaultError) -> [String] {
        var query = query(nil)
        query[kSecMatchLimit as String] = kSecMatchLimitAll
        query[kSecReturnAttributes as String] = true
        var result: AnyObject?
        let status = unsafe SecItemCopyMatching(query as CFDictionary, &result)
        if status == errSecItemNotFound { return [] }
        if let error = VaultError(status) { throw error }
        let items = result as? [[String: Any]] ?? []
        return items.compactMap { $0[kSecAttrAccount as String] as? String }.sorted()
    }

    // MARK: Dictionaries

    private func query(_ name: String?, _ reason: String? = nil, _ context: LAContext? = nil) -> [String: Any] {
        var query: [String: Any] = [kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service]
        if let name { query[kSecAttrAccount as String] = name }
        if let accessGroup { query[kSecAttrAccessGroup as String] = accessGroup }
        if context != nil || reason != nil {
            let context = context ?? LAContext()
            if let reason { context.localizedReason = reason }
            query[kSecUseAuthenticationContext as String] = context
        }
        return query
    }

    /// The attribute that says what guards an item. Items stay on the device where they were saved, because access controls can't be moved.
    private func rule() throws(VaultError) -> (key: CFString, value: Any) {
        let flags: SecAccessControlCreateFlags
        switch guardedBy {
        case .nothing: return (kSecAttrAccessible, kSecAttrAccessibleWhenUnlockedThisDeviceOnly)
        case .presence: flags = .userPresence
        case .passcode: flags = .devicePasscode
        case .biometry: flags = .biometryAny
        case .currentBiometry: flags = .biometryCurrentSet
        }
        let rule = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, flags, nil)
        guard let rule else { throw .failed(errSecParam) }
        return (kSecAttrAccessControl, rule)
    }
}
