internal import Foundation
internal import ThumbAccess
internal import ThumbClient
internal import ThumbSecrets
internal import ThumbSecurityAPI

/// What the store costs as it grows: lookups and adds in turn with libsecret's, then lookups in turn with each other and with a
/// frame's echo, then everything at once.
enum StoreBench {
    private static let small = 10
    private static let middle = 3_000
    private static let large = 100_000
    private static let roundsWithPeer = 400
    private static let rounds = 3_000
    private static let adds = 25

    static func run(_ report: Report) throws {
        let stores = try [small, middle, large].map(Population.init)
        defer { for store in stores { store.daemon.stop() } }
        try compareLookups(report, Array(stores.prefix(2)))
        try compareLookups(report, flat: stores)
        try listAll(report, stores[2])
        report.bench("store-bytes-per-item", try stores[2].daemon.storeBytes() / Double(large), "B")
        report.ratio(
            "store-bytes-per-item-beyond-data",
            try stores[2].daemon.storeBytes() / Double(large) - Double(Population.secretSize), .atMost(1024))
    }

    /// Peer and ours in turn, lookup by lookup, at each size; then adds, then whole processes.
    private static func compareLookups(_ report: Report, _ stores: [Population]) throws {
        let goals = [small: 7.0, middle: 20.0]
        for store in stores {
            let peer = try SecretServicePeer(count: store.count)
            defer { peer.stop() }
            var (theirs, ours) = (Samples(), Samples())
            for round in 0..<roundsWithPeer + 20 {
                let their = try peer.lookUp(store.account(round: round))
                var once = Samples()
                try once.time { try store.lookUp(store.account(round: round)) }
                if round >= 20 {
                    theirs.add(their)
                    ours.add(once.median)
                }
            }
            report.bench("libsecret-lookup-at-\(store.count)", theirs, "us")
            report.bench("lookup-beside-libsecret-at-\(store.count)", ours, "us")
            report.ratio(
                "libsecret-lookup-over-ours-at-\(store.count)", theirs.median / ours.median, .atLeast(goals[store.count] ?? 1))
            try compareAdds(report, store, peer)
            if store.count == small { try ProgramBench.run(report, store, peer) }
        }
    }

    private static func compareAdds(_ report: Report, _ store: Population, _ peer: SecretServicePeer) throws {
        var (theirs, ours) = (Samples(), Samples())
        for number in 0..<adds {
            let account = "added-\(number)"
            theirs.add(try peer.add(account))
            try ours.time { try store.add(account) }
        }
        report.bench("libsecret-add-at-\(store.count)", theirs, "us")
        report.bench("add-at-\(store.count)", ours, "us")
        let name = "libsecret-add-over-ours-at-\(store.count)"
        if store.count == middle {
            report.ratio(name, theirs.median / ours.median, .atLeast(10))
        } else {
            report.bench(name, theirs.median / ours.median, "x")
        }
    }

    private static func compareLookups(_ report: Report, flat stores: [Population]) throws {
        let bytes = try SecretBytes(copying: [UInt8](repeating: 7, count: Population.secretSize))
        var frames = Samples()
        var lookups = stores.map { _ in Samples() }
        for round in 0..<rounds + 200 {
            var once = Samples()
            try once.time { _ = try stores[1].daemon.client.echo(bytes) }
            if round >= 200 { frames.add(once.median) }
            for (place, store) in stores.enumerated() {
                let account = store.account(round: round)
                var once = Samples()
                try once.time { try store.lookUp(account) }
                if round >= 200 { lookups[place].add(once.median) }
            }
        }
        report.bench("store-frame-echo", frames, "us")
        for (store, samples) in zip(stores, lookups) { report.bench("lookup-at-\(store.count)", samples, "us") }
        let medians = lookups.map(\.median)
        report.ratio("lookup-over-frame-echo", (medians.max() ?? 0) / frames.median, .atMost(3))
        report.ratio("lookup-slowest-over-fastest", (medians.max() ?? 0) / (medians.min() ?? 1), .atMost(1.5))
    }

    /// All attributes of all items, typed and as Apple shapes them; then how much memory that took.
    private static func listAll(_ report: Report, _ store: Population) throws {
        report.bench("daemon-before-lists", try store.daemon.residentMiB(), "MiB")
        let query = Query(itemClass: .genericPassword, sync: .any, limit: nil, shape: .attributes)
        let dictionary: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecMatchLimit as String: kSecMatchLimitAll,
            kSecReturnAttributes as String: true,
        ]
        var (typed, shaped) = (Samples(), Samples())
        for _ in 0..<5 {
            var count = 0
            try typed.time { count = try store.daemon.client.find(query).count }
            guard count == store.count else { throw BenchError("a list of \(count) items") }
            try shaped.time {
                // The cast to the caller's own type is the caller's: nothing is looked at here.
                let all = try ItemCalls(store.daemon.client).copyMatching(dictionary as CFDictionary, isWanted: true)
                guard all is NSArray else { throw BenchError("no list") }
            }
        }
        report.bench("list-typed-at-\(store.count)", Samples(of: typed, dividedBy: 1000), "ms")
        report.ratio("list-typed-seconds", typed.median / 1e6, .atMost(1))
        report.bench("list-shaped-at-\(store.count)", Samples(of: shaped, dividedBy: 1000), "ms")
        report.ratio("list-shaped-seconds", shaped.median / 1e6, .atMost(2))
        report.bench("daemon-after-lists", try store.daemon.residentMiB(), "MiB")
        report.ratio("daemon-peak-MiB-at-\(store.count)", try store.daemon.residentMiB(peak: true), .atMost(96))
    }
}
