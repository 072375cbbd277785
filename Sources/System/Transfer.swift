import CThumbLinux

/// Transfers bytes from and to descriptors completely: no signal cuts them short. A secret is read directly into the memory that is meant
/// for it, and written directly from there.
public enum Transfer {
    /// Reads what is there, and waits for the first byte if necessary. Returns how many bytes came, 0 at the end.
    public static func some(of descriptor: Int32, into room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        let count = uninterrupted { unsafe read(descriptor, room.baseAddress, room.count) }
        guard count >= 0 else { throw .last }
        return count
    }

    /// Reads until `room` is full or there is no more. Returns how many bytes came.
    public static func fill(_ room: UnsafeMutableRawBufferPointer, from descriptor: Int32) throws(SystemError) -> Int {
        var filled = 0
        while filled < room.count {
            let count = try unsafe some(of: descriptor, into: UnsafeMutableRawBufferPointer(rebasing: room[filled...]))
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// Reads at most that many bytes; fewer if there are no more.
    public static func bytes(from descriptor: Int32, count: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var span = bytes.mutableSpan
        let filled = try unsafe span.withUnsafeMutableBytes { (room) throws(SystemError) in
            try unsafe fill(room, from: descriptor)
        }
        bytes.removeLast(count - filled)
        return bytes
    }

    /// Reads everything; nil if that is more than `limit`.
    public static func all(from descriptor: Int32, atMost limit: Int) throws(SystemError) -> [UInt8]? {
        var bytes: [UInt8] = []
        while true {
            // One byte beyond the limit shows that there is more.
            let count = min(pieceBytes, limit + 1 - bytes.count)
            let piece = try self.bytes(from: descriptor, count: count)
            bytes += piece
            guard bytes.count <= limit else { return nil }
            // Don't ask again, because a terminal reports its end only once.
            if piece.count < count { return bytes }
        }
    }

    /// Reads a whole file of at most that many bytes; nil if it doesn't exist, can't be read or is longer.
    public static func file(_ path: String, atMost limit: Int) -> [UInt8]? {
        do throws(SystemError) {
            // This way a pipe without a writer holds nobody up.
            let file = try Descriptor(opening: path, O_RDONLY | O_NONBLOCK)
            return try all(from: file.number, atMost: limit)
        } catch {
            return nil
        }
    }

    /// The most bytes that one of several reads takes.
    private static let pieceBytes = 64 << 10

    /// Writes all of it.
    public static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(SystemError) {
        var place = 0
        while place < bytes.count, let base = bytes.baseAddress {
            let count = uninterrupted { unsafe CThumbLinux.write(descriptor, base + place, bytes.count - place) }
            guard count >= 0 else { throw .last }
            // Otherwise a descriptor that takes nothing without an error would be tried for ever.
            guard count > 0 else { throw SystemError(EIO) }
            place += count
        }
    }

    /// Writes all of it.
    public static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
        try unsafe bytes.span.withUnsafeBytes { (bytes) throws(SystemError) in try unsafe write(bytes, to: descriptor) }
    }

    /// Writes words for a person or a log. Nothing depends on whether anybody takes them.
    public static func say(_ text: String, to descriptor: Int32) {
        // Nobody could be told of an error: the one to tell is the one who doesn't listen.
        try? write(Array(text.utf8), to: descriptor)
    }
}
