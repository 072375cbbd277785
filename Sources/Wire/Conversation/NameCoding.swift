internal import ThumbAccess

/// A name is a text on the wire, byte for byte.
extension ExactName: WireValue {
    func encode(to encoder: inout Encoder) { encoder.put(text) }
    init(from decoder: inout Decoder) throws(Refusal) { self.init(try decoder.text()) }
}

extension ProgramWords: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(kind)
        encoder.put(name) { $0.put($1) }
        encoder.put(path) { $0.put($1) }
        encoder.put(place)
        encoder.put(claim) { $0.put($1) }
        encoder.put(process)
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        func name(_ decoder: inout Decoder) throws(Refusal) -> ExactName? {
            try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.value(ExactName.self) }
        }
        self.init(
            kind: try decoder.choice(), name: try name(&decoder), path: try name(&decoder), place: try decoder.choice(),
            claim: try name(&decoder), process: try decoder.u32())
    }
}
