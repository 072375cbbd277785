public import ThumbConversation
import ThumbLoop
import ThumbSecrets

/// A device's line to the front for what it wants: a connection to who serves it. A caller waits for its answer, on any thread.
public final class WantsLine: @unchecked Sendable {
    // @unchecked: `lastCall` and the descriptor are touched under the lock.

    /// The front only connects, which takes a moment; one that takes longer is as good as gone.
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

    /// A connection to a server, the caller's to close; nil where there is none.
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
                // An answer that somebody stopped waiting for.
                if let descriptor { UnixSocket.close(descriptor) }
            }
        }
    }

    /// Nothing can be had over it any more. Under the lock.
    private func lost() -> Int32? {
        UnixSocket.close(fd)
        fd = -1
        return nil
    }
}
