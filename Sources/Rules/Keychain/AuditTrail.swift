public import ThumbAccess

/// Where what happened is written down.
public protocol AuditTrail: AnyObject {
    /// Notes what happened; on disk within a second, and before any later write is acknowledged.
    func note(_ record: AuditRecord)
    /// Runs a write with its records: all of it is on disk when it returns, nothing if it fails.
    func noting<Result>(
        _ records: [AuditRecord], _ write: () throws(KeychainFailure) -> Result
    ) throws(KeychainFailure) -> Result
    /// Puts what waits on disk.
    func flush() throws(KeychainFailure)
    /// Records from that number on, at most `limit`; damaged ones are left out.
    func records(from number: UInt64, limit: Int) throws(KeychainFailure) -> [AuditRecord]
    /// Reads the whole chain.
    func verifyAudit() throws(KeychainFailure) -> AuditReport
}

extension AuditRecord {
    /// Items of one call that are named one by one: past that, a list of names is noise that pushes older records out.
    private static let namedItems = 16

    /// One record an item, and one for the rest of many.
    static func each(_ event: AuditEvent, _ items: [StoredItem], _ authority: Authority, _ date: Double) -> [AuditRecord] {
        var records = items.prefix(namedItems).map { AuditRecord(event, $0, authority, date) }
        if items.count > namedItems {
            var rest = AuditRecord(event, nil, authority, date)
            rest.times = UInt32(clamping: items.count - namedItems)
            records.append(rest)
        }
        return records
    }

    init(_ event: AuditEvent, _ item: StoredItem?, _ authority: Authority, _ date: Double, failure: KeychainFailure? = nil) {
        self.init(
            date: date, event: event, failure: failure, factors: authority.given, uid: authority.caller.uid,
            program: authority.caller.name, kind: authority.caller.kind, itemClass: item?.itemClass, item: item?.id.bytes)
    }
}
