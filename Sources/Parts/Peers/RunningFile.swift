import CThumbLinux
public import ThumbAccess
import ThumbLoop

/// The file that a process runs: its path according to the kernel, and whether other processes find the same file there.
///
/// The path alone proves little. It is the process's own view of the folders, and in a mount namespace of their own anybody can put a file
/// of theirs at any path. So the path is followed in the machine's folders, and the file at its end is compared with the file that runs.
public enum RunningFile {
    private static let deleted = Array(" (deleted)".utf8)

    /// - Parameter folder: the process's folder in `/proc`.
    /// - Returns: nil if the process lets nobody look.
    public static func of(_ folder: Int32) -> PeerFacts.File? {
        guard let link = link(folder) else { return nil }
        let file = unsafe thumb_open_path(folder, "exe", 0)
        defer { if file >= 0 { UnixSocket.close(file) } }
        var status = stat()
        let isOpen = unsafe file >= 0 && fstat(file, &status) == 0
        var named = link
        let place: ProgramPlace
        switch isOpen ? look(at: link, for: status) : .unseen {
        case .same(let isRoots): place = isRoots ? .system : .changeable
        case .other where link.suffix(deleted.count).elementsEqual(deleted):
            place = .gone
            named.removeLast(deleted.count)
        case .other: place = .elsewhere
        case .unseen: place = .unseen
        }
        let text = String(validating: named, as: UTF8.self)
        return PeerFacts.File(
            path: ExactName(text ?? String(decoding: named, as: UTF8.self)), place: place, stamp: isOpen ? stamp(status) : [],
            isName: text != nil && place != .gone && place != .elsewhere)
    }

    private static func link(_ folder: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe readlinkat(folder, "exe", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
        }
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }

    private static func stamp(_ status: stat) -> [UInt8] {
        let words = [
            UInt64(status.st_ino), UInt64(bitPattern: Int64(status.st_size)), UInt64(bitPattern: Int64(status.st_ctim.tv_sec)),
            UInt64(bitPattern: Int64(status.st_ctim.tv_nsec)),
        ]
        return words.flatMap { word in stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
        }
    }

    // MARK: The way there

    private enum Found {
        /// This very file; and whether root owns the whole path, and nobody else can write there.
        case same(isRoots: Bool)
        case other
        case unseen
    }

    private static func look(at path: [UInt8], for file: stat) -> Found {
        var place = root()
        guard place >= 0 else { return .unseen }
        defer { UnixSocket.close(place) }
        var status = stat()
        guard unsafe fstat(place, &status) == 0 else { return .unseen }
        var isRoots = isRootsAlone(status)
        for part in path.split(separator: UInt8(ascii: "/")) {
            // The kernel's path contains no links. If there is a link now, it leads elsewhere.
            let next = unsafe thumb_open_path(place, part.map { CChar(bitPattern: $0) } + [0], O_NOFOLLOW)
            guard next >= 0 else {
                switch thumb_errno() {
                case ENOENT, ENOTDIR, ELOOP: return .other
                // A home that is closed to the system's daemon. All that counts is that its owner can change what is in there.
                default: return isRoots ? .unseen : .same(isRoots: false)
                }
            }
            UnixSocket.close(place)
            place = next
            guard unsafe fstat(place, &status) == 0 else { return .unseen }
            isRoots = isRoots && isRootsAlone(status)
        }
        return status.st_dev == file.st_dev && status.st_ino == file.st_ino ? .same(isRoots: isRoots) : .other
    }

    /// The root of the machine's folders. The system's daemon has a root of its own, without homes, but init has everybody's.
    private static func root() -> Int32 {
        if geteuid() == 0 {
            let place = unsafe thumb_open_path(AT_FDCWD, "/proc/1/root", O_DIRECTORY)
            if place >= 0 { return place }
        }
        return unsafe thumb_open_path(AT_FDCWD, "/", O_DIRECTORY)
    }

    private static func isRootsAlone(_ status: stat) -> Bool { status.st_uid == 0 && status.st_mode & 0o022 == 0 }
}
