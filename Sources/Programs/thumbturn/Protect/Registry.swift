internal import CThumbLinux
internal import ThumbAccess

/// The registry of protected programs, held against a second command that would change it (docs/STORE.md).
final class Registry {
    var programs: ProtectedPrograms
    private let folder: Int32

    private static let name = "protected"

    private init(_ folder: Int32, _ programs: ProtectedPrograms) {
        self.folder = folder
        self.programs = programs
    }

    deinit { close(folder) }

    /// What it says; nothing where there is none.
    static func read(_ system: System) throws(Failure) -> ProtectedPrograms {
        let path = system.root + ProtectedPrograms.path
        guard unsafe access(path, F_OK) == 0 else { return ProtectedPrograms() }
        guard let bytes = contents(of: path, limit: ProtectedPrograms.fileBytes), let programs = ProtectedPrograms(bytes) else {
            throw Failure("registry", .failed, "the registry can't be read or isn't one: \(ProtectedPrograms.path)")
        }
        return programs
    }

    /// To change it: makes its folder, and waits for another command that has it.
    static func open(_ system: System) throws(Failure) -> Registry {
        let path = system.root + ProtectedPrograms.path.dropLast(name.count + 1)
        _ = unsafe mkdir(path, 0o755)
        let folder = unsafe thumb_open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0)
        var status = stat()
        guard folder >= 0, unsafe fstat(folder, &status) == 0, status.st_uid == 0, status.st_mode & 0o022 == 0 else {
            if folder >= 0 { close(folder) }
            throw Failure("registry", .failed, "the registry's folder can't be made or isn't root's: \(path)")
        }
        flock(folder, LOCK_EX)
        do throws(Failure) {
            return Registry(folder, try read(system))
        } catch {
            close(folder)
            throw error
        }
    }

    /// Puts it on disk, whole or not at all.
    func write() throws(Failure) {
        let draft = Self.name + ".new"
        let file = unsafe thumb_openat(folder, draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
        let bytes = Array(programs.text.utf8)
        var isWritten = file >= 0 && fchmod(file, 0o644) == 0
        var place = 0
        while isWritten && place < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { unsafe CThumbLinux.write(file, $0.baseAddress! + place, $0.count - place) }
            isWritten = count > 0
            place += count
        }
        isWritten = isWritten && fsync(file) == 0
        if file >= 0 { close(file) }
        guard isWritten, unsafe renameat(folder, draft, folder, Self.name) == 0, fsync(folder) == 0 else {
            unsafe unlinkat(folder, draft, 0)
            throw Failure("registry", .failed, "the registry can't be written: \(ProtectedPrograms.path)")
        }
    }

    /// A file of at most so many bytes; nil where it can't be read or is longer.
    static func contents(of path: String, limit: Int) -> [UInt8]? {
        let file = unsafe thumb_open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe part.withUnsafeMutableBytes { unsafe CThumbLinux.read(file, $0.baseAddress, $0.count) }
            if count == 0 { return bytes }
            guard count > 0, bytes.count + count <= limit else { return nil }
            bytes += part[..<count]
        }
    }
}
