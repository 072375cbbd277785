import CThumbLinux
import ThumbAccess

/// Reading the registry of protected programs. Its format is `ProtectedPrograms`' own, and docs/STORE.md tells it.
enum RegistryFile {
    /// Whether nobody but root can write a file or a folder.
    static func isRootsAlone(_ status: stat) -> Bool { status.st_uid == 0 && status.st_mode & 0o022 == 0 }

    /// What a machine's registry says; nothing where there is none.
    static func read(on machine: Machine) throws(ProtectionFailure) -> ProtectedPrograms {
        let path = machine.root + ProtectedPrograms.path
        guard unsafe access(path, F_OK) == 0 else { return ProtectedPrograms() }
        guard let bytes = contents(of: path, limit: ProtectedPrograms.fileBytes), let programs = ProtectedPrograms(bytes) else {
            throw .unreadableRegistry
        }
        return programs
    }

    /// A file of at most so many bytes; nil where it can't be read or is longer.
    static func contents(of path: String, limit: Int) -> [UInt8]? {
        let file = unsafe thumb_open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return contents(of: file, limit: limit)
    }

    /// The rest of an open file.
    static func contents(of file: Int32, limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe part.withUnsafeMutableBytes { unsafe CThumbLinux.read(file, $0.baseAddress, $0.count) }
            if count < 0 && thumb_errno() == EINTR { continue }
            if count == 0 { return bytes }
            guard count > 0, bytes.count + count <= limit else { return nil }
            bytes += part[..<count]
        }
    }
}
