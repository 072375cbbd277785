public import Foundation
import ThumbAccess
import ThumbSecurityAPI

/// This app's stored rights. Storing a right makes a P-256 key for it, which never leaves the device and can be used as the right's
/// requirement says.
///
/// Handlers are called once, on a private queue. Calls fail with the keychain's statuses (`NSOSStatusErrorDomain`): `errSecItemNotFound`
/// for an identifier that doesn't exist, `errSecDuplicateItem` for one that exists already, `errSecUnimplemented` if nothing can hold such
/// a key. They fail with `LAError` if the device can't meet a requirement.
public final class LARightStore: NSObject, Sendable {
    /// The one store.
    public static let shared = LARightStore()

    private override init() {}

    // MARK: Finding

    /// Finds a right. It isn't authorized yet.
    @preconcurrency
    public func right(
        forIdentifier identifier: String, completion handler: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
    ) {
        answering({ (found: Found?, error) in handler(found?.right, error) }) { try Self.found(identifier) }
    }

    /// Finds a right. It isn't authorized yet.
    @discardableResult
    nonisolated(nonsending) public func right(forIdentifier identifier: String) async throws -> LAPersistedRight {
        try await answered { try Self.found(identifier) }.right
    }

    // MARK: Saving

    /// Stores a right's requirement with a new key. You get another right, which isn't authorized yet.
    @preconcurrency
    public func saveRight(
        _ right: LARight, identifier: String, completion handler: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
    ) {
        let new = NewRight(right, identifier, nil)
        answering({ (found: Found?, error) in handler(found?.right, error) }) { try new.save() }
    }

    /// Stores a right's requirement with a new key. You get another right, which isn't authorized yet.
    @discardableResult
    nonisolated(nonsending) public func saveRight(_ right: LARight, identifier: String) async throws -> LAPersistedRight {
        let new = NewRight(right, identifier, nil)
        return try await answered { try new.save() }.right
    }

    /// Stores a right's requirement with a new key and a secret, which is released as the requirement says.
    @preconcurrency
    public func saveRight(
        _ right: LARight, identifier: String, secret: Data,
        completion handler: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
    ) {
        let new = NewRight(right, identifier, secret)
        answering({ (found: Found?, error) in handler(found?.right, error) }) { try new.save() }
    }

    /// Stores a right's requirement with a new key and a secret, which is released as the requirement says.
    @discardableResult
    nonisolated(nonsending) public func saveRight(
        _ right: LARight, identifier: String, secret: Data
    ) async throws -> LAPersistedRight {
        let new = NewRight(right, identifier, secret)
        return try await answered { try new.save() }.right
    }

    // MARK: Removing

    /// Removes a right with its key and its secret, for good. Asks nobody.
    @preconcurrency
    public func removeRight(_ right: LAPersistedRight, completion handler: @escaping @Sendable ((any Error)?) -> Void) {
        let stored = right.stored
        removing(handler) { try stored.remove() }
    }

    /// Removes a right with its key and its secret, for good. Asks nobody.
    nonisolated(nonsending) public func removeRight(_ right: LAPersistedRight) async throws {
        let stored = right.stored
        try await answered { try stored.remove() }
    }

    /// Removes the right with that identifier, its key and its secret, for good. Asks nobody.
    @preconcurrency
    public func removeRight(
        forIdentifier identifier: String, completion handler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        removing(handler) { try Self.stored(identifier).remove() }
    }

    /// Removes the right with that identifier, its key and its secret, for good. Asks nobody.
    public func removeRight(forIdentifier identifier: String) async throws {
        try await answered { try Self.stored(identifier).remove() }
    }

    /// Removes every right of this app, for good. Asks nobody.
    @preconcurrency
    public func removeAllRights(completion handler: @escaping @Sendable ((any Error)?) -> Void) {
        removing(handler) { try StoredRight.removeAll() }
    }

    /// Removes every right of this app, for good. Asks nobody.
    public func removeAllRights() async throws { try await answered { try StoredRight.removeAll() } }

    private func removing(_ handler: @escaping @Sendable ((any Error)?) -> Void, _ body: @escaping @Sendable () throws -> Void) {
        answering({ (_: Void?, error) in handler(error) }, body)
    }

    private static func stored(_ identifier: String) throws -> StoredRight {
        guard let stored = try StoredRight.find(identifier) else { throw rightError(errSecItemNotFound) }
        return stored
    }

    private static func found(_ identifier: String) throws -> Found { Found(right: try LAPersistedRight(stored(identifier))) }
}

/// A right that is being returned to its caller.
private struct Found: @unchecked Sendable {
    // @unchecked: nobody else has it yet.
    let right: LAPersistedRight
}

/// The parts of a right that get stored.
private struct NewRight: Sendable {
    private let rule: AccessRule
    private let tag: Int
    private let identifier: String
    private let secret: Data?

    init(_ right: LARight, _ identifier: String, _ secret: Data?) {
        rule = right.core.rule
        tag = right.tag
        self.identifier = identifier
        self.secret = secret
    }

    func save() throws -> Found {
        let right = try LAPersistedRight(StoredRight.save(identifier, rule, secret: secret))
        right.tag = tag
        return Found(right: right)
    }
}
