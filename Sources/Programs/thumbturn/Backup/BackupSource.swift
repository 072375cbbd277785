import CThumbLinux
import ThumbAccess

/// A backup being read: its head and its chunks, of which the daemon alone knows whether they are good.
final class BackupSource {
    private let fd: Int32
    /// How many bytes there are, for the progress alone.
    let size: Int
    private(set) var place = 0

    init(_ path: String) throws(Failure) {
        fd = unsafe thumb_open(path, O_RDONLY | O_CLOEXEC, 0)
        var status = stat()
        guard fd >= 0, unsafe fstat(fd, &status) == 0 else {
            throw thumb_errno() == ENOENT ? .noSuchFile : .backupUnreadable
        }
        size = Int(status.st_size)
    }

    deinit { if fd >= 0 { close(fd) } }

    /// The head, or as much of it as there is: the daemon says what is wrong with that.
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

    /// Nothing may stand behind the last chunk.
    func checkEnd() throws(Failure) {
        guard try read(1).isEmpty else { throw .backup(.damaged) }
    }

    /// So many bytes; fewer at the end of the file.
    private func read(_ count: Int) throws(Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = unsafe bytes.withUnsafeMutableBytes {
                unsafe CThumbLinux.read(fd, $0.baseAddress! + filled, count - filled)
            }
            if got < 0 && thumb_errno() == EINTR { continue }
            guard got >= 0 else { throw .backupUnreadable }
            if got == 0 { break }
            filled += got
        }
        place += filled
        return Array(bytes.prefix(filled))
    }
}
