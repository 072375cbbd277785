import LocalAuthentication

/// Puts an item in the place of another without a moment in which there is none: it never deletes first and adds then.
struct Replacement {
    /// How many rounds to try against others that add and remove the same item. Past this somebody does nothing else.
    static let rounds = 8

    /// Changes the item, in one transaction of the keychain's.
    let update: () -> OSStatus
    /// Adds one where there is none.
    let add: () -> OSStatus

    /// The status of the call that settled it.
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
