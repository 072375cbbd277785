import CThumbLinux
import CThumbSystemd

/// A message that came in, its sender stamped by the bus.
public struct BusMessage: Sendable {
    public let sender: String
    public let path: String
    public let interface: String
    public let member: String
    public let values: [BusValue]
}

/// A call to make.
public struct BusCall: Sendable {
    public var destination: String
    public var path: String
    public var interface: String
    public var member: String
    /// Basic values, texts within a variant, arrays of paths. No call of ours needs more.
    public var values: [BusValue]

    public init(_ destination: String, _ path: String, _ interface: String, _ member: String, _ values: [BusValue] = []) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.values = values
    }
}

/// Reading and writing sd-bus's messages.
@unsafe enum MessageCoding {
    static func text(_ pointer: UnsafePointer<CChar>?) -> String { unsafe pointer.map { unsafe String(cString: $0) } ?? "" }

    // MARK: Writing

    static func append(_ value: BusValue, to message: OpaquePointer) throws(BusError) {
        let status: Int32 =
            switch value {
            case .byte(let number): unsafe basic(message, "y", number)
            case .bool(let flag): unsafe basic(message, "b", Int32(flag ? 1 : 0))
            case .int16(let number): unsafe basic(message, "n", number)
            case .uint16(let number): unsafe basic(message, "q", number)
            case .int32(let number): unsafe basic(message, "i", number)
            case .uint32(let number): unsafe basic(message, "u", number)
            case .int64(let number): unsafe basic(message, "x", number)
            case .uint64(let number): unsafe basic(message, "t", number)
            case .double(let number): unsafe basic(message, "d", number)
            case .string(let text): unsafe sd_bus_message_append_basic(message, code("s"), text)
            case .path(let text): unsafe sd_bus_message_append_basic(message, code("o"), text)
            case .signature(let text): unsafe sd_bus_message_append_basic(message, code("g"), text)
            case .variant(.string(let text)): unsafe variant(text, in: message)
            case .array(let paths): unsafe self.paths(paths, in: message)
            case .bytes, .structure, .entry, .descriptor, .variant: -EINVAL
            }
        guard status >= 0 else { throw BusError(.failed, number: status) }
    }

    private static func variant(_ text: String, in message: OpaquePointer) -> Int32 {
        var status = unsafe sd_bus_message_open_container(message, code("v"), "s")
        if status >= 0 { status = unsafe sd_bus_message_append_basic(message, code("s"), text) }
        return status >= 0 ? unsafe sd_bus_message_close_container(message) : status
    }

    private static func paths(_ paths: [BusValue], in message: OpaquePointer) -> Int32 {
        var status = unsafe sd_bus_message_open_container(message, code("a"), "o")
        for value in paths where status >= 0 {
            guard case .path(let path) = value else { return -EINVAL }
            status = unsafe sd_bus_message_append_basic(message, code("o"), path)
        }
        return status >= 0 ? unsafe sd_bus_message_close_container(message) : status
    }

    private static func code(_ scalar: Unicode.Scalar) -> CChar { CChar(bitPattern: UInt8(ascii: scalar)) }

    private static func basic<Number>(_ message: OpaquePointer, _ type: Unicode.Scalar, _ number: Number) -> Int32 {
        unsafe withUnsafePointer(to: number) { unsafe sd_bus_message_append_basic(message, code(type), $0) }
    }

    // MARK: Reading

    static func values(of message: OpaquePointer, limit: Int) throws(BusError) -> [BusValue] {
        var budget = limit
        return try unsafe values(message, depth: 0, &budget)
    }

    private static func values(_ message: OpaquePointer, depth: Int, _ budget: inout Int) throws(BusError) -> [BusValue] {
        var values: [BusValue] = []
        while let value = try unsafe value(message, depth, &budget) { values.append(value) }
        return values
    }

    /// The next value at this level; nil at its end.
    private static func value(_ message: OpaquePointer, _ depth: Int, _ budget: inout Int) throws(BusError) -> BusValue? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        let status = unsafe sd_bus_message_peek_type(message, &type, &contents)
        guard status >= 0 else { throw BusError(.malformed, number: status) }
        if status == 0 { return nil }
        budget -= 1
        guard budget >= 0, depth < BusLimit.depth else { throw BusError(.malformed) }
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
        case UInt8(ascii: "s"): return .string(try unsafe string(message, type))
        case UInt8(ascii: "o"): return .path(try unsafe string(message, type))
        case UInt8(ascii: "g"): return .signature(try unsafe string(message, type))
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
        _ message: OpaquePointer, _ type: CChar, _ contents: UnsafePointer<CChar>?, _ depth: Int, _ budget: inout Int
    ) throws(BusError) -> BusValue {
        if UInt8(bitPattern: type) == UInt8(ascii: "a"), unsafe text(contents) == "y" { return .bytes(try unsafe bytes(message)) }
        try unsafe check(sd_bus_message_enter_container(message, type, contents))
        let inner = try unsafe values(message, depth: depth + 1, &budget)
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

    private static func bytes(_ message: OpaquePointer) throws(BusError) -> [UInt8] {
        var pointer: UnsafeRawPointer?
        var count = 0
        try unsafe check(sd_bus_message_read_array(message, code("y"), &pointer, &count))
        guard count <= BusLimit.bytes else { throw BusError(.malformed) }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: pointer, count: count))
    }

    private static func number<Number>(_ message: OpaquePointer, _ type: CChar, _ zero: Number) throws(BusError) -> Number {
        var number = zero
        let status = unsafe withUnsafeMutablePointer(to: &number) { unsafe sd_bus_message_read_basic(message, type, $0) }
        try check(status)
        return number
    }

    private static func string(_ message: OpaquePointer, _ type: CChar) throws(BusError) -> String {
        var pointer: UnsafePointer<CChar>?
        let status = unsafe withUnsafeMutablePointer(to: &pointer) { unsafe sd_bus_message_read_basic(message, type, $0) }
        try check(status)
        guard let pointer = unsafe pointer, unsafe strnlen(pointer, BusLimit.text + 1) <= BusLimit.text else {
            throw BusError(.malformed)
        }
        return unsafe String(cString: pointer)
    }

    @safe private static func check(_ status: Int32) throws(BusError) {
        guard status >= 0 else { throw BusError(.malformed, number: status) }
    }
}
