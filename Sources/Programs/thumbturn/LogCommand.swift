internal import ThumbAccess
internal import ThumbClient

extension Command {
    static let log: Command = .init(
        name: "log", summary: "show who had which secret released, and who was refused",
        discussion: [
            "Lists what was released, added, changed and removed, by which program and with which factor, and who was refused; the "
                + "latest last. Never a secret. Items are named where this program may see them, else by the beginning of a number.",
            "Each record is sealed to the one before it. '--verify' reads the whole chain, and fails where a record was altered, "
                + "dropped or cut off. An old copy of the whole store, put back whole, isn't noticed.",
        ],
        options: [.verifyLog, .lastRecords]
    ) { invocation throws(Failure) in
        try Device.connect()
        if invocation.has(.verifyLog) { return try AuditLog.verify() }
        return try AuditLog.show(last: invocation.value(.lastRecords), invocation.path)
    }
}

extension Command.Option {
    static let verifyLog = Command.Option(name: "verify", help: "check that nothing of it was altered or is missing")
    static let lastRecords = Command.Option(name: "last", help: "show so many at most; 50 unless told", value: .text("NUMBER"))
}

/// The audit, as it is printed.
private enum AuditLog {
    static func verify() throws(Failure) -> Outcome {
        let report: AuditReport
        do throws(KeychainFailure) {
            report = try DeviceClient.shared.verifyAudit()
        } catch {
            throw Failure(error, "log")
        }
        guard report.isSound else {
            let broken = report.broken.prefix(10).map(String.init).joined(separator: ", ")
            throw Failure(
                "logBroken", .no, "the log is not as it was written",
                advice: report.broken.isEmpty
                    ? "its end is missing"
                    : "altered or missing: \(broken)" + (report.broken.count > 10 ? " and \(report.broken.count - 10) more" : ""))
        }
        return Outcome(
            ["\(report.records) \(report.records == 1 ? "record" : "records"), each as it was written, none missing"],
            json: .object([
                ("sound", .flag(true)), ("records", .number(Int64(report.records))), ("first", .number(Int64(report.first))),
            ]))
    }

    static func show(last: String?, _ path: [String]) throws(Failure) -> Outcome {
        let limit = try number(last, path)
        var records: [AuditRecord] = []
        do throws(KeychainFailure) {
            var next: UInt64 = 0
            while case let page = try DeviceClient.shared.audit(from: next), let latest = page.last {
                records = Array((records + page).suffix(limit))
                next = latest.number + 1
            }
        } catch {
            throw Failure(error, "log")
        }
        var names = ItemNames()
        let rows = records.map { row($0, names.name(of: $0)) }
        let heads = ["WHEN", "WHAT", "OUTCOME", "SHOWN", "PROGRAM", "ITEM"]
        return Outcome(
            rows.isEmpty ? [] : Columns.lines([heads] + rows), json: .object([("records", .list(records.map(json)))]),
            notices: rows.isEmpty ? ["Nothing has happened yet."] : [])
    }

    private static func number(_ text: String?, _ path: [String]) throws(Failure) -> Int {
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
            CallerClasses.named(SafeText(record.program, limit: 30).description, record.kind),
            SafeText(item, limit: 40).description,
        ]
    }

    private static func json(_ record: AuditRecord) -> JSON {
        .object([
            ("number", .number(Int64(record.number))), ("date", .text(Dates.universal(record.date))),
            ("event", .text(what(record.event))), ("outcome", .text(outcome(record.failure))),
            ("shown", .list(factors(record.factors).map { .text($0) })), ("times", .number(Int64(record.times))),
            ("user", .number(Int64(record.uid))), ("program", .text(record.program)),
            ("class", .text(CallerClasses.name(record.kind))),
            ("item", .optional(record.item.map(ItemNames.hexadecimal))),
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
        guard let id = record.item, let itemClass = record.itemClass else { return "" }
        if let name = known[id] { return name }
        let name = lookUp(id, itemClass) ?? String(Self.hexadecimal(id).prefix(8)) + "…"
        known[id] = name
        return name
    }

    private func lookUp(_ id: [UInt8], _ itemClass: ItemClass) -> String? {
        let query = Query(itemClass: nil, sync: .any, persistentRef: Array(letters(itemClass).utf8) + id, shape: .attributes)
        // What isn't there any more, or isn't this program's to see, has no name here.
        guard let attributes = try? DeviceClient.shared.find(query).first?.attributes else { return nil }
        for name in [AttributeName.service, .server, .label] {
            if case .text(let text)? = attributes[name], !text.isEmpty { return text }
        }
        return nil
    }

    private func letters(_ itemClass: ItemClass) -> String {
        switch itemClass {
        case .genericPassword: "genp"
        case .internetPassword: "inet"
        case .certificate: "cert"
        case .key: "keys"
        case .identity: "idnt"
        }
    }
}
