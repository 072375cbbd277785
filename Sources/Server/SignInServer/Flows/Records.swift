import ThumbSecrets
import ThumbSignIn

/// What one of HTTP's threads has answered, as counts and as lines for the log.
final class Records: Sendable {
    private let state: Locked<(tally: Tally, log: LogLines)>

    init(_ lines: LogLines) { state = Locked((tally: Tally(), log: lines)) }

    func note(_ route: Route, _ method: Method, _ answer: Answer, nanoseconds: UInt64, by asker: Asker, at now: Moment) {
        state.withLock {
            $0.tally.note(route, method, answer, nanoseconds: nanoseconds)
            $0.log.add(route, method, answer, nanoseconds: nanoseconds, by: asker, at: now)
        }
    }

    var counted: (tally: Tally, droppedLines: Int) { state.withLock { ($0.tally, $0.log.dropped) } }

    func takeLog() -> [UInt8] { state.withLock { $0.log.taken() } }
}
