import CThumbLinux
public import ThumbAccess
import ThumbCrypto
import ThumbLoop
public import ThumbPeers

/// Digests of programs' files. A digest is kept for as long as the file keeps its stamp.
public final class FileDigests {
    /// The largest file that is read. Interpreters that users install for themselves have up to 130 MB, and reading takes a fraction of a
    /// second. A file that never ends must not keep everybody else waiting.
    public static let mostBytes = 256 << 20

    /// How many digests are kept. A desktop has some dozens of programs that use secrets. Without a limit somebody who starts ever new
    /// files would fill the memory.
    public static let kept = 256

    private let mostBytes: Int
    private var digests: [FileStamp: [UInt8]] = [:]
    private var order: [FileStamp] = []

    /// Begins with none.
    public init(mostBytes: Int = FileDigests.mostBytes) { self.mostBytes = mostBytes }

    /// How many digests are kept now.
    var count: Int { digests.count }

    /// The SHA-256 of a file; nil if the file can't be read, is too large, or is being changed.
    public func digest(of file: borrowing OpenFile, for uid: UInt32) -> [UInt8]? {
        guard let stamp = file.stamp(), stamp.bytes == file.file.stamp, stamp.size <= UInt64(mostBytes) else { return nil }
        if !stamp.isYoung, let known = digests[stamp] { return known }
        guard let contents = file.contents(for: uid) else { return nil }
        defer { UnixSocket.close(contents) }
        return digest(ofOpen: contents, stamped: file.file.stamp)
    }

    /// Adds the digests to what is known of a peer, as far as there are contents, and nobody has changed them since.
    public func complete(_ facts: PeerFacts, with contents: PeerContents) -> PeerFacts {
        var facts = facts
        if let program = contents.descriptor(of: .program), let file = facts.file {
            facts.file?.digest = digest(ofOpen: program, stamped: file.stamp) ?? []
        }
        guard let run = contents.descriptor(of: .run) else { return facts }
        switch facts.run {
        case .script(var script)?:
            script.digest = digest(ofOpen: run, stamped: script.stamp) ?? []
            facts.run = .script(script)
        // A text is in a file that was made for it, so there is nothing to be kept.
        case .text?: facts.run = .text(digest: digest(of: run) ?? [])
        case .module?, .interactive?, .unknown?, nil: break
        }
        return facts
    }

    private func digest(ofOpen contents: Int32, stamped: [UInt8]?) -> [UInt8]? {
        guard let stamp = FileStamp(of: contents), stamp.bytes == stamped, stamp.size <= UInt64(mostBytes) else { return nil }
        // Whether the digest may be kept is decided by the time before the reading.
        let isYoung = stamp.isYoung
        if !isYoung, let known = digests[stamp] { return known }
        guard let digest = digest(of: contents), FileStamp(of: contents) == stamp else { return nil }
        if !isYoung { keep(digest, stamp) }
        return digest
    }

    private func keep(_ digest: [UInt8], _ stamp: FileStamp) {
        guard digests.updateValue(digest, forKey: stamp) == nil else { return }
        order.append(stamp)
        if order.count > Self.kept { digests[order.removeFirst()] = nil }
    }

    private func digest(of contents: Int32) -> [UInt8]? {
        do {
            let digest = try Digest(.sha256)
            let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceBytes, alignment: 16)
            defer { unsafe room.deallocate() }
            var place = 0
            while true {
                let count = unsafe pread(contents, room.baseAddress, room.count, off_t(place))
                if count < 0, thumb_errno() == EINTR { continue }
                place += count
                guard count >= 0, place <= mostBytes else { return nil }
                if count == 0 { return try digest.finish() }
                try unsafe digest.add(UnsafeRawBufferPointer(rebasing: room[..<count]))
            }
        } catch {  // libcrypto has no SHA-256 now. The program then has no identity and gets nothing.
            return nil
        }
    }

    private static let pieceBytes = 256 << 10

    /// The SHA-256 of a text; nil if libcrypto can't tell.
    func digest(ofText text: [UInt8]) -> [UInt8]? {
        do { return try HashFunction.sha256.hash(text) } catch { return nil }
    }
}
