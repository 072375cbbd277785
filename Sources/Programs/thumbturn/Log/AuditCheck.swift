import ThumbAccess
import ThumbClient

/// Checks whether the audit is as it was written.
enum AuditCheck {
    static func outcome(_ scope: AuditScope) throws(Failure) -> Outcome {
        let report: AuditReport
        do throws(KeychainFailure) {
            report = try DeviceClient.shared.verifyAudit(scope)
        } catch {
            throw Failure(error, about: .log)
        }
        guard report.isSound else { throw .logBroken(whatIsBroken(report)) }
        let dropped = report.chains.flatMap { chain in chain.dropped.map { (chain, $0) } }
        return Outcome(
            lines: [Notice.logIsSound(records: report.records).text] + dropped.map(dropped(by:of:)),
            json: .object([
                ("sound", .flag(true)), ("records", .number(Int64(report.records))),
                ("dropped", .list(dropped.map { json($0, $1) })),
            ]))
    }

    /// How many broken records are listed.
    private static let namedRecords = 10

    private static func whatIsBroken(_ report: AuditReport) -> String {
        if report.broken > 0 {
            let named = report.chains.flatMap { chain in
                chain.broken.map { "\($0) of \(SafeText(chain.name.isEmpty ? "earlier records" : chain.name, limit: 30))" }
            }.prefix(namedRecords)
            let rest = report.broken - UInt64(named.count)
            let more = rest > 0 ? " and \(rest) more" : ""
            return report.broken == 1
                ? "record \(named[0]) is altered or missing"
                : "records \(named.joined(separator: ", "))\(more) are altered or missing"
        }
        return report.areChainsWhole
            ? "its end is missing" : "the records of a program are missing, or were put back as they once were"
    }

    private static func dropped(by chain: AuditReport.Chain, of dropped: AuditReport.Dropped) -> String {
        "Dropped because the log was full: \(SafeText(chain.name, limit: 30)): "
            + "\(dropped.event.map(AuditNames.what) ?? "unreadable") ×\(dropped.count), "
            + "\(Dates.local(dropped.since)) to \(Dates.local(dropped.until))"
    }

    private static func json(_ chain: AuditReport.Chain, _ dropped: AuditReport.Dropped) -> JSON {
        .object([
            ("program", .text(chain.name)), ("ring", .text(AuditNames.ring(chain.ring))),
            ("event", .text(dropped.event.map(AuditNames.what) ?? "unreadable")),
            ("count", .number(Int64(clamping: dropped.count))),
            ("since", .text(Dates.universal(dropped.since))), ("until", .text(Dates.universal(dropped.until))),
        ])
    }
}
