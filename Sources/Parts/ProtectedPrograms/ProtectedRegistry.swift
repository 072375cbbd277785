import CThumbLinux
public import ThumbAccess
public import ThumbLoop
import ThumbSystem

/// The programs that root protected, according to the registry as it is now (docs/STORE.md).
///
/// A registry that somebody other than root could have written, or that can't be understood, protects nobody.
@OnLoop public final class ProtectedRegistry {
    private struct Stamp: Equatable {
        let (device, inode, size): (UInt64, UInt64, Int64)
        let (changed, changedNanoseconds, written, writtenNanoseconds): (Int, Int, Int, Int)

        init(_ status: stat) {
            (device, inode, size) = (UInt64(status.st_dev), UInt64(status.st_ino), Int64(status.st_size))
            (changed, changedNanoseconds) = (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
            (written, writtenNanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }
    }

    private let path: String
    private let log: (String) -> Void
    private var seen: Stamp?
    private var known = ProtectedPrograms()

    /// Checks the file at each question, and reads it again if it has changed.
    public init(path: String, log: @escaping (String) -> Void) {
        self.path = path
        self.log = log
    }

    /// The program that this group belongs to.
    public func program(of gid: UInt32) -> ProtectedProgram? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            (seen, known) = (nil, ProtectedPrograms())
            return nil
        }
        if seen != Stamp(status) {
            seen = Stamp(status)
            known = ProtectedPrograms()
            do throws(SystemError) {
                if let programs = try load() {
                    known = programs
                } else {
                    log("the registry of protected programs isn't root's alone, or isn't understood: no program is protected")
                }
            } catch {
                // Too few descriptors, say. It is read at the next question, then.
                seen = nil
                log("the registry of protected programs can't be read now, so nobody counts as protected yet")
            }
        }
        return known[gid]
    }

    /// What it says; nil if it isn't root's alone, or can't be understood.
    private func load() throws(SystemError) -> ProtectedPrograms? {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        do throws(PrivateFolder.Problem) {
            try PrivateFolder.check(folder.isEmpty ? "/" : folder, of: 0, .fromWriters)
        } catch {
            if case .unreachable(let error) = error { throw error }
            return nil
        }
        let file: Descriptor
        do throws(SystemError) {
            file = try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        } catch {
            // A link, or a file that isn't ours to read, stays that.
            if [ELOOP, EACCES, EPERM].contains(error.number) { return nil }
            throw error
        }
        let status = try file.status()
        guard thumb_is_regular(status.st_mode) != 0, RegistryFile.isRootsAlone(status),
            status.st_size <= ProtectedPrograms.fileBytes
        else { return nil }
        // The stamp stands for what is read now.
        seen = Stamp(status)
        return try Transfer.all(from: file.number, atMost: ProtectedPrograms.fileBytes).flatMap { ProtectedPrograms($0) }
    }
}
