public import ThumbAccess
import ThumbAuthentication
import ThumbSecrets

/// What an import does, and its counts so far.
public struct ImportRun: Sendable {
    /// Whether an item that exists already is replaced; otherwise it is left as it is.
    public let replaces: Bool
    /// Whether it only counts and changes nothing.
    public let countsOnly: Bool
    public fileprivate(set) var tally = ImportTally()

    public init(replaces: Bool, countsOnly: Bool) {
        self.replaces = replaces
        self.countsOnly = countsOnly
    }
}

extension Keychain {
    /// Imports a chunk's items, all or none.
    ///
    /// Fails with `damaged` if one of them is something that no export writes, with `.interactionNotAllowed` while the session is locked,
    /// `.authenticationFailed` unless the passcode was shown, and as adding does.
    public func importNext(
        _ items: [BackupItem], _ run: inout ImportRun, _ authority: Authority
    ) throws(BackupError) {
        guard items.allSatisfy(isOfAnExport) else { throw .backup(.damaged) }
        do throws(KeychainFailure) {
            try take(items, &run, authority)
        } catch {
            throw .keychain(error)
        }
    }

    private func take(_ items: [BackupItem], _ run: inout ImportRun, _ authority: Authority) throws(KeychainFailure) {
        try checkBackup(authority)
        var tally = run.tally
        var adding: [(item: StoredItem, secret: SecretBytes?)] = []
        var replacing: [(item: StoredItem, secret: SecretBytes?)] = []
        var names: Set<[UInt8]> = []
        for backup in items {
            if !store.isOpen(backup.rule.accessibility.keyClass) { throw .interactionNotAllowed }
            var item = StoredItem(
                id: try store.makeItemID(), itemClass: backup.itemClass, group: backup.group, rule: backup.rule,
                attributes: backup.attributes, hasSecret: backup.secret != nil)
            for name in item.itemClass.uniqueAttributes where item.attributes[name] == nil {
                item.attributes[name] = item.itemClass.emptyValue(of: name)
            }
            // If one chunk has two items with the same name, the first counts, as with two chunks.
            let holder = names.insert(item.uniqueness).inserted ? try livingHolder(of: item, authority) : item
            guard let holder else {
                tally.added += 1
                adding.append((item, backup.secret))
                continue
            }
            // A key in a custodian can't be made again, so nothing may replace it.
            guard run.replaces, holder.id != item.id, !holder.isEnclaveKey else {
                tally.present += 1
                continue
            }
            tally.replaced += 1
            item.id = holder.id
            item.generation = holder.generation + 1
            replacing.append((item, backup.secret))
        }
        if !run.countsOnly && !(adding.isEmpty && replacing.isEmpty) {
            let bytes = (adding + replacing).reduce(0) { $0 + $1.item.attributes.byteCount + ($1.secret?.count ?? 0) }
            try checkQuota(UInt64(adding.count), bytes: bytes)
            try store.write(adding: adding, replacing: replacing)
        }
        run.tally = tally
    }

    /// Whether an export could have written it. The passphrase proves who sealed a file, not that this program wrote it.
    private func isOfAnExport(_ item: BackupItem) -> Bool {
        // Callers' group names are made safe to show, so none begins with a control character.
        guard item.itemClass != .identity, let first = item.group.utf8.first, first >= 0x20, item.group != Self.tokenGroup,
            Self.reasonToStay(item.rule) == nil
        else { return false }
        // The first three are kept elsewhere and never stored among the others. Only a custodian may write the last one.
        for name in [AttributeName.group, .accessible, .accessControl, .custodian] where item.attributes[name] != nil {
            return false
        }
        for case .date(let date) in item.attributes.values where !date.isFinite { return false }
        do {
            try checkSizes(item.attributes)
            try checkSync(item.attributes, item.rule)
            return true
        } catch {  // Both checks look only at sizes and at the rule. No export writes what they refuse.
            return false
        }
    }
}
