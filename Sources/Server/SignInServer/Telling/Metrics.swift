import ThumbSecrets

/// Everything that one server counts, in Prometheus's form. It knows no other part; the parts that count know it.
final class Metrics: Sendable {
    let connections: Connections
    let writer = WriterTally()
    /// One for each of HTTP's threads.
    let records: [Records]
    private let stretched = Locked(0)
    private let log: ServerLog

    init(connections: Connections, log: ServerLog) {
        (self.connections, self.log) = (connections, log)
        records = (0..<Limits.threads).map { _ in Records(LogLines(log.lines())) }
    }

    func countStretched() { stretched.withLock { $0 += 1 } }

    func text() -> [UInt8] {
        var tally = Tally()
        var dropped = log.dropped
        for records in records {
            let (own, lines) = records.counted
            tally.add(own)
            dropped += lines
        }
        var text = MetricsText()
        text.add(tally)
        let (batches, times) = writer.now
        text.add("thumbturn_batch_deeds", "Deeds that shared a transaction.", histogram: batches, isTime: false)
        text.add("thumbturn_batch_seconds", "Time of a transaction, its commit included.", histogram: times, isTime: true)
        let (open, refused) = connections.now
        text.add("thumbturn_connections", "Connections that are open.", gauge: open)
        text.add("thumbturn_connections_refused_total", "Connections closed because there were too many.", counter: refused)
        text.add("thumbturn_passwords_stretched_total", "Passwords stretched.", counter: stretched.withLock { $0 })
        text.add("thumbturn_log_lines_dropped_total", "Lines of the log that nobody took in time.", counter: dropped)
        return text.ended()
    }
}
