/// Figures over time, and what became of them between two windows of equal length at the end.
public struct Trend: Sendable {
    private var samples: [(at: Double, value: Double)] = []

    public init() {}

    public mutating func add(_ value: Double, at time: Double) { samples.append((time, value)) }

    /// By how much the median of the last `seconds` differs from that of the `seconds` before, as a part of it; nil where one of the two has
    /// no sample. The median, because one short moment with twice as much says nothing about what is kept.
    public func change(over seconds: Double, until end: Double) -> Double? {
        guard let last = median(end - seconds, end), let before = median(end - 2 * seconds, end - seconds), before > 0 else {
            return nil
        }
        return last / before - 1
    }

    private func median(_ from: Double, _ to: Double) -> Double? {
        let values = samples.filter { $0.at > from && $0.at <= to }.map(\.value).sorted()
        return values.isEmpty ? nil : values[values.count / 2]
    }
}
