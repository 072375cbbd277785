import LocalAuthentication

/// Replaces an item by another without a moment in which there is none: it never deletes before it adds.
struct Replacement {
    /// How many rounds to try against others that add and remove the same item. More would mean that somebody does nothing else.
    static let rounds = 8

    /// Changes the item, in one keychain transaction.
    let update: () -> OSStatus
    /// Adds an item if there is none.
    let add: () -> OSStatus

    /// Returns the status of the call that settled it.
    func run() -> OSStatus {
        var status = errSecSuccess
        for _ in 0..<Self.rounds {
            status = update()
            if status != errSecItemNotFound { return status }
            status = add()
            if status != errSecDuplicateItem { return status }
        }
        return status
    }
}
