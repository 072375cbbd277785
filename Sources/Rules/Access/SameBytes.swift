extension String {
    /// Whether both are the same byte for byte: `==` takes texts for equal that look alike, and here those are different names.
    public func hasSameBytes(as other: String) -> Bool {
        let (own, other) = (utf8.span, other.utf8.span)
        guard own.count == other.count else { return false }
        for index in own.indices where own[index] != other[index] { return false }
        return true
    }
}

extension [String] {
    /// Each text once, in order; of texts that look alike, each.
    public var distinctByBytes: [String] {
        reduce(into: []) { kept, text in if !kept.contains(where: text.hasSameBytes) { kept.append(text) } }
    }
}
