public import ThumbConversation
import ThumbLoop
import ThumbSecrets

/// A device's line to the front, over which it asks for connections to its servers. The caller waits for the answer, on any thread.
public final class WantsLine: @unchecked Sendable {
    // @unchecked: `lastCall` and the descriptor are touched under the lock.

    /// The front only connects, which takes a moment. If it takes longer than this, it is as good as gone.
    private static let patience = 5.0

    private let lock = Lock()
    private var fd: Int32
    private var lastCall: UInt32 = 0

    /// Takes the descriptor over.
    public init(_ fd: Int32) {
        self.fd = fd
        UnixSocket.limitReading(fd, seconds: Self.patience)
    }

    deinit { if fd >= 0 { UnixSocket.close(fd) } }

    /// A connection to a server, which the caller closes; nil if there is none.
    public func connection(to server: Want.Server) -> Int32? {
        lock.withLock {
            guard fd >= 0 else { return nil }
            lastCall &+= 1
            let want = Want(server).frame(call: lastCall).plain
            guard PacketSocket.send(want, to: fd, waiting: true) == .sent else { return lost() }
            while true {
                guard case .packet(let bytes, let descriptor) = PacketSocket.receive(from: fd, waiting: true),
                    let frame = try? Frame(packet: bytes), let given = try? frame.word(Given.self)  // Not understood is lost.
                else { return lost() }
                if frame.call == lastCall, given.isThere == (descriptor != nil) { return descriptor }
                // Somebody stopped waiting for this answer.
                if let descriptor { UnixSocket.close(descriptor) }
            }
        }
    }

    /// Gives the line up, because nothing more can come over it. Called under the lock.
    private func lost() -> Int32? {
        UnixSocket.close(fd)
        fd = -1
        return nil
    }
}
