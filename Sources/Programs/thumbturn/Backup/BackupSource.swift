import CThumbLinux
import ThumbAccess
import ThumbSystem

/// A backup being read: its head and its chunks. Only the daemon can tell whether they are good.
final class BackupSource {
    private let file: Descriptor
    /// The file's size in bytes, which is only used to show progress.
    let size: Int
    private(set) var place = 0

    init(_ path: String) throws(Failure) {
        do throws(SystemError) {
            file = try Descriptor(opening: path, O_RDONLY)
            size = Int(try file.status().st_size)
        } catch {
            throw error.number == ENOENT ? .noSuchFile : .backupUnreadable
        }
    }

    /// The head, or as much of it as there is. The daemon says what is wrong with an incomplete one.
    func readHead() throws(Failure) -> [UInt8] {
        let head = try read(BackupLimit.headBytes)
        let magic = Array("THUMBBAK".utf8)
        if head.count < BackupLimit.headBytes, head.starts(with: magic) || magic.starts(with: head), !head.isEmpty {
            throw .backupTruncated
        }
        return head
    }

    func readChunk() throws(Failure) -> (box: [UInt8], isLast: Bool) {
        let head = try read(BackupLimit.chunkHeadBytes)
        guard head.count == BackupLimit.chunkHeadBytes else { throw .backupTruncated }
        let count = head[1...].reduce(0) { $0 << 8 | Int($1) }
        guard head[0] <= 1, BackupLimit.box.contains(count) else { throw .backup(.damaged) }
        let box = try read(count)
        guard box.count == count else { throw .backupTruncated }
        return (box, head[0] == 1)
    }

    /// Checks that nothing follows the last chunk.
    func checkEnd() throws(Failure) {
        guard try read(1).isEmpty else { throw .backup(.damaged) }
    }

    /// Reads this many bytes, or fewer at the end of the file.
    private func read(_ count: Int) throws(Failure) -> [UInt8] {
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try Transfer.bytes(from: file.number, count: count) } catch { throw .backupUnreadable }
        place += bytes.count
        return bytes
    }
}
