internal import ThumbAccess

/// A name is a text on the wire, byte for byte.
extension ExactName: WireValue {
    func encode(to encoder: inout Encoder) { encoder.put(text) }
    init(from decoder: inout Decoder) throws(Refusal) { self.init(try decoder.text()) }
}
