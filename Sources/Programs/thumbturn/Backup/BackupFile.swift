import CThumbLinux
import ThumbSystem

/// A backup being written: FILE.part, for this user alone, until it is whole and gets its name. Where it doesn't get that far
/// nothing of it stays.
final class BackupFile {
    private let path: String
    private let replaces: Bool
    private let file: ReplacedFile

    /// What can be said before anybody is asked for anything.
    static func checkRoom(for path: String, replaces: Bool) throws(Failure) {
        var status = stat()
        if !replaces, unsafe lstat(path, &status) == 0 { throw .backupExists }
        guard unsafe access(FilePlace.folder(of: path), W_OK) == 0 else {
            throw .backupFolder
        }
    }

    init(_ path: String, replaces: Bool) throws(Failure) {
        self.path = path
        self.replaces = replaces
        // One that is there isn't ours: another export may be writing there.
        do throws(ReplacedFile.Setback) { file = try ReplacedFile(draft: path + ".part", isNew: true) } catch {
            throw error.error.number == EEXIST ? .backupUnfinished : Failure(error)
        }
    }

    func write(_ bytes: [UInt8]) throws(Failure) {
        do throws(ReplacedFile.Setback) { try file.write(bytes) } catch { throw Failure(error) }
    }

    /// Has it on the disk, then gives it its name.
    func finish() throws(Failure) {
        do throws(ReplacedFile.Setback) { try file.take(placeOf: path, replaces: replaces) } catch {
            switch (error.step, error.error.number) {
            case (.naming, EEXIST): throw .backupExists
            // Some file systems can't flush a folder, and say so; they have nothing better.
            case (.flushingFolder, EINVAL): break
            default: throw Failure(error)
            }
        }
    }
}

extension Failure {
    fileprivate init(_ setback: ReplacedFile.Setback) { self = .backupNotWritten(isFull: setback.error.isFull) }
}

/// A chunk as it stands in the file.
enum BackupChunk {
    /// What stands before the box.
    static func head(of box: [UInt8], isLast: Bool) -> [UInt8] {
        [isLast ? 1 : 0] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: box.count >> $0) }
    }
}
