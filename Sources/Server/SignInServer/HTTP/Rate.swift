import ThumbSecrets

/// How many requests a client may make: so many a second, and twice as many at once.
final class Rate: Sendable {
    private struct Bucket {
        /// Thousandths of requests that may be made.
        var left: UInt64
        /// When that was so, in milliseconds.
        var at: UInt64
    }

    /// In parts, so that threads seldom meet at one lock.
    private let shards = (0..<16).map { _ in Locked<[Client: Bucket]>([:]) }
    private let perSecond: UInt64

    /// - Parameter perSecond: 0 sets no limit.
    init(perSecond: Int) { self.perSecond = UInt64(max(0, perSecond)) }

    /// Counts one request.
    /// - Returns: nil if it may be made, or the seconds after which one may.
    func refused(_ client: Client, milliseconds now: UInt64) -> Int64? {
        if perSecond == 0 { return nil }
        let full = 2 * perSecond * 1000
        return shards[client.hashValue & 15].withLock { buckets in
            var bucket = buckets[client] ?? Bucket(left: full, at: now)
            let passed = min(now &- bucket.at, 60_000)
            bucket = Bucket(left: min(full, bucket.left + passed * perSecond), at: now)
            let mayGo = bucket.left >= 1000
            if mayGo { bucket.left -= 1000 }
            if buckets[client] == nil, buckets.count >= Limits.clients / 16 {
                // Those whose rest is full again are as good as new.
                buckets = buckets.filter { min(full, $0.value.left + (now &- $0.value.at) * perSecond) < full }
                if buckets.count >= Limits.clients / 16, let some = buckets.keys.first { buckets[some] = nil }
            }
            buckets[client] = bucket
            return mayGo ? nil : 1
        }
    }
}
