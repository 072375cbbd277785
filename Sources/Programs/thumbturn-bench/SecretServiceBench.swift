import Foundation

/// The store compared with what Linux has: libsecret's own calls and ours take turns, with a few items and with many.
enum SecretServiceBench {
    private static let turns = 30
    private static let callsPerTurn = 20
    private static let adds = 25

    static func run(_ report: Report) throws {
        try compare(report, count: 10, lookupGoal: 7, addGoal: nil, withPrograms: true)
        try compare(report, count: 3_000, lookupGoal: 20, addGoal: 10, withPrograms: false)
    }

    private static func compare(
        _ report: Report, count: Int, lookupGoal: Double, addGoal: Double?, withPrograms: Bool
    ) throws {
        let store = try Population(of: count)
        defer { store.daemon.stop() }
        let peer = try SecretServicePeer(count: count)
        defer { peer.stop() }
        try compareLookups(report, store, peer, goal: lookupGoal)
        try compareAdds(report, store, peer, goal: addGoal)
        if withPrograms { try ProgramBench.run(report, store, peer) }
    }

    private static func compareLookups(
        _ report: Report, _ store: Population, _ peer: SecretServicePeer, goal: Double
    ) throws {
        var (theirs, ours) = (Samples(), Samples())
        // The first call of a turn finds the other's data in the processor's caches, so it is reported separately.
        var (theirFirst, ourFirst) = (Samples(), Samples())
        // The very first call opens a session with the keyring.
        _ = try peer.lookUp(store.account(round: 0))
        for turn in 0..<turns {
            let accounts = (0..<callsPerTurn).map { store.account(round: turn * callsPerTurn + $0) }
            theirFirst.add(try peer.lookUp(accounts[0]))
            for account in accounts.dropFirst() { theirs.add(try peer.lookUp(account)) }
            // This includes making the dictionary, because libsecret's call takes its attributes as arguments.
            try ourFirst.time { try store.lookUp(Population.query(accounts[0])) }
            for account in accounts.dropFirst() { try ours.time { try store.lookUp(Population.query(account)) } }
        }
        report.bench("libsecret-first-lookup-at-\(store.count)", theirFirst, "us", peer: PeerCase.libsecret)
        report.bench("first-lookup-beside-libsecret-at-\(store.count)", ourFirst, "us")
        report.bench("libsecret-lookup-at-\(store.count)", theirs, "us", peer: PeerCase.libsecret)
        report.bench("lookup-beside-libsecret-at-\(store.count)", ours, "us")
        report.ratio("libsecret-lookup-over-ours-at-\(store.count)", theirs.median / ours.median, .atLeast(goal))
    }

    private static func compareAdds(
        _ report: Report, _ store: Population, _ peer: SecretServicePeer, goal: Double?
    ) throws {
        var (theirs, ours) = (Samples(), Samples())
        for number in 0..<adds {
            let account = "added-\(number)"
            theirs.add(try peer.add(account))
            try ours.time { try store.add(account) }
        }
        report.bench("libsecret-add-at-\(store.count)", Samples(of: theirs, dividedBy: 1000), "ms", peer: PeerCase.libsecretAdd)
        report.bench("add-at-\(store.count)", Samples(of: ours, dividedBy: 1000), "ms")
        let (name, value) = ("libsecret-add-over-ours-at-\(store.count)", theirs.median / ours.median)
        if let goal { report.ratio(name, value, .atLeast(goal)) } else { report.bench(name, value, "x") }
    }
}
