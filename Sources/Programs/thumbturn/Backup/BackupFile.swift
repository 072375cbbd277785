import CThumbLinux
import ThumbAccess

/// A backup being written: FILE.part, for this user alone, until it is whole and gets its name. Where it doesn't get that far
/// nothing of it stays.
final class BackupFile {
    private let path: String
    private let part: String
    private let replaces: Bool
    private let fd: Int32
    private var isFinished = false

    /// What can be said before anybody is asked for anything.
    static func checkRoom(for path: String, replaces: Bool) throws(Failure) {
        if !replaces, exists(path) { throw .backupExists }
        guard unsafe access(folder(of: path), W_OK) == 0 else {
            throw .backupFolder
        }
    }

    init(_ path: String, replaces: Bool) throws(Failure) {
        self.path = path
        part = path + ".part"
        self.replaces = replaces
        fd = try Self.make(part)
    }

    /// A new file. One that is there isn't ours: another export may be writing there.
    private static func make(_ part: String) throws(Failure) -> Int32 {
        let fd = unsafe thumb_open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if fd >= 0 { return fd }
        guard thumb_errno() == EEXIST else { throw notWritten }
        throw .backupUnfinished
    }

    deinit {
        close(fd)
        if !isFinished { unsafe unlink(part) }
    }

    func write(_ bytes: [UInt8]) throws(Failure) {
        var place = 0
        while place < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe CThumbLinux.write(fd, $0.baseAddress! + place, $0.count - place)
            }
            if count < 0 && thumb_errno() == EINTR { continue }
            guard count > 0 else { throw Self.notWritten }
            place += count
        }
    }

    /// Has it on the disk, then gives it its name.
    func finish() throws(Failure) {
        guard fsync(fd) == 0 else { throw Self.notWritten }
        try rename()
        isFinished = true
        let folder = unsafe thumb_open(Self.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard folder >= 0 else { throw Self.notWritten }
        defer { close(folder) }
        // Some file systems can't flush a folder, and say so; they have nothing better.
        guard fsync(folder) == 0 || thumb_errno() == EINVAL else { throw Self.notWritten }
    }

    private func rename() throws(Failure) {
        if !replaces {
            if unsafe thumb_renameat2(AT_FDCWD, part, AT_FDCWD, path, thumb_RENAME_NOREPLACE) == 0 { return }
            if thumb_errno() == EEXIST { throw .backupExists }
            // A file system that can't do this in one step is asked in two.
            guard thumb_errno() == EINVAL || thumb_errno() == ENOSYS else { throw Self.notWritten }
            if Self.exists(path) { throw .backupExists }
        }
        guard unsafe CThumbLinux.rename(part, path) == 0 else { throw Self.notWritten }
    }

    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Why the last call failed.
    private static var notWritten: Failure {
        let number = thumb_errno()
        return .backupNotWritten(isFull: number == ENOSPC || number == EDQUOT)
    }
}

/// A chunk as it stands in the file.
enum BackupChunk {
    /// What stands before the box.
    static func head(of box: [UInt8], isLast: Bool) -> [UInt8] {
        [isLast ? 1 : 0] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: box.count >> $0) }
    }
}
