import Foundation
import ThumbLocalAuthenticationAPI
import ThumbSecrets
import ThumbStorage
import ThumbturnSimulator

/// What a match costs the disk. While no misses are counted, there is no counter to clear, and none is written.
enum LedgerBench {
    private static let matches = 1_000

    static func run(_ report: Report) throws {
        // This folder contains nothing but the device's.
        let folder = NSTemporaryDirectory() + "/thumbturn-bench-ledger-" + UUID().uuidString
        let before = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) }
        try FileManager.default.createDirectory(atPath: folder + "/of", withIntermediateDirectories: true)
        unsafe setenv("TMPDIR", folder + "/of", 1)
        let device = SimulatedDevice().install()
        if let before { unsafe setenv("TMPDIR", before, 1) } else { unsafe unsetenv("TMPDIR") }
        defer {
            device.uninstall()
            try? FileManager.default.removeItem(atPath: folder)
        }
        device.answerAlways(.match)
        try EvaluationBench.evaluate()
        let start = try counters(folder)
        for _ in 0..<matches { try EvaluationBench.evaluate() }
        let end = try counters(folder)
        report.bench("store-writes-by-\(matches)-matches", Double(end.changes - start.changes), "")
        report.ratio("counters-written-by-\(matches)-matches", Double(end.counters - start.counters), .atMost(0))

        // The same figure after a miss. This one does write counters, which shows that the figure above means something.
        device.answerAlways(nil)
        device.answer(.noMatch, .match)
        try EvaluationBench.evaluate()
        guard try counters(folder).counters > end.counters else { throw BenchError("a miss was not seen to be written") }
    }

    /// How often the store was written, and how often the counters of misses were. Read from a copy, because the device has the store open.
    private static func counters(_ folder: String) throws -> (changes: UInt64, counters: UInt64) {
        let copy = folder + "/copy"
        guard let name = try FileManager.default.contentsOfDirectory(atPath: folder + "/of").first else {
            throw BenchError("no folder of a simulated device")
        }
        try? FileManager.default.removeItem(atPath: copy)
        try FileManager.default.copyItem(atPath: folder + "/of/" + name, toPath: copy)
        let store = try Store(in: StateFolder(path: copy))
        return (store.items.changes, store.items.countersWritten)
    }
}
