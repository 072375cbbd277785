import CThumbLinux
import ThumbSystem

/// What tells whether a file or folder was written in between.
struct FileStamp: Sendable, Hashable {
    private let words: [UInt64]

    init(_ status: stat) {
        words = [
            UInt64(status.st_dev), UInt64(status.st_ino), UInt64(bitPattern: Int64(status.st_size)),
            UInt64(bitPattern: Int64(status.st_mtim.tv_sec)), UInt64(bitPattern: Int64(status.st_mtim.tv_nsec)),
            UInt64(bitPattern: Int64(status.st_ctim.tv_sec)), UInt64(bitPattern: Int64(status.st_ctim.tv_nsec)),
        ]
    }

    var bytes: [UInt8] {
        words.flatMap { word in stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) } }
    }
}

/// Looks at places that only certain users can change.
struct TrustedOwners: Sendable, Hashable {
    /// Root, and whoever runs this process.
    let owners: Set<UInt32>

    /// Opens the folder that holds the last part of a path, following no link. nil if a folder doesn't exist that needn't.
    ///
    /// Nobody else may be able to put another folder in the place of one on the way. Others may write a folder if its sticky bit keeps
    /// them from what isn't theirs, as in /tmp.
    func parent(of place: FaceModelPath.Place) throws(FaceModelFailure) -> Descriptor? {
        var folder: Descriptor
        do throws(SystemError) { folder = try Descriptor(opening: "/", O_RDONLY | O_DIRECTORY) } catch {
            throw .unreadable("/", error)
        }
        var path = ""
        try checkOnTheWay(folder, "/")
        for (index, part) in place.parts.dropLast().enumerated() {
            path += "/" + part
            guard let next = try open(part, in: folder.number, path) else {
                guard index >= place.fixed else { throw .missing(path) }
                return nil
            }
            try checkOnTheWay(next, path)
            folder = next
        }
        return folder
    }

    /// Opens something as a place, without reading it; nil if it doesn't exist.
    func open(_ name: String, in folder: Int32, _ path: String) throws(FaceModelFailure) -> Descriptor? {
        let number = unsafe thumb_open_path(folder, name, O_NOFOLLOW)
        guard number >= 0 else {
            let error = SystemError.last
            if error.number == ENOENT { return nil }
            throw .unreadable(path, error)
        }
        return Descriptor(owning: number)
    }

    private func checkOnTheWay(_ folder: borrowing Descriptor, _ path: String) throws(FaceModelFailure) {
        let status = try Self.status(folder, path)
        guard thumb_is_symlink(status.st_mode) == 0 else { throw .link(path) }
        guard thumb_is_directory(status.st_mode) != 0 else { throw .strange(path) }
        guard owners.contains(status.st_uid) else { throw .foreign(path, owner: status.st_uid) }
        let isSticky = status.st_mode & 0o1000 != 0
        guard status.st_mode & 0o022 == 0 || isSticky else { throw .writable(path, mode: status.st_mode & 0o7777) }
    }

    /// Refuses what isn't a file or a folder, and what anybody else owns or can write.
    func check(_ status: stat, _ path: String) throws(FaceModelFailure) {
        guard thumb_is_symlink(status.st_mode) == 0 else { throw .link(path) }
        guard thumb_is_regular(status.st_mode) != 0 || thumb_is_directory(status.st_mode) != 0 else { throw .strange(path) }
        guard owners.contains(status.st_uid) else { throw .foreign(path, owner: status.st_uid) }
        guard status.st_mode & 0o022 == 0 else { throw .writable(path, mode: status.st_mode & 0o7777) }
    }

    static func status(_ file: borrowing Descriptor, _ path: String) throws(FaceModelFailure) -> stat {
        do throws(SystemError) { return try file.status() } catch { throw .unreadable(path, error) }
    }
}
