/// Comparisons whose time depends only on the length.
public enum ConstantTime {
    /// Whether two public arrays are equal, for tags and codes that a caller may be guessing at.
    public static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        unsafe left.withUnsafeBytes { a in unsafe right.withUnsafeBytes { b in unsafe equal(a, b) } }
    }

    /// Whether two buffers are equal. If their lengths differ, it returns at once.
    // Not inlined, so that nothing the caller knows about the result can turn the loop into an early exit.
    @inline(never)
    @unsafe public static func equal(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in 0..<left.count {
            difference |= unsafe left[index] ^ right[index]
        }
        return difference == 0
    }
}
