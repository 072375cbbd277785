import ThumbConversation
public import ThumbLoop
import ThumbSecrets

/// What one device's clients use up: locked memory, room for frames and for what they don't read, stretches, contexts.
///
/// A device is a user's. What others have of the process's share they can't take, and what they wait for they wait for alone. The
/// house's own memory (keys, a passcode being checked, counters) isn't among it: it is there whatever clients hold.
@OnLoop public final class Meter {
    /// What all devices of the process share.
    public let main: MainMeter
    /// Where clients' frames, and what is kept of them, have their locked memory.
    let arena: SecretArena
    private var contexts = 0
    private var callBytes = 0
    private var id: ObjectIdentifier { ObjectIdentifier(self) }

    /// A device's meter; one of a process of its own where `main` isn't given.
    public init(_ main: MainMeter = MainMeter()) {
        self.main = main
        arena = SecretArena(limit: main.limits.lockedPerUser, within: main.budget)
    }

    var limits: MeterLimits { main.limits }

    // MARK: Frames and answers

    /// Whether a peer's frame may take so many bytes of memory in all; where it may not, the peer is told when to ask again.
    func mayTake(_ bytes: Int, _ peer: any MeteredPeer) -> Bool { main.mayTake(bytes, peer, of: id) }
    func frameEnded(of peer: any MeteredPeer) { main.frameEnded(of: peer, id) }
    /// A peer has so many bytes more to read; it may be closed over that, or another one.
    func isBehind(_ peer: any MeteredPeer, by bytes: Int) { main.isBehind(peer, of: id, by: bytes) }
    func hasRead(_ peer: any MeteredPeer, _ bytes: Int) { main.hasRead(peer, bytes) }

    func leave(_ peer: any MeteredPeer) {
        main.leave(peer, of: id)
        main.stretches.remove(ObjectIdentifier(peer), of: id)
    }

    // MARK: Stretches

    /// Stretches what was typed as a passcode; nothing that an app asks for is before it. False where too many wait.
    public func judge<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, then: @escaping @OnLoop @Sendable (Value) -> Void
    ) -> Bool {
        main.passcodes.run(of: id, id, work, then: then)
    }

    /// Stretches what a peer brought, one of its own at a time; false where it has too many waiting.
    public func stretch<Value: Sendable>(
        for peer: AnyObject, _ work: @escaping @Sendable () -> Value, then: @escaping @OnLoop @Sendable (Value) -> Void
    ) -> Bool {
        main.stretches.run(of: ObjectIdentifier(peer), id, work, then: then)
    }

    // MARK: What is kept

    /// Counts one more context; false where the user has as many as it may.
    func addContext() -> Bool {
        guard contexts < limits.contextsPerUser else { return false }
        contexts += 1
        return true
    }

    func removeContexts(_ count: Int) { contexts -= count }

    /// Counts what a call under way holds in memory; false where the user's calls hold as much as they may.
    func addCall(_ bytes: Int) -> Bool {
        guard callBytes + bytes <= limits.callBytesPerUser else { return false }
        callBytes += bytes
        return true
    }

    func removeCall(_ bytes: Int) { callBytes -= bytes }
}
