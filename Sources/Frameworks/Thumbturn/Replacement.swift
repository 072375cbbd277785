import LocalAuthentication

/// Putting an item in the place of another without a moment at which there is none: never delete, then add.
struct Replacement {
    /// Rounds against others who add and remove the same item meanwhile; past this somebody does nothing else.
    static let rounds = 8

    /// Changes the item that is there, in one transaction of the keychain's.
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
