public import ThumbAccess

// The audit, page by page, and whether all of it is still there.

/// Reads a page of the audit, beginning at the place that the page before it named; 0 is the beginning.
public struct ReadAudit: Call {
    public static let wireKind = WordKind.readAudit
    public typealias Reply = AuditAnswer

    public let scope: AuditScope
    public let place: UInt64

    public init(_ scope: AuditScope, from place: UInt64) { (self.scope, self.place) = (scope, place) }
    public func encode(to encoder: inout Encoder) { encoder.put(scope, place) }
    public init(from decoder: inout Decoder) throws(Refusal) { self.init(try decoder.value(), from: try decoder.value()) }
}

/// A page of the audit.
public struct AuditAnswer: Word, Hashable {
    public static let wireKind = WordKind.auditPage

    /// Where the next page begins; nil after the last.
    public var next: UInt64?
    public var records: [AuditRecord]

    public init(_ records: [AuditRecord], next: UInt64?) {
        self.records = records
        self.next = next
    }

    public func encode(to encoder: inout Encoder) { encoder.put(next, records) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        next = try decoder.value()
        records = try decoder.value()
    }
}

extension AuditRecord: WireValue {
    public func encode(to encoder: inout Encoder) {
        encoder.put(number, ring, date, event, failure, factors.sorted { $0.rawValue < $1.rawValue })
        encoder.put(times, uid, name, program, kind, itemClass, item, reference)
    }

    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            number: try decoder.value(), ring: try decoder.value(), date: try decoder.value(), event: try decoder.value(),
            failure: try decoder.value(), factors: try Self.factors(from: &decoder), times: try decoder.value(),
            uid: try decoder.value(), name: try decoder.value(), program: try decoder.value(), kind: try decoder.value(),
            itemClass: try decoder.value(), item: try decoder.value(), reference: try decoder.value())
    }

    /// Each factor at most once, or one record would have many forms.
    private static func factors(from decoder: inout Decoder) throws(Refusal) -> Set<Factor> {
        let listed = try decoder.value([Factor].self)
        let factors = Set(listed)
        guard factors.count == listed.count else { throw .malformed }
        return factors
    }
}

/// Asks whether the audit is complete and unaltered.
public struct VerifyAudit: Call {
    public static let wireKind = WordKind.verifyAudit
    public typealias Reply = AuditReport

    public let scope: AuditScope

    public init(_ scope: AuditScope) { self.scope = scope }
    public func encode(to encoder: inout Encoder) { encoder.put(scope) }
    public init(from decoder: inout Decoder) throws(Refusal) { scope = try decoder.value() }
}

extension AuditReport: Word {
    public static let wireKind = WordKind.auditReport

    public func encode(to encoder: inout Encoder) { encoder.put(areChainsWhole, chains) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(areChainsWhole: try decoder.value(), chains: try decoder.value())
    }
}

extension AuditReport.Chain: WireValue {
    public func encode(to encoder: inout Encoder) {
        encoder.put(ring, program, name, kind, uid, records, brokenCount, broken, endsWhereItShould, dropped)
    }

    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            ring: try decoder.value(), program: try decoder.value(), name: try decoder.value(), kind: try decoder.value(),
            uid: try decoder.value(), records: try decoder.value(), brokenCount: try decoder.value(),
            broken: try decoder.value(), endsWhereItShould: try decoder.value(), dropped: try decoder.value())
    }
}

extension AuditReport.Dropped: WireValue {
    public func encode(to encoder: inout Encoder) { encoder.put(event?.rawValue ?? 0, count, since, until) }

    public init(from decoder: inout Decoder) throws(Refusal) {
        let number = try decoder.value(UInt8.self)
        let event = AuditEvent(rawValue: number)
        guard number == 0 || event != nil else { throw .malformed }
        self.init(event: event, count: try decoder.value(), since: try decoder.value(), until: try decoder.value())
    }
}
