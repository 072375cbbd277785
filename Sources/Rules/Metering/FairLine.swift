/// A fair line: users take turns, and so do a user's peers within the user's turns. Each peer's work stays in order.
public struct FairLine<User: Hashable, Peer: Hashable, Work> {
    private struct Queue {
        /// Peers with waiting work, the next one first.
        var turns: [Peer] = []
        var work: [Peer: [Work]] = [:]
        var count = 0
    }

    private let perPeer: Int
    private let perUser: Int
    /// Users with waiting work, the next one first.
    private var turns: [User] = []
    private var queues: [User: Queue] = [:]

    /// Makes an empty line with these limits on what a peer and a user may have waiting.
    public init(perPeer: Int, perUser: Int) {
        self.perPeer = perPeer
        self.perUser = perUser
    }

    /// Whether nothing waits.
    public var isEmpty: Bool { turns.isEmpty }

    /// Puts work at the end of its peer's part of the line; false if the peer or its user has as much waiting as it may.
    public mutating func add(_ work: Work, of peer: Peer, _ user: User) -> Bool {
        var queue = queues[user] ?? Queue()
        guard queue.count < perUser, queue.work[peer, default: []].count < perPeer else { return false }
        if queue.count == 0 { turns.append(user) }
        if queue.work[peer] == nil { queue.turns.append(peer) }
        queue.work[peer, default: []].append(work)
        queue.count += 1
        queues[user] = queue
        return true
    }

    /// Takes the next work; nil if none waits.
    public mutating func next() -> Work? {
        guard let user = turns.first, var queue = queues[user], let peer = queue.turns.first,
            var work = queue.work[peer], !work.isEmpty
        else { return nil }
        turns.removeFirst()
        queue.turns.removeFirst()
        let first = work.removeFirst()
        queue.count -= 1
        queue.work[peer] = work.isEmpty ? nil : work
        if !work.isEmpty { queue.turns.append(peer) }
        queues[user] = queue.count == 0 ? nil : queue
        if queue.count > 0 { turns.append(user) }
        return first
    }

    /// Removes everything that a peer has waiting.
    public mutating func remove(_ peer: Peer, of user: User) {
        guard var queue = queues[user], let work = queue.work.removeValue(forKey: peer) else { return }
        queue.turns.removeAll { $0 == peer }
        queue.count -= work.count
        queues[user] = queue.count == 0 ? nil : queue
        if queue.count == 0 { turns.removeAll { $0 == user } }
    }
}
