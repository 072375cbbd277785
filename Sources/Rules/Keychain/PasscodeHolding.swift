public import ThumbAccess
import ThumbAuthentication

extension Keychain {
    /// How many records are counted at once. The caller lets others have their turn in between.
    static let countedRecords = 512

    /// Counts what hangs on the passcode among the next records after `place` (0: from the first). Returns the place to go on from; nil at
    /// the end. Fails as reading does.
    public func count(into hold: inout PasscodeHold, after place: Int64) throws(KeychainFailure) -> Int64? {
        let records = try store.walk(after: place, limit: Self.countedRecords)
        for (_, record) in records {
            // What is dead, erased or damaged can't be lost once more.
            guard case .item(let item) = record, !item.isDead else { continue }
            if item.rule.accessibility.keyClass == .passcode {
                hold.erased += 1
            } else if item.rule.opensOnlyWithPasscode {
                hold.closed += 1
            }
        }
        return records.count < Self.countedRecords ? nil : records.last?.place
    }
}

extension AccessRule {
    /// Whether nothing opens the item on a device without a passcode, on which neither the sensor nor a companion counts.
    fileprivate var opensOnlyWithPasscode: Bool {
        !demands.isEmpty && demands.allSatisfy { !$0.isDisjoint(with: [.biometry, .passcode, .companion]) }
    }
}
