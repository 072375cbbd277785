import CThumbLinux
import ThumbSystem

/// A backup being written: FILE.part, readable by this user alone. It gets its name once it is complete. If that never happens, nothing of
/// it stays.
final class BackupFile {
    private let path: String
    private let replaces: Bool
    private let file: ReplacedFile

    /// Finds problems before anybody is asked anything.
    static func checkRoom(for path: String, replaces: Bool) throws(Failure) {
        var status = stat()
        if unsafe lstat(path, &status) == 0 {
            if !replaces { throw .backupExists }
            // A device, a pipe or a link would be replaced by a file.
            guard thumb_is_regular(status.st_mode) != 0 else { throw .backupNoFile }
        }
        guard unsafe access(FilePlace.folder(of: path), W_OK) == 0 else {
            throw .backupFolder
        }
    }

    init(_ path: String, replaces: Bool) throws(Failure) {
        self.path = path
        self.replaces = replaces
        // An existing one isn't ours: another export may be writing it.
        do throws(ReplacedFile.Setback) { file = try ReplacedFile(draft: path + ".part", isNew: true) } catch {
            throw error.error.number == EEXIST ? .backupUnfinished : Failure(error)
        }
    }

    func write(_ bytes: [UInt8]) throws(Failure) {
        do throws(ReplacedFile.Setback) { try file.write(bytes) } catch { throw Failure(error) }
    }

    /// Flushes it to the disk, then gives it its name.
    func finish() throws(Failure) {
        do throws(ReplacedFile.Setback) { try file.take(placeOf: path, replaces: replaces) } catch {
            switch (error.step, error.error.number) {
            case (.naming, EEXIST): throw .backupExists
            // Some file systems can't flush a folder and report that. Nothing better can be done there.
            case (.flushingFolder, EINVAL): break
            default: throw Failure(error)
            }
        }
    }
}

extension Failure {
    fileprivate init(_ setback: ReplacedFile.Setback) { self = .backupNotWritten(isFull: setback.error.isFull) }
}

/// A chunk in its form in the file.
enum BackupChunk {
    /// The bytes before the box.
    static func head(of box: [UInt8], isLast: Bool) -> [UInt8] {
        [isLast ? 1 : 0] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: box.count >> $0) }
    }
}
