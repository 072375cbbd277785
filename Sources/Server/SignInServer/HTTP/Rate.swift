import ThumbSecrets

/// Limits how many requests a client may make: a number each second, and twice as many at once.
final class Rate: Sendable {
    private struct Bucket {
        /// How many thousandths of a request may be made.
        var left: UInt64
        /// When that was counted, in milliseconds.
        var at: UInt64
    }

    /// Divided into parts, so that threads seldom compete for the same lock.
    private let shards = (0..<16).map { _ in Locked<[Client: Bucket]>([:]) }
    private let perSecond: UInt64

    /// - Parameter perSecond: 0 sets no limit.
    init(perSecond: Int) { self.perSecond = UInt64(max(0, perSecond)) }

    /// What a client may do who has made no request for long.
    private var full: UInt64 { 2 * perSecond * 1000 }

    /// What may be done then. A thread that read its clock first may come second, so the bucket may have been counted later than that.
    private func left(in bucket: Bucket, at now: UInt64) -> UInt64 {
        let passed = min(now > bucket.at ? now - bucket.at : 0, 60_000)
        return min(full, bucket.left + passed * perSecond)
    }

    /// Counts one request.
    /// - Returns: nil if the request may be made, otherwise the number of seconds to wait. One is enough, since the rate is at least one a second.
    func refused(_ client: Client, milliseconds now: UInt64) -> Int64? {
        if perSecond == 0 { return nil }
        return shards[client.hashValue & 15].withLock { buckets in
            var bucket = buckets[client] ?? Bucket(left: full, at: now)
            bucket = Bucket(left: left(in: bucket, at: now), at: max(now, bucket.at))
            let mayGo = bucket.left >= 1000
            if mayGo { bucket.left -= 1000 }
            if buckets[client] == nil, buckets.count >= Limits.clients / 16 {
                // Clients whose allowance is full again are like new ones.
                buckets = buckets.filter { left(in: $0.value, at: now) < full }
                if buckets.count >= Limits.clients / 16, let some = buckets.keys.first { buckets[some] = nil }
            }
            buckets[client] = bucket
            return mayGo ? nil : 1
        }
    }
}
