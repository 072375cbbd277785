import Foundation

/// The results. They are printed line by line as they come, and kept for the JSON file.
final class Report {
    enum Goal {
        case atMost(Double)
        case atLeast(Double)

        func isMet(by value: Double) -> Bool {
            switch self {
            case .atMost(let limit): value <= limit
            case .atLeast(let limit): value >= limit
            }
        }

        var text: String {
            switch self {
            case .atMost(let limit): "<= \(Report.number(limit))"
            case .atLeast(let limit): ">= \(Report.number(limit))"
            }
        }
    }

    private var benches: [[String: Any]] = []
    private var ratios: [[String: Any]] = []
    /// The ratios that fell short of their goals.
    private(set) var short: [String] = []

    static func number(_ value: Double) -> String { String(format: value < 10 ? "%.2f" : "%.1f", value) }

    /// One figure with its spread: a quarter of the values lies below it and a quarter above it. A peer's figure says in what case it was
    /// measured.
    func bench(_ name: String, _ samples: Samples, _ unit: String, peer: String? = nil) {
        let (low, middle, high) = samples.quartiles
        let spread = "(\(Self.number(low))–\(Self.number(high)), n=\(samples.count))"
        print("bench \(name) \(Self.number(middle)) \(unit) \(spread)\(peer.map { ": " + $0 } ?? "")")
        var figure: [String: Any] = ["name": name, "value": middle, "unit": unit, "low": low, "high": high, "n": samples.count]
        if let peer { figure["case"] = peer }
        benches.append(figure)
    }

    func bench(_ name: String, _ value: Double, _ unit: String) {
        print("bench \(name) \(Self.number(value)) \(unit)")
        benches.append(["name": name, "value": value, "unit": unit])
    }

    /// Compares a ratio with its goal, and says in either case whether it is met or falls short.
    func ratio(_ name: String, _ value: Double, _ goal: Goal) {
        // What can't be compared isn't met: a peer that took no time was not measured.
        let verdict = value.isFinite && goal.isMet(by: value) ? "ok" : "short"
        if verdict == "short" { short.append(name) }
        print("ratio \(name) \(Self.number(value)) (goal \(goal.text)) \(verdict)")
        ratios.append(["name": name, "value": value, "goal": goal.text, "verdict": verdict])
    }

    func write() throws {
        let folder = FileManager.default.currentDirectoryPath + "/bench-results"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let data = try JSONSerialization.data(
            withJSONObject: ["bench": benches, "ratio": ratios], options: [.prettyPrinted, .sortedKeys])
        try data.write(to: URL(fileURLWithPath: folder + "/bench.json"))
        print("written to bench-results/bench.json")
    }
}

/// The times that one thing took, one by one.
struct Samples {
    private var values: [Double] = []

    var count: Int { values.count }
    var median: Double { quartiles.middle }
    var most: Double { values.max() ?? .infinity }

    var quartiles: (low: Double, middle: Double, high: Double) {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return (0, 0, 0) }
        func at(_ part: Double) -> Double { sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))] }
        return (at(0.25), at(0.5), at(0.75))
    }

    init() {}

    func each(_ body: (Double) -> Void) { for value in values { body(value) } }

    mutating func add(_ value: Double) { values.append(value) }

    /// Runs `body` once and adds the microseconds it took.
    mutating func time(_ body: () throws -> Void) rethrows {
        let start = DispatchTime.now().uptimeNanoseconds
        try body()
        add(Double(DispatchTime.now().uptimeNanoseconds - start) / 1000)
    }
}

struct BenchError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
