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
    public static func of(_ folder: Int32) -> PeerFacts.File? { opened(folder)?.file }

    /// The file that a process runs, opened as a place; nil if the process lets nobody look.
    public static func opened(_ folder: borrowing ProcessFolder) -> OpenFile? { opened(folder.number) }

    private static func opened(_ folder: Int32) -> OpenFile? {
        guard let link = ProcessFolder.link("exe", in: folder) else { return nil }
        return opened(link, at: unsafe thumb_open_path(folder, "exe", 0))
    }

    /// The stamp of the file that a process runs now; nil if the process lets nobody look.
    public static func stamp(_ folder: borrowing ProcessFolder) -> FileStamp? {
        guard let place = folder.place("exe") else { return nil }
        defer { UnixSocket.close(place) }
        var status = stat()
        return unsafe fstat(place, &status) == 0 ? FileStamp(status) : nil
    }

    /// A script of a process by the name that its command line has: the file that the process finds there; nil if it finds none, or if
    /// nobody can tell.
    public static func script(_ name: [UInt8], of folder: borrowing ProcessFolder) -> OpenFile? {
        guard !name.isEmpty, let start = folder.place(name.first == UInt8(ascii: "/") ? "root" : "cwd") else { return nil }
        defer { UnixSocket.close(start) }
        let isWhole = name.first == UInt8(ascii: "/")
        let found = unsafe thumb_open_below(start, name.map { CChar(bitPattern: $0) } + [0], isWhole ? 1 : 0)
        return found >= 0 ? regular(found) : nil
    }

    /// The file at a path of this process; nil if there is none.
    public static func named(_ path: String) -> OpenFile? {
        let found = unsafe thumb_open_below(AT_FDCWD, path, 0)
        return found >= 0 ? regular(found) : nil
    }

    /// Takes a place over and finds out what the kernel calls it. Only a file has a name that counts, and none of `/proc`: there a name
    /// means something else to each process.
    private static func regular(_ place: Int32) -> OpenFile? {
        var status = stat()
        guard unsafe fstat(place, &status) == 0, thumb_is_regular(status.st_mode) != 0,
            let link = ProcessFolder.link("/proc/self/fd/\(place)", in: AT_FDCWD), !link.starts(with: Array("/proc/".utf8))
        else {
            UnixSocket.close(place)
            return nil
        }
        return opened(link, at: place)
    }

    private static func opened(_ link: [UInt8], at file: Int32) -> OpenFile {
        var status = stat()
        let isOpen = unsafe file >= 0 && fstat(file, &status) == 0
        var named = link
        let place: ProgramPlace
        var way: [OpenFile.Step] = []
        switch isOpen ? look(at: link, for: status, &way) : .unseen {
        case .same(let isRoots): place = isRoots ? .system : .changeable
        case .other where link.suffix(deleted.count).elementsEqual(deleted):
            place = .gone
            named.removeLast(deleted.count)
        case .other: place = .elsewhere
        case .unseen: place = .unseen
        }
        let text = String(validating: named, as: UTF8.self)
        return OpenFile(
            file: PeerFacts.File(
                path: ExactName(text ?? String(decoding: named, as: UTF8.self)), place: place,
                stamp: isOpen ? FileStamp(status).bytes : [], isName: text != nil && (place == .system || place == .changeable)),
            place: file, way: way)
    }

    // MARK: The way there

    private enum Found {
        /// This very file; and whether root owns the whole path, and nobody else can write there.
        case same(isRoots: Bool)
        case other
        case unseen
    }

    private static func look(at path: [UInt8], for file: stat, _ way: inout [OpenFile.Step]) -> Found {
        var place = root()
        guard place >= 0 else { return .unseen }
        defer { UnixSocket.close(place) }
        var status = stat()
        guard unsafe fstat(place, &status) == 0 else { return .unseen }
        var isRoots = isRootsAlone(status)
        var steps = [OpenFile.Step(status)]
        for part in path.split(separator: UInt8(ascii: "/")) {
            // The kernel's path contains no links. If there is a link now, it leads elsewhere.
            let next = unsafe thumb_open_path(place, part.map { CChar(bitPattern: $0) } + [0], O_NOFOLLOW)
            guard next >= 0 else {
                switch thumb_errno() {
                case ENOENT, ENOTDIR, ELOOP: return .other
                // A home that is closed to the system's daemon. All that counts is that its owner can change what is in there.
                case EACCES, EPERM: return isRoots ? .unseen : .same(isRoots: false)
                // Too few descriptors, or a disk that fails. Nobody has looked.
                default: return .unseen
                }
            }
            UnixSocket.close(place)
            place = next
            guard unsafe fstat(place, &status) == 0 else { return .unseen }
            isRoots = isRoots && isRootsAlone(status)
            steps.append(OpenFile.Step(status))
        }
        way = steps
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
