import CThumbLinux

/// A line that is being typed: editable locked memory of a fixed size, from which you take the finished secret.
public final class SecretField {
    private let memory: SecretBytes
    private let capacity: Int
    /// How many bytes have been typed.
    public private(set) var count = 0

    /// Makes room for `capacity` bytes; fails if the arena can't hold them.
    public init(capacity: Int) throws {
        self.capacity = capacity
        // One byte more, because a byte is read after the typed ones before it is known to be text.
        memory = try unsafe SecretBytes(count: capacity + 1) { _ in }
    }

    public enum Key: Sendable, Equatable {
        /// Text; the field has taken it.
        case text
        /// A control character; it is not kept.
        case control(UInt8)
        /// The field is full; the byte is not kept.
        case full
        case ended
        case nothingYet
    }

    /// Reads one byte from a descriptor, directly into the locked memory.
    public func readKey(from fd: Int32) -> Key {
        let (result, byte): (Int, UInt8) = unsafe withRoom { room in
            let result = unsafe read(fd, room + count, 1)
            let byte = result == 1 ? unsafe room[count] : 0
            return (result, byte)
        }
        if result == 0 { return .ended }
        // A signal ends this read. It isn't repeated here, because the prompt may have to draw itself again, or to end.
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

    /// Adds one character that doesn't come from a descriptor. Returns false if the field is full, and for a control character.
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

    /// How many characters have been typed. Nothing else about them may be shown, unless their owner asks for it (`reveal`).
    public var characters: Int {
        unsafe withRoom { room in
            var characters = 0
            for place in 0..<count where unsafe room[place] & 0xc0 != 0x80 { characters += 1 }
            return characters
        }
    }

    /// Shows the typed characters to `show`, one after the other, because the person who typed them wants to see them. `show` must not
    /// put them together again: as a whole they lie in locked memory alone.
    public func reveal(_ show: (Unicode.Scalar) -> Void) {
        unsafe withRoom { room in
            var bytes = unsafe UnsafeBufferPointer(start: UnsafePointer(room), count: count).makeIterator()
            var codec = UTF8()
            while case .scalarValue(let character) = unsafe codec.decode(&bytes) { show(character) }
        }
    }

    /// Removes the last character with all its bytes.
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

    /// Takes the typed line and empties the field. Fails if the arena can't hold the line.
    public func take() throws -> SecretBytes {
        defer { clear() }
        return try memory.slice(0..<count)
    }

    private func withRoom<Result>(_ body: (UnsafeMutablePointer<UInt8>) -> Result) -> Result {
        unsafe memory.withUnsafeBytes { bytes in
            // Only this object has the memory, so nobody sees it change. There is always room for at least one byte.
            unsafe body(UnsafeMutablePointer(mutating: bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)))
        }
    }
}
