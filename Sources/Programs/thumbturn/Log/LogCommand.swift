internal import ThumbAccess
internal import ThumbClient

extension Command {
    static let log: Command = .init(
        name: "log", summary: "show who had which secret released, and who was refused",
        discussion: [
            "Lists what was released, added, changed and removed, by which program and with which factor, and who was refused; the "
                + "latest last. Never a secret. Items are named where this program may see them, else by the beginning of a number.",
            "What every program did takes the passcode, where one is set, and is itself in the log. '--own' shows what thumbturn did "
                + "itself, and asks for nothing.",
            "Each record is sealed to the one before it. '--verify' reads all of it, and fails where a record was altered, dropped or "
                + "cut off; it tells what there was no room for, by program. An old copy of the whole store, put back whole, isn't "
                + "noticed without a TPM.",
        ],
        options: [.verifyLog, .ownRecords, .lastRecords]
    ) { invocation throws(Failure) in
        let limit = try AuditLog.number(invocation.value(.lastRecords), invocation.path)
        try Device.connect()
        let scope: AuditScope = invocation.has(.ownRecords) ? .own : .whole
        if invocation.has(.verifyLog) { return try AuditLog.verify(scope) }
        return try AuditLog.show(scope, last: limit)
    }
}

extension Command.Option {
    static let verifyLog = Command.Option(name: "verify", help: "check that nothing of it was altered or is missing")
    static let ownRecords = Command.Option(name: "own", help: "only what thumbturn did itself; takes no passcode")
    static let lastRecords = Command.Option(name: "last", help: "show so many at most; 50 unless told", value: .text("NUMBER"))
}

/// The audit, as it is printed.
private enum AuditLog {
    static func verify(_ scope: AuditScope) throws(Failure) -> Outcome {
        let report: AuditReport
        do throws(KeychainFailure) {
            report = try DeviceClient.shared.verifyAudit(scope)
        } catch {
            throw Failure(error, "log")
        }
        guard report.isSound else {
            throw Failure("logBroken", .no, "the log is not as it was written", advice: whatIsBroken(report))
        }
        let dropped = report.chains.flatMap { chain in chain.dropped.map { (chain, $0) } }
        return Outcome(
            ["\(report.records) \(report.records == 1 ? "record" : "records"), each as it was written, none missing"]
                + dropped.map(dropped(by:of:)),
            json: .object([
                ("sound", .flag(true)), ("records", .number(Int64(report.records))),
                ("dropped", .list(dropped.map { json($0, $1) })),
            ]))
    }

    private static func whatIsBroken(_ report: AuditReport) -> String {
        if report.broken > 0 {
            let named = report.chains.flatMap { chain in
                chain.broken.map { "\($0) of \(SafeText(chain.name.isEmpty ? "earlier records" : chain.name, limit: 30))" }
            }.prefix(10)
            let rest = report.broken - UInt64(named.count)
            return "altered or missing: \(named.joined(separator: ", "))" + (rest > 0 ? " and \(rest) more" : "")
        }
        return report.areChainsWhole ? "its end is missing" : "what one program did is missing, or was put back as it once was"
    }

    private static func dropped(by chain: AuditReport.Chain, of dropped: AuditReport.Dropped) -> String {
        "no room any more: \(SafeText(chain.name, limit: 30)): \(dropped.event.map(what) ?? "unreadable") ×\(dropped.count), "
            + "\(Dates.local(dropped.since)) to \(Dates.local(dropped.until))"
    }

    private static func json(_ chain: AuditReport.Chain, _ dropped: AuditReport.Dropped) -> JSON {
        .object([
            ("program", .text(chain.name)), ("ring", .text(ring(chain.ring))),
            ("event", .text(dropped.event.map(what) ?? "unreadable")), ("count", .number(Int64(clamping: dropped.count))),
            ("since", .text(Dates.universal(dropped.since))), ("until", .text(Dates.universal(dropped.until))),
        ])
    }

