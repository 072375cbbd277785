import CThumbLinux

/// Reading small files whole.
enum WholeFile {
    /// nil if it isn't there, can't be read or is longer.
    static func bytes(_ path: String, atMost limit: Int) -> [UInt8]? {
        let fd = unsafe thumb_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
        guard fd >= 0 else { return nil }
        defer { close(fd) }
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe read(fd, &room, room.count)
            if count < 0 && thumb_errno() == EINTR { continue }
            guard count >= 0, bytes.count + count <= limit else { return nil }
            if count == 0 { return bytes }
            bytes += room[..<count]
        }
    }
}
