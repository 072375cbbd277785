public import ThumbAccess

// The forms of the audit on the wire.

/// A page of the audit, as it is answered.
public struct AuditAnswer: Sendable, Hashable {
    /// Where the next page begins; nil after the last.
    public var next: UInt64?
    public var records: [AuditRecord]

    public init(_ records: [AuditRecord], next: UInt64?) {
        self.records = records
        self.next = next
    }
}

extension AuditAnswer: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(next) { $0.put($1) }
        encoder.put(records) { $0.put($1) }
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        next = try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.u64() }
        records = try decoder.array { (decoder: inout Decoder) throws(Refusal) in try decoder.value(AuditRecord.self) }
    }
}

extension AuditRecord: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(number)
        encoder.put(ring)
        encoder.put(date)
        encoder.put(event)
        encoder.put(failure) { $0.put($1) }
        encoder.put(factors.sorted { $0.rawValue < $1.rawValue }) { $0.put($1) }
        encoder.put(times)
        encoder.put(uid)
        encoder.put(name)
        encoder.put(program) { $0.put($1) }
        encoder.put(kind)
        encoder.put(itemClass) { $0.put($1) }
        encoder.put(item) { $0.put($1) }
        encoder.put(reference) { $0.put($1) }
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        let number = try decoder.u64()
        let ring: AuditRing = try decoder.choice()
        let date = try decoder.double()
        let event: AuditEvent = try decoder.choice()
        let failure = try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.choice(KeychainFailure.self)
        }
        let factors = try decoder.array { (decoder: inout Decoder) throws(Refusal) in try decoder.choice(Factor.self) }
        self.init(
            number: number, ring: ring, date: date, event: event, failure: failure, factors: Set(factors),
            times: try decoder.u32(), uid: try decoder.u32(), name: try decoder.text(),
            program: try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.bytes() },
            kind: try decoder.choice(),
            itemClass: try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.choice(ItemClass.self) },
            item: try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.bytes() },
            reference: try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.bytes() })
    }
}

extension AuditReport: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(areChainsWhole)
        encoder.put(chains) { $0.put($1) }
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            areChainsWhole: try decoder.bool(),
            chains: try decoder.array { (decoder: inout Decoder) throws(Refusal) in try decoder.value(Chain.self) })
    }
}

extension AuditReport.Chain: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(ring)
        encoder.put(program) { $0.put($1) }
        encoder.put(name)
        encoder.put(kind)
        encoder.put(uid)
        encoder.put(records)
        encoder.put(brokenCount)
        encoder.put(broken) { $0.put($1) }
        encoder.put(endsWhereItShould)
        encoder.put(dropped) { $0.put($1) }
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            ring: try decoder.choice(),
            program: try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.bytes() },
            name: try decoder.text(), kind: try decoder.choice(), uid: try decoder.u32(), records: try decoder.u64(),
            brokenCount: try decoder.u64(),
            broken: try decoder.array { (decoder: inout Decoder) throws(Refusal) in try decoder.u64() },
            endsWhereItShould: try decoder.bool(),
            dropped: try decoder.array { (decoder: inout Decoder) throws(Refusal) in
                try decoder.value(AuditReport.Dropped.self)
            })
    }
}

extension AuditReport.Dropped: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(event?.rawValue ?? 0)
        encoder.put(count)
        encoder.put(since)
        encoder.put(until)
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        let number = try decoder.u8()
        let event = AuditEvent(rawValue: number)
        guard number == 0 || event != nil else { throw .malformed }
        self.init(event: event, count: try decoder.u64(), since: try decoder.double(), until: try decoder.double())
    }
}
