import CThumbLinux
import CThumbSystemd
import ThumbSecrets

/// Reading and writing sd-bus's messages.
@unsafe enum MessageCoding {
    static func text(_ pointer: UnsafePointer<CChar>?) -> String { unsafe pointer.map { unsafe String(cString: $0) } ?? "" }

    /// Writes values as the signature says, or as they say themselves.
    static func append(_ values: [BusValue], as signature: BusSignature?, to message: OpaquePointer) throws(BusError) {
        guard let signature else {
            for value in values { try unsafe append(value, to: message) }
            return
        }
        guard values.count == signature.types.count else { throw BusError(.failed, number: -EINVAL) }
        for (value, type) in zip(values, signature.types) { try unsafe append(value, as: type, to: message) }
    }

    /// Writes a value as it says itself. An empty array doesn't say what it is one of.
    static func append(_ value: BusValue, to message: OpaquePointer) throws(BusError) {
        try unsafe append(value, as: type(of: value), to: message)
    }

    private static func type(of value: BusValue) throws(BusError) -> BusType {
        guard let text = value.signatureText, let signature = BusSignature(text), signature.types.count == 1 else {
            throw BusError(.failed, number: -EINVAL)
        }
        return signature.types[0]
    }

    private static func append(_ value: BusValue, as type: BusType, to message: OpaquePointer) throws(BusError) {
        let status: Int32 =
            switch (Unicode.Scalar(type.code), value) {
            case ("y", .byte(let number)): unsafe basic(message, type, number)
            case ("b", .bool(let flag)): unsafe basic(message, type, Int32(flag ? 1 : 0))
            case ("n", .int16(let number)): unsafe basic(message, type, number)
            case ("q", .uint16(let number)): unsafe basic(message, type, number)
            case ("i", .int32(let number)): unsafe basic(message, type, number)
            case ("u", .uint32(let number)): unsafe basic(message, type, number)
            case ("x", .int64(let number)): unsafe basic(message, type, number)
            case ("t", .uint64(let number)): unsafe basic(message, type, number)
            case ("d", .double(let number)): unsafe basic(message, type, number)
            case ("h", .descriptor(let descriptor)): unsafe basic(message, type, descriptor.number)
            case ("s", .string(let text)), ("o", .path(let text)), ("g", .signature(let text)):
                unsafe self.text(message, type, text)
            case ("a", .bytes(let bytes)) where type.contents == "y":
                unsafe bytes.withUnsafeBytes {
                    unsafe sd_bus_message_append_array(message, CChar(UInt8(ascii: "y")), $0.baseAddress, $0.count)
                }
            case ("a", .secret(let secret)) where type.contents == "y": unsafe append(secret, to: message)
            case ("a", .array(let values)):
                try unsafe container(message, type, values, as: repeatElement(type.inner[0], count: values.count))
            case ("r", .structure(let values)), ("e", .entry(let values)):
                try unsafe container(message, type, values, as: type.inner)
            case ("v", .variant(let value)):
                try unsafe variant(message, value, self.type(of: value), value.signatureText)
            case ("v", .typedVariant(let signature, let value)) where signature.types.count == 1:
                try unsafe variant(message, value, signature.types[0], signature.text)
            default: -EINVAL
            }
        guard status >= 0 else { throw BusError(.failed, number: status) }
    }

    private static func variant(
        _ message: OpaquePointer, _ value: BusValue, _ type: BusType, _ contents: String?
    ) throws(BusError) -> Int32 {
        guard let contents else { return -EINVAL }
        let status = unsafe sd_bus_message_open_container(message, code("v"), contents)
        if status < 0 { return status }
        try unsafe append(value, as: type, to: message)
        return unsafe sd_bus_message_close_container(message)
    }

    private static func container(
        _ message: OpaquePointer, _ type: BusType, _ values: [BusValue], as types: some Collection<BusType>
    ) throws(BusError) -> Int32 {
        guard values.count == types.count else { return -EINVAL }
        let status = unsafe sd_bus_message_open_container(message, CChar(bitPattern: type.code), type.contents)
        if status < 0 { return status }
        for (value, type) in zip(values, types) { try unsafe append(value, as: type, to: message) }
        return unsafe sd_bus_message_close_container(message)
    }

    /// A text with a zero in it would be cut there without a word.
    private static func text(_ message: OpaquePointer, _ type: BusType, _ text: String) -> Int32 {
        if text.utf8.contains(0) { return -EINVAL }
        return unsafe sd_bus_message_append_basic(message, CChar(bitPattern: type.code), text)
    }

    private static func code(_ scalar: Unicode.Scalar) -> CChar { CChar(bitPattern: UInt8(ascii: scalar)) }

    private static func basic<Number>(_ message: OpaquePointer, _ type: BusType, _ number: Number) -> Int32 {
        unsafe withUnsafePointer(to: number) {
            unsafe sd_bus_message_append_basic(message, CChar(bitPattern: type.code), $0)
        }
    }

    /// Writes a secret without a copy in ordinary memory. sd-bus moves a message's body about while it grows and leaves copies behind, so
    /// the bytes go into a file of the kernel's memory, which sd-bus maps to send them and which is gone with the
    /// message. Such a message must not be marked as sensitive: sd-bus would then write zeros to that file, which is sealed, and crash.
    private static func append(_ secret: SecretBytes, to message: OpaquePointer) -> Int32 {
        // An empty file can't be mapped.
        if secret.isEmpty { return unsafe sd_bus_message_append_array(message, code("y"), nil, 0) }
        let file = thumb_memory_file()
        guard file >= 0 else { return -thumb_errno() }
        defer { close(file) }
        let written = unsafe secret.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
        guard written == secret.count else { return written < 0 ? -thumb_errno() : -ENOSPC }
        return unsafe sd_bus_message_append_array_memfd(message, code("y"), file, 0, UInt64(secret.count))
    }
}
