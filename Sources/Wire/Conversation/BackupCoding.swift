internal import ThumbAccess

// The forms of what comes of an export or import on the wire.

extension ExportTally: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(looked)
        encoder.put(exported)
        encoder.put(left.sorted { $0.key.rawValue < $1.key.rawValue }) { encoder, entry in
            encoder.put(entry.key)
            encoder.put(entry.value)
        }
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        self.init(looked: try decoder.u64(), exported: try decoder.u64())
        for _ in 0..<(try decoder.count()) {
            let reason: StayingBehind = try decoder.choice()
            guard left.updateValue(try decoder.u64(), forKey: reason) == nil else { throw .malformed }
        }
    }
}

extension ImportTally: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(added)
        encoder.put(replaced)
        encoder.put(present)
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        self.init(added: try decoder.u64(), replaced: try decoder.u64(), present: try decoder.u64())
    }
}
