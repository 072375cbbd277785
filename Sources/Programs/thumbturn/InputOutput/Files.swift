import CThumbLinux

/// Reading files that are there for programs.
enum Files {
    /// nil if it isn't there, can't be read or is longer.
    static func contents(_ path: String, atMost limit: Int) -> [UInt8]? {
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

    /// What lies in a folder; nothing if it isn't there or can't be read.
    static func names(in path: String) -> [String] {
        guard let folder = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
                unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }
}
