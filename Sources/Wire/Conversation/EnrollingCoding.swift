internal import ThumbAccess

// The forms of fingers on the wire.

extension EnrolledFingers: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(fingers) { $0.put($1) }
        encoder.put(isSwipe)
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            fingers: try decoder.array { (decoder: inout Decoder) throws(Refusal) in try decoder.choice(Finger.self) },
            isSwipe: try decoder.bool())
    }
}

extension EnrollingProgress: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(UInt8(clamping: done))
        encoder.put(UInt8(clamping: stages))
        encoder.put(hint) { $0.put($1) }
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            done: Int(try decoder.u8()), stages: Int(try decoder.u8()),
            hint: try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.choice(RetryHint.self) })
    }
}
