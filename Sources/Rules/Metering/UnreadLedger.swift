/// Counts the answers that peers have not read, and decides who has to go if there are too many.
///
/// The peer that asked last isn't the one that goes. Of the same user's peers, the one goes that has read nothing for longest, because a
/// peer that reads is never behind for long.
public struct UnreadLedger<User: Hashable, Peer: Hashable> {
    private struct Entry {
        let user: User
        var bytes = 0
        /// When it last read something, or when it began to be behind.
        var since: Double
    }

    private let perPeer: Int
    private let perUser: Int
    private let limit: Int
    private var entries: [Peer: Entry] = [:]
    private var byUser: [User: Int] = [:]

    /// What all peers together have not read.
    public private(set) var total = 0

    /// Makes a ledger with these limits on unread bytes, for a peer, a user and all together.
    public init(perPeer: Int, perUser: Int, limit: Int) {
        self.perPeer = perPeer
        self.perUser = perUser
        self.limit = limit
    }

    /// What one user's peers have not read.
    public func bytes(of user: User) -> Int { byUser[user, default: 0] }

    /// A peer has this many more bytes to read. Returns the peers whose connections have to be closed for it; they don't count any more.
    public mutating func add(_ bytes: Int, to peer: Peer, of user: User, at now: Double) -> [Peer] {
        var entry = entries[peer] ?? Entry(user: user, since: now)
        entry.bytes += bytes
        entries[peer] = entry
        byUser[user, default: 0] += bytes
        total += bytes
        var gone: [Peer] = []
        if entry.bytes > perPeer {
            leave(peer)
            gone.append(peer)
        }
        while byUser[user, default: 0] > perUser, let stale = stalest(of: user) {
            leave(stale)
            gone.append(stale)
        }
        // The users share what there is, so the one with most of it has to give way first.
        while total > limit, let most = byUser.max(by: { $0.value < $1.value })?.key, let stale = stalest(of: most) {
            leave(stale)
            gone.append(stale)
        }
        return gone
    }

    /// A peer has read this many bytes.
    public mutating func read(_ bytes: Int, by peer: Peer, at now: Double) {
        guard bytes > 0, var entry = entries[peer] else { return }
        entry.bytes -= bytes
        entry.since = now
        entries[peer] = entry.bytes > 0 ? entry : nil
        count(down: bytes, entry.user)
    }

    /// A peer is gone, and with it everything that it didn't read.
    public mutating func leave(_ peer: Peer) {
        guard let entry = entries.removeValue(forKey: peer) else { return }
        count(down: entry.bytes, entry.user)
    }

    private mutating func count(down bytes: Int, _ user: User) {
        total -= bytes
        let left = byUser[user, default: 0] - bytes
        byUser[user] = left > 0 ? left : nil
    }

    private func stalest(of user: User) -> Peer? {
        entries.filter { $0.value.user == user }.min { $0.value.since < $1.value.since }?.key
    }
}
