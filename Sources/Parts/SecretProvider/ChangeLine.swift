import ThumbLoop
import ThumbSecretService

/// Changes, one after the other: what one decides on must still be so when the daemon has done it.
@OnLoop final class ChangeLine {
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Does something once everything before it is done.
    func run<Value>(_ work: @OnLoop () async throws(ServiceFailure) -> Value) async throws(ServiceFailure) -> Value {
        if isBusy {
            await withCheckedContinuation { waiting.append($0) }
        } else {
            isBusy = true
        }
        defer {
            if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
        }
        return try await work()
    }
}
