import ThumbLoop
import ThumbSecretService

/// Work of which only so much is done at a time; the rest waits in its order.
///
/// Changes are done one after the other: what one decides on must still be so when the daemon has done it.
@OnLoop final class WorkLine {
    private var room: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Parameter limit: how much is done at a time.
    init(limit: Int) { room = limit }

    /// Does something once there is room for it.
    func run<Value>(_ work: @OnLoop () async throws(ServiceFailure) -> Value) async throws(ServiceFailure) -> Value {
        if room > 0 { room -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
        defer {
            if waiting.isEmpty { room += 1 } else { waiting.removeFirst().resume() }
        }
        return try await work()
    }
}
