import CThumbLinux
import ThumbAccess
import ThumbCrypto
import ThumbSecrets

/// What a key is to be used on: a file, or standard input.
struct KeyInput: ~Copyable {
    private static let pieceBytes = 64 << 10

    private let descriptor: Int32
    private let isFile: Bool

    /// "-" means standard input too.
    init(_ path: String?) throws(Failure) {
        guard let path, path != "-" else {
            (descriptor, isFile) = (0, false)
            return
        }
        descriptor = unsafe thumb_open(path, O_RDONLY | O_CLOEXEC, 0)
        isFile = true
        guard descriptor >= 0 else {
            throw .fileUnreadable(path)
        }
    }

    deinit { if isFile { close(descriptor) } }

    /// The hash of all there is, however long.
    func digest(_ function: HashFunction) throws(Failure) -> [UInt8] {
        do {
            var digest = try Digest(function)
            while let piece = try piece() { try digest.add(piece) }
            return try digest.finish()
        } catch let failure as Failure {
            throw failure
        } catch {
            throw .notHashed
        }
    }

    /// All there is; refused where it is longer.
    func all(atMost limit: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try piece() {
            bytes += piece
            guard bytes.count <= limit else {
                throw .inputTooLarge(limit: limit)
            }
        }
        return bytes
    }

    /// All there is, straight into locked memory.
    func secret() throws(Failure) -> SecretBytes { try SecretInput.readAll(from: descriptor) }

    /// What comes next; nil at the end.
    private func piece() throws(Failure) -> [UInt8]? {
        var count = 0
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: Self.pieceBytes) { room, used in
            repeat { count = unsafe read(descriptor, room.baseAddress, room.count) } while count < 0 && thumb_errno() == EINTR
            used = max(0, count)
        }
        guard count >= 0 else { throw .inputUnreadable }
        return count == 0 ? nil : piece
    }
}
