import ThumbAccess
import ThumbClient

/// Prints the audit's records.
enum AuditLog {
    static func outcome(_ scope: AuditScope, last limit: Int) throws(Failure) -> Outcome {
        var records: [AuditRecord] = []
        do throws(KeychainFailure) {
            try DeviceClient.shared.audit(scope) { page in
                records += page
                if records.count > 2 * limit + 4096 { records = latest(limit, of: records) }
            }
        } catch {
            throw Failure(error, about: .log)
        }
        records = latest(limit, of: records)
        var names = ItemNames()
        let rows = records.map { row($0, names.name(of: $0)) }
        let heads = ["WHEN", "WHAT", "OUTCOME", "SHOWN", "PROGRAM", "ITEM"]
        return Outcome(
            lines: rows.isEmpty ? [] : Columns.lines([heads] + rows), json: .object([("records", .list(records.map(json)))]),
            asides: rows.isEmpty ? [.nothingLogged] : [])
    }

    /// Each program's records come in order. Together they are sorted by date.
    private static func latest(_ limit: Int, of records: [AuditRecord]) -> [AuditRecord] {
        let sorted = records.enumerated().sorted { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }
        return sorted.suffix(limit).map(\.element)
    }

    private static func row(_ record: AuditRecord, _ item: String) -> [String] {
        [
            Dates.local(record.date), AuditNames.what(record.event) + (record.times > 1 ? " ×\(record.times)" : ""),
            AuditNames.outcome(record.failure), factors(record.factors).joined(separator: "+"),
            CallerClasses.named(SafeText(record.name, limit: 30).description, record.kind),
            SafeText(item, limit: 40).description,
        ]
    }

    private static func json(_ record: AuditRecord) -> JSON {
        .object([
            ("number", .number(Int64(record.number))), ("date", .text(Dates.universal(record.date))),
            ("event", .text(AuditNames.what(record.event))), ("outcome", .text(AuditNames.outcome(record.failure))),
            ("shown", .list(factors(record.factors).map { .text($0) })), ("times", .number(Int64(record.times))),
            ("user", .number(Int64(record.uid))), ("program", .text(record.name)),
            ("class", .text(CallerClasses.name(record.kind))),
            ("ring", .text(AuditNames.ring(record.ring))), ("item", .optional(record.item.map(ItemNames.hexadecimal))),
        ])
    }

    private static func factors(_ factors: Set<Factor>) -> [String] {
        factors.sorted { $0.rawValue < $1.rawValue }.map {
            switch $0 {
            case .biometry: "sensor"
            case .passcode: "passcode"
            case .companion: "companion"
            }
        }
    }
}

/// The names of items in the records, as far as this program may see them.
private struct ItemNames {
    private var known: [[UInt8]: String] = [:]

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    mutating func name(of record: AuditRecord) -> String {
        guard let item = record.item else { return "" }
        if let name = known[item] { return name }
        let name = record.reference.flatMap(lookUp) ?? String(Self.hexadecimal(item).prefix(8)) + "…"
        known[item] = name
        return name
    }

    private func lookUp(_ reference: [UInt8]) -> String? {
        let query = Query(itemClass: nil, sync: .any, persistentRef: reference, shape: .attributes)
        // An item that has just been removed has no name any more.
        guard let attributes = try? DeviceClient.shared.find(query).first?.attributes else { return nil }
        for name in [AttributeName.service, .server, .label] {
            if case .text(let text)? = attributes[name], !text.isEmpty { return text }
        }
        return nil
    }
}
