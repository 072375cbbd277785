import ThumbConversation
public import ThumbLoop
import ThumbMetering
import ThumbSecrets

/// What all devices of this process share, and the lines in which they wait for it: locked memory for their clients, room for what those
/// clients haven't read, and two threads that stretch.
@OnLoop public final class MainMeter {
    let limits: MeterLimits
    let budget: SecretBudget
    let passcodes = StretchLane(perPeer: WireLimit.stretchesPerUser, perUser: WireLimit.stretchesPerUser)
    let stretches = StretchLane(perPeer: WireLimit.stretchesPerConnection, perUser: WireLimit.stretchesPerUser)
    private var coming: FrameRoom<ObjectIdentifier, ObjectIdentifier>
    private var unread: UnreadLedger<ObjectIdentifier, ObjectIdentifier>
    private var peers: [ObjectIdentifier: any MeteredPeer] = [:]

    /// Meters a process with these limits.
    public init(_ limits: MeterLimits = MeterLimits()) {
        self.limits = limits
        budget = SecretBudget(limit: limits.locked)
        coming = FrameRoom(limit: limits.frames, perUser: limits.framesPerUser)
        unread = UnreadLedger(
            perPeer: limits.unreadPerConnection, perUser: limits.unreadPerUser, limit: limits.unread)
    }

    /// Locked memory that clients' secrets and frames take.
    public var locked: Int { budget.locked }
    /// Bytes that clients have not read.
    public var unreadBytes: Int { unread.total }

    func mayTake(_ bytes: Int, _ peer: any MeteredPeer, of user: ObjectIdentifier) -> Bool {
        peers[ObjectIdentifier(peer)] = peer
        return coming.grow(ObjectIdentifier(peer), of: user, to: bytes)
    }

    func frameEnded(of peer: any MeteredPeer, _ user: ObjectIdentifier) {
        for woken in coming.leave(ObjectIdentifier(peer), of: user) { peers[woken]?.roomIsFree() }
    }

    func isBehind(_ peer: any MeteredPeer, of user: ObjectIdentifier, by bytes: Int) {
        peers[ObjectIdentifier(peer)] = peer
        for gone in unread.add(bytes, to: ObjectIdentifier(peer), of: user, at: EventLoop.now) { peers[gone]?.readsTooLittle() }
    }

    func hasRead(_ peer: any MeteredPeer, _ bytes: Int) {
        unread.read(bytes, by: ObjectIdentifier(peer), at: EventLoop.now)
    }

    func leave(_ peer: any MeteredPeer, of user: ObjectIdentifier) {
        guard peers.removeValue(forKey: ObjectIdentifier(peer)) != nil else { return }
        unread.leave(ObjectIdentifier(peer))
        frameEnded(of: peer, user)
    }
}

/// A connection as its meter knows it.
@OnLoop protocol MeteredPeer: AnyObject {
    /// There may be room now for the frame that it waits to send.
    func roomIsFree()
    /// It left too much unread, so it is closed.
    func readsTooLittle()
}
