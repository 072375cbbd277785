import CThumbLinux
import ThumbAccess
import ThumbCrypto
import ThumbSecrets
import ThumbSystem

/// The data that a key is used on: a file, or standard input.
struct KeyInput: ~Copyable {
    private static let pieceBytes = 64 << 10

    /// nil for standard input.
    private let file: Descriptor?
    private let descriptor: Int32

    /// "-" means standard input too.
    init(_ path: String?) throws(Failure) {
        guard let path, path != "-" else {
            file = nil
            descriptor = 0
            return
        }
        let opened: Descriptor
        do throws(SystemError) { opened = try Descriptor(opening: path, O_RDONLY) } catch { throw .fileUnreadable(path) }
        descriptor = opened.number
        file = consume opened
    }

    /// The whole path of the file that is open, whatever led there; nil if it is no file that has one, such as a pipe.
    var path: ExactName? {
        var room = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe room.withUnsafeMutableBytes {
            unsafe readlink("/proc/self/fd/\(descriptor)", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
        }
        guard count > 0, room[0] == UInt8(ascii: "/") else { return nil }
        return ExactName(String(decoding: room.prefix(count), as: UTF8.self))
    }

    /// The hash of the whole input, however long.
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

    /// The whole input; refused if it is longer.
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

    /// The whole input, read directly into locked memory.
    func secret() throws(Failure) -> SecretBytes { try SecretInput.readAll(from: descriptor) }

    /// The next piece; nil at the end.
    private func piece() throws(Failure) -> [UInt8]? {
        var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
        let source = descriptor
        do throws(SystemError) {
            var span = piece.mutableSpan
            let count = try unsafe span.withUnsafeMutableBytes { (room) throws(SystemError) in
                try unsafe Transfer.some(of: source, into: room)
            }
            piece.removeLast(piece.count - count)
        } catch {
            throw .inputUnreadable
        }
        return piece.isEmpty ? nil : piece
    }
}
