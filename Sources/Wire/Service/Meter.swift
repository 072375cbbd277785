import ThumbConversation
public import ThumbLoop
import ThumbSecrets

/// What one device's clients use up: locked memory, room for frames and for unread answers, stretches, contexts.
///
/// A device belongs to one user. It can't take the other users' share of the process, and only its own clients wait for its share. The
/// daemon's own memory (keys, a passcode being checked, counters) isn't part of this: it is available whatever clients hold.
@OnLoop public final class Meter {
    /// What all devices of the process share.
    public let main: MainMeter
    /// The locked memory of clients' frames, and of what is kept of them.
    let arena: SecretArena
    private var contexts = 0
    private var callBytes = 0
    private var id: ObjectIdentifier { ObjectIdentifier(self) }

    /// Makes a device's meter. Without `main` it meters a process of its own.
    public init(_ main: MainMeter = MainMeter()) {
        self.main = main
        arena = SecretArena(limit: main.limits.lockedPerUser, within: main.budget)
    }

    var limits: MeterLimits { main.limits }

    // MARK: Frames and answers

    /// Whether a peer's frame may take this many bytes of memory in all. If not, the peer is told when to ask again.
    func mayTake(_ bytes: Int, _ peer: any MeteredPeer) -> Bool { main.mayTake(bytes, peer, of: id) }
    func frameEnded(of peer: any MeteredPeer) { main.frameEnded(of: peer, id) }
    /// A peer has this many more bytes to read. For that it, or another peer, may be closed.
    func isBehind(_ peer: any MeteredPeer, by bytes: Int) { main.isBehind(peer, of: id, by: bytes) }
    func hasRead(_ peer: any MeteredPeer, _ bytes: Int) { main.hasRead(peer, bytes) }

    func leave(_ peer: any MeteredPeer) {
        main.leave(peer, of: id)
        main.stretches.remove(ObjectIdentifier(peer), of: id)
    }

    // MARK: Stretches

    /// Stretches what was typed as a passcode, ahead of anything that an app asks for. Returns false if too many wait.
    public func judge<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, then: @escaping @OnLoop @Sendable (Value) -> Void
    ) -> Bool {
        main.passcodes.run(of: id, id, work, then: then)
    }

    /// Stretches what a peer sent, one at a time for each peer. Returns false if too many of the peer's wait.
    public func stretch<Value: Sendable>(
        for peer: AnyObject, _ work: @escaping @Sendable () -> Value, then: @escaping @OnLoop @Sendable (Value) -> Void
    ) -> Bool {
        main.stretches.run(of: ObjectIdentifier(peer), id, work, then: then)
    }

    // MARK: What is kept

    /// Counts one more context. Returns false if the user has as many as allowed.
    func addContext() -> Bool {
        guard contexts < limits.contextsPerUser else { return false }
        contexts += 1
        return true
    }

    func removeContexts(_ count: Int) { contexts -= count }

    /// Counts the memory of a call under way. Returns false if the user's calls hold as much as allowed.
    func addCall(_ bytes: Int) -> Bool {
        guard callBytes + bytes <= limits.callBytesPerUser else { return false }
        callBytes += bytes
        return true
    }

    func removeCall(_ bytes: Int) { callBytes -= bytes }
}
