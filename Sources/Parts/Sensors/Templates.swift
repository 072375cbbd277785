import CThumbLinux
import ThumbAccess

/// The files in which fprintd keeps what it knows about a user's fingers. They belong to root alone, so only a daemon of root's can read
/// them.
struct Templates {
    /// Most files that are looked at: ten fingers on a few readers.
    static let fileLimit = 128
    /// Most bytes of one file; a template has some ten thousand.
    static let byteLimit = 4 << 20
    /// Driver, device, finger.
    private static let depth = 3

    enum Failure: Error {
        /// This process may not look into the folder of all users' templates, or there is none.
        case outOfReach
        /// They can't be read just now, are being changed, or aren't in fprintd's form.
        case unreadable
    }

    struct File {
        /// Below the user's folder: driver, device, finger.
        let path: String
        let content: [UInt8]
        var name: Substring { path.split(separator: "/").last ?? "" }
    }

    /// The folder of all users' templates, and the user whose templates are read.
    let folder: String
    let user: String

    /// All of them, sorted by path; empty if the user has no folder.
    func files() throws(Failure) -> [File] {
        guard !user.isEmpty, !user.contains("/"), user != ".", user != ".." else { throw .unreadable }
        let parent = unsafe thumb_open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard parent >= 0 else {
            switch thumb_errno() {
            case EACCES, EPERM, ENOENT: throw .outOfReach
            default: throw .unreadable
            }
        }
        defer { close(parent) }
        var files: [File] = []
        try walk(parent, user, "", Self.depth, &files)
        return files.sorted { $0.path < $1.path }
    }

    private func walk(_ parent: Int32, _ name: String, _ path: String, _ depth: Int, _ files: inout [File]) throws(Failure) {
        let fd = unsafe thumb_openat(parent, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
        guard fd >= 0 else {
            // The user has no folder, so nobody was ever enrolled. If something below the folder vanishes, it is being changed just now.
            if thumb_errno() == ENOENT, path.isEmpty { return }
            throw .unreadable
        }
        var status = stat()
        guard unsafe fstat(fd, &status) == 0 else {
            close(fd)
            throw .unreadable
        }
        if thumb_is_regular(status.st_mode) != 0 {
            defer { close(fd) }
            guard files.count < Self.fileLimit, status.st_size <= Self.byteLimit, !path.isEmpty else { throw .unreadable }
            return files.append(File(path: path, content: try read(fd)))
        }
        guard thumb_is_directory(status.st_mode) != 0, depth >= 0 else {
            close(fd)
            throw .unreadable
        }
        // The stream owns the descriptor.
        guard let stream = unsafe fdopendir(fd) else {
            close(fd)
            throw .unreadable
        }
        defer { unsafe closedir(stream) }
        while true {
            thumb_set_errno(0)
            guard let entry = unsafe readdir(stream) else { break }
            let inner = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if inner == "." || inner == ".." { continue }
            try walk(fd, inner, path.isEmpty ? inner : path + "/" + inner, depth - 1, &files)
        }
        // A folder that can't be read to its end must not count as an empty one.
        guard thumb_errno() == 0 else { throw .unreadable }
    }

    private func read(_ fd: Int32) throws(Failure) -> [UInt8] {
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = unsafe CThumbLinux.read(fd, &buffer, buffer.count)
            if count < 0 { throw .unreadable }
            if count == 0 { return content }
            content += buffer[..<count]
            guard content.count <= Self.byteLimit else { throw .unreadable }
        }
    }
}

/// The digest of an enrolment.
enum EnrolmentDigest {
    /// Over the reader, the fingers' names (which are in the files' names) and every template.
    static func strong(_ reader: String, _ files: [Templates.File], _ hash: ([UInt8]) -> [UInt8]?) -> [UInt8]? {
        var whole: [UInt8] = Array("thumbturn enrolment, templates\0".utf8)
        for part in [Array(reader.utf8)] + files.flatMap({ [Array($0.path.utf8), $0.content] }) {
            guard let digest = hash(part) else { return nil }
            whole += digest
        }
        return hash(whole)
    }

    /// Over the reader and the fingers' names only. Another finger under the same name doesn't change it.
    static func weak(_ reader: String, _ fingers: [Finger], _ hash: ([UInt8]) -> [UInt8]?) -> [UInt8]? {
        guard let name = hash(Array(reader.utf8)) else { return nil }
        return hash(Array("thumbturn enrolment, names\0".utf8) + name + fingers.sorted().map(\.rawValue))
    }
}
