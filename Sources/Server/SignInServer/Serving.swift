internal import ThumbSecrets
internal import ThumbSignIn

/// What all threads of one server share.
final class Serving: Sendable {
    let desk: Desk
    let writer: Writer
    let stretchers = Stretchers()
    let turns = Turns()
    let rate: Rate
    let connections: Connections
    let isBehindProxy: Bool
    let writerTally: WriterTally
    private let stretched = Locked(0)

    init(
        desk: Desk, writer: Writer, writerTally: WriterTally, rate: Rate, isBehindProxy: Bool
    ) {
        self.desk = desk
        self.writer = writer
        self.writerTally = writerTally
        self.rate = rate
        self.isBehindProxy = isBehindProxy
        connections = Connections(isEachClientsLimited: !isBehindProxy)
    }

    func countStretched() { stretched.withLock { $0 += 1 } }

    /// All that is counted, as Prometheus reads it.
    func metrics(of workers: [Worker]) -> [UInt8] {
        var tally = Tally()
        var dropped = 0
        for worker in workers {
            let (own, lines) = worker.tally
            tally.add(own)
            dropped += lines
        }
        var text = MetricsText()
        text.add(tally)
        let (batches, times) = writerTally.now
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
