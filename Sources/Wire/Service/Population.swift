import ThumbConversation
import ThumbLoop

/// How much each user has open, so that no one program can use a device up.
@OnLoop final class Population {
    private var connections: [UInt32: Int] = [:]
    private var calls: [UInt32: Int] = [:]

    /// The connections of all users.
    private(set) var total = 0

    func arrive(_ uid: UInt32) -> Bool {
        guard total < WireLimit.connections, Self.take(&connections, uid, WireLimit.connectionsPerUser) else { return false }
        total += 1
        return true
    }

    func leave(_ uid: UInt32) {
        total -= 1
        Self.give(&connections, uid)
    }

    func connections(of uid: UInt32) -> Int { connections[uid, default: 0] }
    func begin(_ uid: UInt32) -> Bool { Self.take(&calls, uid, WireLimit.callsPerUser) }
    func end(_ uid: UInt32) { Self.give(&calls, uid) }

    private static func take(_ counts: inout [UInt32: Int], _ uid: UInt32, _ limit: Int) -> Bool {
        guard counts[uid, default: 0] < limit else { return false }
        counts[uid, default: 0] += 1
        return true
    }

    private static func give(_ counts: inout [UInt32: Int], _ uid: UInt32) {
        guard let count = counts[uid] else { return }
        counts[uid] = count > 1 ? count - 1 : nil
    }
}
