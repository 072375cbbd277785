import CThumbLinux
import CThumbSystemd
import ThumbSecrets

/// How much of a message may still be read, and how.
struct ReadingBudget {
    var values: Int
    /// Bytes of all texts and arrays of bytes.
    var bytes = Int.max
    /// Bytes of one text.
    var text = BusLimit.text
    /// Whether arrays of bytes are secrets. They are erased from the message once they are read.
    var hasSecrets = false
    /// Whether something was refused for its size alone.
    private(set) var isOver = false

    /// Whether one more value may be read, so many containers deep.
    mutating func takeValue(depth: Int) -> Bool {
        if values == 0 || depth >= BusLimit.depth { isOver = true } else { values -= 1 }
        return !isOver
    }

    /// Whether so many bytes may be read.
    mutating func take(_ count: Int, atMost limit: Int) -> Bool {
        if count > limit || count > bytes { isOver = true } else { bytes -= count }
        return !isOver
    }
}

extension MessageCoding {
    static func values(of message: OpaquePointer, limit: Int) throws(BusError) -> [BusValue] {
        var budget = ReadingBudget(values: limit)
        return try unsafe values(of: message, &budget)
    }

    /// All values from here to the end of the level.
    static func values(
        of message: OpaquePointer, _ budget: inout ReadingBudget, depth: Int = 0
    ) throws(BusError) -> [BusValue] {
        var values: [BusValue] = []
        while let value = try unsafe value(message, depth, &budget) { values.append(value) }
        return values
    }

    /// The next value at this level; nil at its end.
    static func value(
        _ message: OpaquePointer, _ depth: Int, _ budget: inout ReadingBudget
    ) throws(BusError) -> BusValue? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        let status = unsafe sd_bus_message_peek_type(message, &type, &contents)
        guard status >= 0 else { throw BusError(.malformed, number: status) }
        if status == 0 { return nil }
        guard budget.takeValue(depth: depth) else { throw BusError(.malformed) }
        switch UInt8(bitPattern: type) {
        case UInt8(ascii: "y"): return .byte(try unsafe number(message, type, 0))
        case UInt8(ascii: "b"): return .bool(try unsafe number(message, type, Int32(0)) != 0)
        case UInt8(ascii: "n"): return .int16(try unsafe number(message, type, 0))
        case UInt8(ascii: "q"): return .uint16(try unsafe number(message, type, 0))
        case UInt8(ascii: "i"): return .int32(try unsafe number(message, type, 0))
        case UInt8(ascii: "u"): return .uint32(try unsafe number(message, type, 0))
        case UInt8(ascii: "x"): return .int64(try unsafe number(message, type, 0))
        case UInt8(ascii: "t"): return .uint64(try unsafe number(message, type, 0))
        case UInt8(ascii: "d"): return .double(try unsafe number(message, type, 0))
        case UInt8(ascii: "s"): return .string(try unsafe string(message, type, &budget))
        case UInt8(ascii: "o"): return .path(try unsafe string(message, type, &budget))
        case UInt8(ascii: "g"): return .signature(try unsafe string(message, type, &budget))
        case UInt8(ascii: "h"):
            // The message owns its descriptor and closes it, so this is a copy.
            let copy = thumb_fcntl(try unsafe number(message, type, Int32(-1)), F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else { throw BusError(.malformed) }
            return .descriptor(BusDescriptor(copy))
        case UInt8(ascii: "a"), UInt8(ascii: "v"), UInt8(ascii: "r"), UInt8(ascii: "e"):
            return try unsafe container(message, type, contents, depth, &budget)
        default:
            // A type newer than this code. Nothing that we ask for has one.
            throw BusError(.malformed)
        }
    }

    private static func container(
        _ message: OpaquePointer, _ type: CChar, _ contents: UnsafePointer<CChar>?, _ depth: Int,
        _ budget: inout ReadingBudget
    ) throws(BusError) -> BusValue {
        if UInt8(bitPattern: type) == UInt8(ascii: "a"), unsafe text(contents) == "y" {
            return try unsafe bytes(message, &budget)
        }
        try unsafe check(sd_bus_message_enter_container(message, type, contents))
        let inner = try unsafe values(of: message, &budget, depth: depth + 1)
        try unsafe check(sd_bus_message_exit_container(message))
        switch UInt8(bitPattern: type) {
        case UInt8(ascii: "a"): return .array(inner)
        case UInt8(ascii: "r"): return .structure(inner)
        case UInt8(ascii: "e"): return .entry(inner)
        default:
            guard inner.count == 1 else { throw BusError(.malformed) }
            return .variant(inner[0])
        }
    }

    private static func bytes(_ message: OpaquePointer, _ budget: inout ReadingBudget) throws(BusError) -> BusValue {
        var pointer: UnsafeRawPointer?
        var count = 0
        try unsafe check(sd_bus_message_read_array(message, CChar(bitPattern: UInt8(ascii: "y")), &pointer, &count))
        guard budget.take(count, atMost: BusLimit.bytes) else { throw BusError(.malformed) }
        let bytes = unsafe UnsafeRawBufferPointer(start: pointer, count: count)
        guard budget.hasSecrets else { return .bytes(unsafe [UInt8](bytes)) }
        // sd-bus read the message into memory that it allocated for this message alone, and nothing else looks at it any more.
        defer {
            if count > 0, let pointer = unsafe pointer {
                unsafe explicit_bzero(UnsafeMutableRawPointer(mutating: pointer), count)
            }
        }
        do {
            return .secret(try unsafe SecretBytes(copying: bytes))
        } catch {
            throw BusError(.noRoom)
        }
    }

    private static func number<Number>(_ message: OpaquePointer, _ type: CChar, _ zero: Number) throws(BusError) -> Number {
        var number = zero
        let status = unsafe withUnsafeMutablePointer(to: &number) { unsafe sd_bus_message_read_basic(message, type, $0) }
        try check(status)
        return number
    }

    static func string(
        _ message: OpaquePointer, _ type: CChar, _ budget: inout ReadingBudget
    ) throws(BusError) -> String {
        var pointer: UnsafePointer<CChar>?
        let status = unsafe withUnsafeMutablePointer(to: &pointer) { unsafe sd_bus_message_read_basic(message, type, $0) }
        try check(status)
        guard let pointer = unsafe pointer, budget.take(unsafe strnlen(pointer, budget.text + 1), atMost: budget.text) else {
            throw BusError(.malformed)
        }
        return unsafe String(cString: pointer)
    }

    @safe private static func check(_ status: Int32) throws(BusError) {
        guard status >= 0 else { throw BusError(.malformed, number: status) }
    }
}
