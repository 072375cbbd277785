import Foundation
import ThumbAccess
import ThumbClient
import ThumbSecrets
import ThumbSecurityAPI

/// What the store costs as it grows: lookups compared with a frame's echo, and listing everything at once.
enum StoreBench {
    private static let sizes = [10, 3_000, 100_000]
    private static let turns = 40
    private static let callsPerTurn = 75
    private static let lists = 5
    /// How many lookups come before those that count: a daemon reads each part of its store from the disk once.
    private static let warming = 20_000

    static func run(_ report: Report) throws {
        let stores = try sizes.map(Population.init)
        defer { for store in stores { store.daemon.stop() } }
        try lookUp(report, stores)
        if let largest = stores.last {
            try listAll(report, largest)
            let bytes = try largest.daemon.storeBytes() / Double(largest.count)
            report.bench("store-bytes-per-item", bytes, "B")
            report.ratio("store-bytes-per-item-beyond-data", bytes - Double(Population.secretSize), .atMost(1024))
        }
    }

    /// The stores take turns of a few calls, an echo and a lookup each time. If three daemons answered one call each, that would measure
    /// the processor's caches.
    private static func lookUp(_ report: Report, _ stores: [Population]) throws {
        let bytes = try SecretBytes(copying: [UInt8](repeating: 7, count: Population.secretSize))
        var frames = stores.map { _ in Samples() }
        var lookups = stores.map { _ in Samples() }
        for store in stores {
            var first = Samples()
            for round in 0..<warming {
                // These items aren't the measured ones, if there are enough.
                let query = Population.query(store.account(round: turns * callsPerTurn + round))
                try first.time { try store.lookUp(query) }
            }
            report.bench("lookup-on-start-at-\(store.count)", first, "us")
        }
        for turn in 0..<turns {
            for (place, store) in stores.enumerated() {
                for call in 0..<callsPerTurn {
                    let query = Population.query(store.account(round: turn * callsPerTurn + call))
                    try frames[place].time { _ = try store.daemon.client.echo(bytes) }
                    try lookups[place].time { try store.lookUp(query) }
                }
            }
        }
        for ((store, frame), lookup) in zip(zip(stores, frames), lookups) {
            report.bench("frame-echo-at-\(store.count)", frame, "us")
            report.bench("lookup-at-\(store.count)", lookup, "us")
            report.ratio("lookup-over-frame-echo-at-\(store.count)", lookup.median / frame.median, .atMost(3))
        }
        let medians = lookups.map(\.median)
        report.ratio("lookup-slowest-over-fastest", (medians.max() ?? 0) / (medians.min() ?? 1), .atMost(1.5))
    }

    /// All attributes of all items, with their types and in Apple's shape. Then reports how much memory that took.
    private static func listAll(_ report: Report, _ store: Population) throws {
        report.bench("daemon-before-lists", try store.daemon.residentMiB(), "MiB")
        let query = Query(itemClass: .genericPassword, sync: .any, limit: nil, shape: .attributes)
        let dictionary: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecMatchLimit as String: kSecMatchLimitAll,
            kSecReturnAttributes as String: true,
        ]
        var (typed, shaped) = (Samples(), Samples())
        for _ in 0..<lists {
            // What the caller does with the list afterwards, including freeing it, doesn't count.
            var items: [FoundItem] = []
            try typed.time { items = try store.daemon.client.find(query) }
            guard items.count == store.count else { throw BenchError("a list of \(items.count) items") }
            items = []
            var all: CFTypeRef?
            try shaped.time {
                all = try ItemCalls(store.daemon.client).copyMatching(dictionary as CFDictionary, isWanted: true)
            }
            guard (all as? NSArray)?.count == store.count else { throw BenchError("no such list") }
        }
        report.bench("list-typed-at-\(store.count)", Samples(of: typed, dividedBy: 1000), "ms")
        report.ratio("list-typed-seconds", typed.median / 1e6, .atMost(1))
        report.bench("list-shaped-at-\(store.count)", Samples(of: shaped, dividedBy: 1000), "ms")
        report.ratio("list-shaped-seconds", shaped.median / 1e6, .atMost(2))
        report.bench("daemon-after-lists", try store.daemon.residentMiB(), "MiB")
        report.ratio("daemon-peak-MiB-at-\(store.count)", try store.daemon.residentMiB(peak: true), .atMost(96))
    }
}
