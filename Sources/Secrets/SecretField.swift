import CThumbLinux

/// A line being typed: editable locked memory of a fixed size, from which the finished secret is taken.
public final class SecretField {
    private let memory: SecretBytes
    private let capacity: Int
    /// How many bytes are typed.
    public private(set) var count = 0

    /// Room for `capacity` bytes; fails where the arena can't hold them.
    public init(capacity: Int) throws {
        self.capacity = capacity
        // One byte more, because a byte is read behind the typed ones before it is known to be text.
        memory = try unsafe SecretBytes(count: capacity + 1) { _ in }
    }

    public enum Key: Sendable, Equatable {
        /// Text that was taken into the field.
        case text
        /// A control character; it is not kept.
        case control(UInt8)
        /// The field is full; the byte is not kept.
        case full
        case ended
        case nothingYet
    }

    /// Reads one byte from a descriptor, straight into the locked memory.
    public func readKey(from fd: Int32) -> Key {
        let (result, byte): (Int, UInt8) = unsafe withRoom { room in
            let result = unsafe read(fd, room + count, 1)
            let byte = result == 1 ? unsafe room[count] : 0
            return (result, byte)
        }
        if result == 0 { return .ended }
        // A signal ends this reading, which isn't made again here: the prompt that reads may have to show itself anew, or to end.
        if result < 0 { return thumb_errno() == EINTR || thumb_errno() == EAGAIN ? .nothingYet : .ended }
        if byte < 0x20 || byte == 0x7f {
            unsafe withRoom { unsafe $0[count] = 0 }
            return .control(byte)
        }
        guard count < capacity else {
            unsafe withRoom { unsafe $0[count] = 0 }
            return .full
        }
        count += 1
        return .text
    }

    /// Takes in one character that doesn't come from a descriptor; false if the field is full, or for a control character.
    public func append(_ character: Unicode.Scalar) -> Bool {
        let bytes = UTF8.encode(character)
        guard character.value >= 0x20, character.value != 0x7f, let bytes, count + bytes.count <= capacity else { return false }
        unsafe withRoom { room in
            for byte in bytes {
                unsafe room[count] = byte
                count += 1
            }
        }
        return true
    }

    /// How many characters are typed. Nothing else about them may be shown.
    public var characters: Int {
        unsafe withRoom { room in
            var characters = 0
            for place in 0..<count where unsafe room[place] & 0xc0 != 0x80 { characters += 1 }
            return characters
        }
    }

    /// Takes back the last character, all its bytes.
    public func removeLast() {
        unsafe withRoom { room in
            while count > 0 {
                count -= 1
                let byte = unsafe room[count]
                unsafe room[count] = 0
                // Bytes 10xxxxxx continue a character of UTF-8.
                if byte & 0xc0 != 0x80 { break }
            }
        }
    }

    public func clear() {
        unsafe withRoom { unsafe explicit_bzero($0, count) }
        count = 0
    }

    /// The typed line; the field is empty afterwards. Fails where the arena can't hold it.
    public func take() throws -> SecretBytes {
        defer { clear() }
        return try memory.slice(0..<count)
    }

    private func withRoom<Result>(_ body: (UnsafeMutablePointer<UInt8>) -> Result) -> Result {
        unsafe memory.withUnsafeBytes { bytes in
            // This object alone has the memory, so nobody sees it change; there is always room for one byte at least.
            unsafe body(UnsafeMutablePointer(mutating: bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)))
        }
    }
}
