/// Decides whose incomplete frames may take memory, if there isn't enough for all.
///
/// Only what a frame has taken counts, never what it announces. At the limits, peers wait in a fair line. One of them may always exceed the
/// limits, because otherwise incomplete frames could wait for each other for ever.
public struct FrameRoom<User: Hashable, Peer: Hashable> {
    private let limit: Int
    private let perUser: Int
    private var held: [Peer: (user: User, bytes: Int)] = [:]
    private var byUser: [User: Int] = [:]
    private var line = FairLine<User, Peer, Peer>(perPeer: 1, perUser: .max)
    private var waiting: Set<Peer> = []
    private var express: Peer?

    /// What all frames have taken.
    public private(set) var total = 0

    /// Makes room for that many bytes in all, and of one user.
    public init(limit: Int, perUser: Int) {
        self.limit = limit
        self.perUser = perUser
    }

    /// Whether a peer's frame may take this many bytes in all. If not, the peer waits in the line.
    public mutating func grow(_ peer: Peer, of user: User, to bytes: Int) -> Bool {
        let more = bytes - (held[peer]?.bytes ?? 0)
        guard more > 0 else { return true }
        let fits = total + more <= limit && byUser[user, default: 0] + more <= perUser
        if !fits {
            if express == nil { express = peer }
            guard express == peer else {
                if waiting.insert(peer).inserted { _ = line.add(peer, of: peer, user) }
                return false
            }
        }
        if waiting.remove(peer) != nil { line.remove(peer, of: user) }
        held[peer] = (user, bytes)
        byUser[user, default: 0] += more
        total += more
        return true
    }

    /// A peer's frame is whole, or will never be. Returns the peers that may ask again.
    public mutating func leave(_ peer: Peer, of user: User) -> [Peer] {
        if waiting.remove(peer) != nil { line.remove(peer, of: user) }
        if let (user, bytes) = held.removeValue(forKey: peer) {
            total -= bytes
            let left = byUser[user, default: 0] - bytes
            byUser[user] = left > 0 ? left : nil
        }
        var woken: [Peer] = []
        if express == peer { express = nil }
        if express == nil, let next = line.next() {
            waiting.remove(next)
            express = next
            woken.append(next)
        }
        // One more peer gets the freed room. If it isn't enough, the peer goes back to the end.
        if total < limit, let next = line.next() {
            waiting.remove(next)
            woken.append(next)
        }
        return woken
    }
}
