public import ThumbAccess
import ThumbAuthentication
import ThumbSecrets

/// How far an export has come: its place in the store, and the counts so far.
public struct ExportRun: Sendable {
    fileprivate var place: Int64 = 0
    public fileprivate(set) var tally = ExportTally()

    public init() {}
}

extension Keychain {
    /// The next items of an export, as many as fit a chunk, and whether the store ends with them.
    ///
    /// Fails with `.interactionNotAllowed` while the session is locked, `.authenticationFailed` unless the passcode was shown, and as
    /// reading does.
    public func exportNext(
        _ run: inout ExportRun, _ authority: Authority
    ) throws(KeychainFailure) -> (items: [BackupItem], isLast: Bool) {
        try checkBackup(authority)
        var items: [BackupItem] = []
        var size = 0
        let records = try store.walk(after: run.place, limit: BackupLimit.chunkRecords)
        for (place, record) in records {
            if let item = try exported(record, &run.tally, authority) {
                size += item.size
                items.append(item)
            }
            run.place = place
            run.tally.looked += 1
            if size >= BackupLimit.chunkBytes { break }
        }
        run.tally.exported += UInt64(items.count)
        return (items, records.count < BackupLimit.chunkRecords && records.last.map { $0.place == run.place } ?? true)
    }

    /// Whether a whole backup may be made or read now: the owner must have shown the passcode.
    func checkBackup(_ authority: Authority) throws(KeychainFailure) {
        if authority.isLocked { throw .interactionNotAllowed }
        guard authority.given.contains(.passcode) else { throw .authenticationFailed }
    }

    private func exported(
        _ record: WalkedRecord, _ tally: inout ExportTally, _ authority: Authority
    ) throws(KeychainFailure) -> BackupItem? {
        let item: StoredItem
        switch record {
        case .item(let found): item = found
        case .erased:
            tally.left[.dead, default: 0] += 1
            return nil
        case .damaged:
            tally.left[.damaged, default: 0] += 1
            return nil
        }
        if let reason = Self.reasonToStay(item, authority) {
            tally.left[reason, default: 0] += 1
            return nil
        }
        var exported = BackupItem(
            itemClass: item.itemClass, group: item.group, rule: item.rule, attributes: item.attributes, secret: nil)
        guard item.hasSecret else { return exported }
        do {
            exported.secret = try store.secret(of: item)
            return exported
        } catch .damaged {
            tally.left[.damaged, default: 0] += 1
            return nil
        }
    }

    /// Why an item stays behind; nil if it is exported.
    static func reasonToStay(_ item: StoredItem, _ authority: Authority) -> StayingBehind? {
        if item.isDead { return .dead }
        if item.isEnclaveKey { return .privateKey }
        if let reason = reasonToStay(item.rule) { return reason }
        return Demands(item.rule).areMet(by: authority.given, on: authority.device) ? nil : .notShown
    }

    /// The same, as far as the rule tells by itself.
    static func reasonToStay(_ rule: AccessRule) -> StayingBehind? {
        if rule.constraints.contains(.privateKeyUsage) { return .privateKey }
        if rule.accessibility.isThisDeviceOnly { return .thisDeviceOnly }
        if rule.isBoundToEnrolment { return .currentEnrolment }
        if rule.constraints.contains(.applicationPassword) { return .applicationPassword }
        return nil
    }
}

extension BackupItem {
    /// Roughly how many bytes it takes in a chunk.
    fileprivate var size: Int { attributes.reduce(64 + group.utf8.count + (secret?.count ?? 0)) { $0 + 16 + $1.value.byteCount } }
}
