import ThumbSecrets
import ThumbSignIn

/// What one of HTTP's threads has answered. Every label is a word of ours, so a client can make numbers grow but can't add any.
struct Tally: Sendable {
    static let statuses = [200, 201, 204] + Set(SignInRefusal.allCases.map(\.status)).sorted()

    /// By route, method and status.
    private(set) var requests = [Int](
        repeating: 0, count: Route.allCases.count * Method.allCases.count * statuses.count)
    private(set) var refusals = [Int](repeating: 0, count: SignInRefusal.allCases.count)
    private(set) var times = [Histogram](repeating: Histogram(Histogram.seconds), count: Route.allCases.count)

    mutating func note(_ route: Route, _ method: Method, _ answer: Answer, nanoseconds: UInt64) {
        if let place = Self.place(route, method, answer.status) { requests[place] += 1 }
        if let refusal = answer.refusal, let place = SignInRefusal.allCases.firstIndex(of: refusal) { refusals[place] += 1 }
        times[Route.places[route] ?? 0].note(nanoseconds)
    }

    static func place(_ route: Route, _ method: Method, _ status: Int) -> Int? {
        guard let route = Route.places[route], let method = Method.places[method], let status = statuses.firstIndex(of: status)
        else { return nil }
        return (route * Method.allCases.count + method) * statuses.count + status
    }

    mutating func add(_ other: Tally) {
        for index in requests.indices { requests[index] += other.requests[index] }
        for index in refusals.indices { refusals[index] += other.refusals[index] }
        for index in times.indices { times[index].add(other.times[index]) }
    }
}

extension Route {
    static let places = Dictionary(uniqueKeysWithValues: zip(allCases, 0...))
}

extension Method {
    static let places = Dictionary(uniqueKeysWithValues: zip(allCases, 0...))
}

/// Counts how often a number was at most each of several bounds.
struct Histogram: Sendable {
    /// Bounds of times, in nanoseconds.
    static let seconds: [UInt64] = [
        500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000, 500_000_000,
        1_000_000_000, 5_000_000_000,
    ]
    static let deeds: [UInt64] = [1, 2, 4, 8, 16, 32, 64, 128, 256]

    let bounds: [UInt64]
    /// Not cumulative. The last one counts numbers beyond all bounds.
    private(set) var counts: [Int]
    private(set) var sum: UInt64 = 0

    init(_ bounds: [UInt64]) {
        self.bounds = bounds
        counts = [Int](repeating: 0, count: bounds.count + 1)
    }

    mutating func note(_ value: UInt64) {
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
        sum &+= value
    }

    mutating func add(_ other: Histogram) {
        for index in counts.indices { counts[index] += other.counts[index] }
        sum &+= other.sum
    }
}

/// What the writer has done.
final class WriterTally: Sendable {
    private let state = Locked((batches: Histogram(Histogram.deeds), times: Histogram(Histogram.seconds)))

    func note(batch: Int, nanoseconds: UInt64) {
        state.withLock {
            $0.batches.note(UInt64(batch))
            $0.times.note(nanoseconds)
        }
    }

    var now: (batches: Histogram, times: Histogram) { state.withLock { $0 } }
}
