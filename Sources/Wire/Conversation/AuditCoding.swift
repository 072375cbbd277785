internal import ThumbAccess

// The forms of the audit on the wire.

extension AuditRecord: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(number)
        encoder.put(date)
        encoder.put(event)
        encoder.put(failure) { $0.put($1) }
        encoder.put(factors.sorted { $0.rawValue < $1.rawValue }) { $0.put($1) }
        encoder.put(times)
        encoder.put(uid)
        encoder.put(program)
        encoder.put(kind)
        encoder.put(itemClass) { $0.put($1) }
        encoder.put(item) { $0.put($1) }
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        let number = try decoder.u64()
        let date = try decoder.double()
        let event: AuditEvent = try decoder.choice()
        let failure = try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.choice(KeychainFailure.self)
        }
        let factors = try decoder.array { (decoder: inout Decoder) throws(Refusal) in try decoder.choice(Factor.self) }
        self.init(
            number: number, date: date, event: event, failure: failure, factors: Set(factors), times: try decoder.u32(),
            uid: try decoder.u32(), program: try decoder.text(), kind: try decoder.choice(),
            itemClass: try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.choice(ItemClass.self) },
            item: try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.bytes() })
    }
}

extension AuditReport: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(first)
        encoder.put(records)
        encoder.put(broken) { $0.put($1) }
        encoder.put(endsWhereItShould)
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            first: try decoder.u64(), records: try decoder.u64(),
            broken: try decoder.array { (decoder: inout Decoder) throws(Refusal) in try decoder.u64() },
            endsWhereItShould: try decoder.bool())
    }
}
