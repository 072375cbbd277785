import ThumbMetering

// The values under test, held by reference: an expectation can't change a value.

final class Line<User: Hashable, Peer: Hashable, Work> {
    private var line: FairLine<User, Peer, Work>
    init(perPeer: Int, perUser: Int) { line = FairLine(perPeer: perPeer, perUser: perUser) }
    var isEmpty: Bool { line.isEmpty }
    func add(_ work: Work, of peer: Peer, _ user: User) -> Bool { line.add(work, of: peer, user) }
    func next() -> Work? { line.next() }
    func remove(_ peer: Peer, of user: User) { line.remove(peer, of: user) }
}

final class Room {
    private var room: FrameRoom<String, Int>
    init(limit: Int, perUser: Int) { room = FrameRoom(limit: limit, perUser: perUser) }
    var total: Int { room.total }
    func grow(_ peer: Int, of user: String, to bytes: Int) -> Bool { room.grow(peer, of: user, to: bytes) }
    func leave(_ peer: Int, of user: String) -> [Int] { room.leave(peer, of: user) }
}

final class Ledger {
    private var ledger: UnreadLedger<String, Int>
    init(perPeer: Int, perUser: Int, limit: Int) { ledger = UnreadLedger(perPeer: perPeer, perUser: perUser, limit: limit) }
    var total: Int { ledger.total }
    func bytes(of user: String) -> Int { ledger.bytes(of: user) }
    func add(_ bytes: Int, to peer: Int, of user: String, at now: Double) -> [Int] {
        ledger.add(bytes, to: peer, of: user, at: now)
    }
    func read(_ bytes: Int, by peer: Int, at now: Double) { ledger.read(bytes, by: peer, at: now) }
    func leave(_ peer: Int) { ledger.leave(peer) }
}
