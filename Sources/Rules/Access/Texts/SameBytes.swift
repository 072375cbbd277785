extension String {
    /// Whether both are the same byte for byte. `==` also calls texts equal that merely look alike.
    public func hasSameBytes(as other: String) -> Bool {
        let (own, other) = (utf8.span, other.utf8.span)
        guard own.count == other.count else { return false }
        for index in own.indices where own[index] != other[index] { return false }
        return true
    }
}
