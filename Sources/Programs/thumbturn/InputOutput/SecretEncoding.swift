import ThumbSecrets

/// How a secret's bytes are written. The encoded bytes are in locked memory of their own and are written a few at a time.
enum SecretEncoding: Sendable {
    case raw
    /// The contents of a JSON string, all ASCII; only for valid UTF-8.
    case jsonText
    case base64
    /// The same without padding.
    case bareBase64

    /// Room for encoded bytes that aren't written yet.
    private static let roomBytes = 4096
    /// The most bytes that one step writes: a scalar beyond the first plane takes two escapes.
    private static let stepBytes = 12

    /// Passes the encoded secret to `sink`, piece by piece, until `sink` returns false. Fails if no memory can be locked.
    func encode(_ secret: SecretBytes, to sink: (UnsafeRawBufferPointer) -> Bool) throws {
        try unsafe secret.withUnsafeBytes { bytes in
            if self == .raw {
                _ = unsafe sink(bytes)
                return
            }
            _ = try unsafe SecretBytes(count: Self.roomBytes) { room in
                var used = 0
                var place = 0
                while place < bytes.count {
                    switch self {
                    case .raw: place = bytes.count
                    case .jsonText: unsafe place += Self.jsonStep(bytes, place, room, &used)
                    case .base64: unsafe place += Self.base64Step(bytes, place, room, &used)
                    case .bareBase64: unsafe place += Self.base64Step(bytes, place, room, &used, isPadded: false)
                    }
                    if used > room.count - Self.stepBytes || place >= bytes.count {
                        guard unsafe sink(UnsafeRawBufferPointer(rebasing: room[..<used])) else { return }
                        used = 0
                    }
                }
            }
        }
    }

    /// Writes one scalar. Returns how many bytes of the secret it took.
    private static func jsonStep(
        _ bytes: UnsafeRawBufferPointer, _ place: Int, _ room: UnsafeMutableRawBufferPointer, _ used: inout Int
    ) -> Int {
        let (scalar, length) = unsafe UTF8Scalars.scalar(bytes, at: place)
        switch scalar {
        case 0x22, 0x5c: unsafe put([0x5c, UInt8(scalar)], room, &used)
        case 0x0a: unsafe put([0x5c, 0x6e], room, &used)
        case 0x20..<0x7f: unsafe put([UInt8(scalar)], room, &used)
        case ..<0x1_0000: unsafe escape(scalar, room, &used)
        default:
            unsafe escape(0xd800 + (scalar - 0x1_0000) >> 10, room, &used)
            unsafe escape(0xdc00 + (scalar - 0x1_0000) & 0x3ff, room, &used)
        }
        return length
    }

    private static func escape(_ unit: UInt32, _ room: UnsafeMutableRawBufferPointer, _ used: inout Int) {
        unsafe put([0x5c, 0x75], room, &used)
        for shift in [12, 8, 4, 0] as [UInt32] {
            let digit = UInt8(unit >> shift & 0xf)
            unsafe put([digit + (digit < 10 ? 0x30 : 0x57)], room, &used)
        }
    }

    private static func base64Step(
        _ bytes: UnsafeRawBufferPointer, _ place: Int, _ room: UnsafeMutableRawBufferPointer, _ used: inout Int,
        isPadded: Bool = true
    ) -> Int {
        let count = min(3, bytes.count - place)
        var group: UInt32 = 0
        for offset in 0..<3 { group = unsafe group << 8 | (offset < count ? UInt32(bytes[place + offset]) : 0) }
        for (digit, shift) in ([18, 12, 6, 0] as [UInt32]).enumerated() where isPadded || digit <= count {
            unsafe put([digit <= count ? letter(group >> shift & 0x3f) : 0x3d], room, &used)
        }
        return count
    }

    private static func letter(_ value: UInt32) -> UInt8 {
        switch UInt8(value) {
        case let digit where digit < 26: 0x41 + digit
        case let digit where digit < 52: 0x61 + digit - 26
        case let digit where digit < 62: 0x30 + digit - 52
        case 62: 0x2b
        default: 0x2f
        }
    }

    // Only one or two of a secret's bytes pass through here at a time, in registers, which is why this is an inline array and not one on
    // the heap.
    private static func put<let count: Int>(
        _ new: [count of UInt8], _ room: UnsafeMutableRawBufferPointer, _ used: inout Int
    ) {
        for index in new.indices {
            unsafe room[used] = new[index]
            used += 1
        }
    }
}