    static func show(_ scope: AuditScope, last limit: Int) throws(Failure) -> Outcome {
        var records: [AuditRecord] = []
        do throws(KeychainFailure) {
            try DeviceClient.shared.audit(scope) { page in
                records += page
                if records.count > 2 * limit + 4096 { records = latest(limit, of: records) }
            }
        } catch {
            throw Failure(error, "log")
        }
        records = latest(limit, of: records)
        var names = ItemNames()
        let rows = records.map { row($0, names.name(of: $0)) }
        let heads = ["WHEN", "WHAT", "OUTCOME", "SHOWN", "PROGRAM", "ITEM"]
        return Outcome(
            rows.isEmpty ? [] : Columns.lines([heads] + rows), json: .object([("records", .list(records.map(json)))]),
            notices: rows.isEmpty ? ["Nothing has happened yet."] : [])
    }

    /// Each program's records come in their order; together they are told by their dates.
    private static func latest(_ limit: Int, of records: [AuditRecord]) -> [AuditRecord] {
        let sorted = records.enumerated().sorted { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }
        return sorted.suffix(limit).map(\.element)
    }

    static func number(_ text: String?, _ path: [String]) throws(Failure) -> Int {
        guard let text else { return 50 }
        guard let number = Int(text), (1...65_536).contains(number) else {
            throw .usage("--last takes a number from 1 to 65536", path)
        }
        return number
    }

    private static func row(_ record: AuditRecord, _ item: String) -> [String] {
        [
            Dates.local(record.date), what(record.event) + (record.times > 1 ? " ×\(record.times)" : ""),
            outcome(record.failure), factors(record.factors).joined(separator: "+"),
            CallerClasses.named(SafeText(record.name, limit: 30).description, record.kind),
            SafeText(item, limit: 40).description,
        ]
    }

    private static func json(_ record: AuditRecord) -> JSON {
        .object([
            ("number", .number(Int64(record.number))), ("date", .text(Dates.universal(record.date))),
            ("event", .text(what(record.event))), ("outcome", .text(outcome(record.failure))),
            ("shown", .list(factors(record.factors).map { .text($0) })), ("times", .number(Int64(record.times))),
            ("user", .number(Int64(record.uid))), ("program", .text(record.name)),
            ("class", .text(CallerClasses.name(record.kind))),
            ("ring", .text(ring(record.ring))), ("item", .optional(record.item.map(ItemNames.hexadecimal))),
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

    private static func ring(_ ring: AuditRing) -> String {
        switch ring {
        case .earlier: "earlier"
        case .protection: "protection"
        case .notice: "notice"
        case .everyday: "everyday"
        }
    }

    private static func what(_ event: AuditEvent) -> String {
        switch event {
        case .released: "released"
        case .added: "added"
        case .changed: "changed"
        case .removed: "removed"
        case .evaluated: "evaluated"
        case .died: "sealed for good"
        case .passcodeSet: "passcode set"
        case .passcodeRemoved: "passcode removed"
        case .recoveryCodeMade: "recovery code made"
        case .recovered: "recovery code used"
        case .appJudged: "app judged"
        case .exported: "exported"
        case .imported: "imported"
        case .keyUsed: "key used"
        case .statementSigned: "statement signed"
        case .allowanceChanged: "allowance changed"
        case .fingerEnrolled: "finger enrolled"
        case .fingerForgotten: "finger forgotten"
        case .auditRead: "log read"
        }
    }

    private static func outcome(_ failure: KeychainFailure?) -> String {
        switch failure {
        case nil: "done"
        case .userCanceled: "cancelled"
        case .authenticationFailed: "refused"
        case .interactionNotAllowed: "could not ask"
        case .damaged: "damaged"
        default: "failed"
        }
    }
}

/// The names of items that records speak of, as far as this program may see them.
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
        // What has just been removed has no name here any more.
        guard let attributes = try? DeviceClient.shared.find(query).first?.attributes else { return nil }
        for name in [AttributeName.service, .server, .label] {
            if case .text(let text)? = attributes[name], !text.isEmpty { return text }
        }
        return nil
    }
}
