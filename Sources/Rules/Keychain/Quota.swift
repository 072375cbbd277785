import ThumbAccess

extension Keychain {
    /// Refuses a change that would make the store hold more than it may. A change that needs no more room is never refused.
    func checkQuota(_ items: UInt64, bytes: Int) throws(KeychainFailure) {
        guard items > 0 || bytes > 0 else { return }
        guard quota.allows(items, bytes: UInt64(bytes), beside: try store.usage) else { throw .quotaReached }
    }
}
