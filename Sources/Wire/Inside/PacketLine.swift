public import ThumbConversation
public import ThumbLoop
import ThumbSecrets

/// One end of a line between two processes of system mode: words in whole packets, and descriptors with them. No secret goes over it.
@OnLoop public final class PacketLine {
    /// How many words may wait to be sent. A peer that leaves more unread counts as gone.
    private static let mostWaiting = 64

    private let fd: Int32
    private var watch: Watch?
    private var waiting: [[UInt8]] = []
    /// Called when there is room again for what was offered and found none.
    public var onRoom: () -> Void = {}
    private var isRoomAwaited = false
    private let hear: (Frame, _ descriptor: Int32?) throws(Refusal) -> Void
    private let ended: () -> Void

    /// Begins to listen. The line takes the descriptor over.
    ///
    /// - Parameters:
    ///   - hear: takes a word and owns the descriptor that came with it. If it throws, the line ends.
    ///   - ended: called once, when the other end is gone or can't be understood, but not after `close`.
    public init(
        _ fd: Int32, hear: @escaping (Frame, _ descriptor: Int32?) throws(Refusal) -> Void, ended: @escaping () -> Void
    ) {
        self.fd = fd
        self.hear = hear
        self.ended = ended
        watch = Watch(fd, .readable) { [weak self] ready in self?.ready(ready) }
    }

    isolated deinit { close() }

    /// Ends the line; nothing more is heard.
    public func close() {
        guard let watch else { return }
        watch.remove()
        self.watch = nil
        waiting = []
        UnixSocket.close(fd)
    }

    /// Sends a word. If there is no room now, the word is kept until there is.
    public func say(_ word: some Word, call: UInt32 = 0) {
        guard watch != nil else { return }
        let bytes = word.frame(call: call).plain
        guard waiting.isEmpty else { return keep(bytes) }
        switch PacketSocket.send(bytes, to: fd, waiting: false) {
        case .sent: break
        case .later: keep(bytes)
        case .failed: end()
        }
    }

    /// Sends a word with a descriptor, and closes the descriptor here in any case. Returns false if there is no room now.
    public func hand(_ descriptor: Int32, _ word: some Word, call: UInt32 = 0) -> Bool {
        defer { UnixSocket.close(descriptor) }
        guard watch != nil, waiting.isEmpty else { return false }
        switch PacketSocket.send(word.frame(call: call).plain, passing: descriptor, to: fd, waiting: false) {
        case .sent: return true
        case .later: return false
        case .failed:
            end()
            return false
        }
    }

    /// What came of offering a descriptor.
    public enum Offer: Sendable { case taken, noRoom, lineEnded }

    /// Sends a word with a descriptor. Without room for it now, the descriptor stays the caller's, and `onRoom` is called once there is room;
    /// otherwise it is closed here.
    public func offer(_ descriptor: Int32, _ word: some Word) -> Offer {
        guard watch != nil else {
            UnixSocket.close(descriptor)
            return .lineEnded
        }
        guard waiting.isEmpty else { return awaitRoom() }
        switch PacketSocket.send(word.frame(call: 0).plain, passing: descriptor, to: fd, waiting: false) {
        case .sent:
            UnixSocket.close(descriptor)
            return .taken
        case .later: return awaitRoom()
        case .failed:
            UnixSocket.close(descriptor)
            end()
            return .lineEnded
        }
    }

    private func awaitRoom() -> Offer {
        isRoomAwaited = true
        watch?.change(to: [.readable, .writable])
        return .noRoom
    }

    private func keep(_ bytes: [UInt8]) {
        guard waiting.count < Self.mostWaiting else { return end() }
        waiting.append(bytes)
        watch?.change(to: [.readable, .writable])
    }

    private func ready(_ ready: Readiness) {
        if ready.contains(.writable) { flush() }
        if ready.contains(.readable) || ready.contains(.hungUp) { receive() }
    }

    private func flush() {
        while let bytes = waiting.first {
            switch PacketSocket.send(bytes, to: fd, waiting: false) {
            case .sent: waiting.removeFirst()
            case .later: return
            case .failed: return end()
            }
        }
        watch?.change(to: .readable)
        guard isRoomAwaited else { return }
        isRoomAwaited = false
        onRoom()
    }

    /// Takes one packet, so that others are served between two.
    private func receive() {
        guard watch != nil else { return }
        switch PacketSocket.receive(from: fd, waiting: false) {
        case .packet(let bytes, let descriptor):
            let frame: Frame
            do throws(Refusal) {
                frame = try Frame(packet: bytes)
            } catch {
                if let descriptor { UnixSocket.close(descriptor) }
                return end()
            }
            do throws(Refusal) { try hear(frame, descriptor) } catch { end() }
        case .later: break
        case .closed, .failed: end()
        }
    }

    private func end() {
        guard watch != nil else { return }
        close()
        ended()
    }
}

extension Frame {
    /// The frame in a packet, which is all of it.
    init(packet bytes: [UInt8]) throws(Refusal) {
        guard bytes.count >= 4 + WireLimit.headBytes,
            bytes.prefix(4).reduce(0, { $0 << 8 | Int($1) }) == bytes.count - 4
        else { throw .malformed }
        let body: SecretBytes
        do { body = try SecretBytes(copying: Array(bytes.dropFirst(4))) } catch { throw .noRoom }
        try self.init(body)
    }
}
