import ThumbSecrets

/// Builds the forms of docs/STORE.md that hold no secret. Integers are big-endian, and lengths come before contents.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    init(reserving capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    mutating func byte(_ value: UInt8) { bytes.append(value) }
    mutating func integer(_ value: some FixedWidthInteger & UnsignedInteger) {
        for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }
    mutating func raw(_ value: [UInt8]) { bytes += value }
    mutating func raw(_ text: StaticString) { text.withUTF8Buffer { unsafe bytes += $0 } }
    /// Four bytes of length, then the bytes.
    mutating func counted(_ value: [UInt8]) {
        integer(UInt32(value.count))
        bytes += value
    }
    mutating func counted(_ text: String) {
        integer(UInt32(text.utf8.count))
        bytes += text.utf8
    }
}

/// Builds a form that contains keys, directly in locked memory.
struct SecretWriter {
    private enum Part {
        case plain([UInt8])
        case secret(SecretBytes)
    }
    private var parts: [Part] = []
    private(set) var count = 0

    mutating func plain(_ bytes: [UInt8]) {
        parts.append(.plain(bytes))
        count += bytes.count
    }
    mutating func plain(_ write: (inout ByteWriter) -> Void) {
        var writer = ByteWriter()
        write(&writer)
        plain(writer.bytes)
    }
    mutating func secret(_ bytes: SecretBytes) {
        parts.append(.secret(bytes))
        count += bytes.count
    }

    func finished() throws -> SecretBytes {
        try unsafe SecretBytes(count: count) { room in
            var offset = 0
            for part in parts {
                switch part {
                case .plain(let bytes):
                    unsafe UnsafeMutableRawBufferPointer(rebasing: room[offset...]).copyBytes(from: bytes)
                    offset += bytes.count
                case .secret(let secret):
                    unsafe secret.withUnsafeBytes {
                        unsafe UnsafeMutableRawBufferPointer(rebasing: room[offset...]).copyMemory(from: $0)
                    }
                    offset += secret.count
                }
            }
        }
    }
}
