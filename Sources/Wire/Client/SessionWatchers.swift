import ThumbAccess
import ThumbConversation
import ThumbLoop
import ThumbSecrets

/// Those in this program who want to know what happens to the owner's session.
final class SessionWatchers: Sendable {
    typealias Told = @Sendable (SessionEvent?) -> Void

    private struct State {
        var watchers: [Int: Told] = [:]
        var lastNumber = 0
        /// The connection that tells them.
        weak var watched: DeviceConnection?
    }

    private let state = Locked(State())

    /// Returns the number that takes the watcher away again.
    func add(_ told: @escaping Told) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.watchers[state.lastNumber] = told
            return state.lastNumber
        }
    }

    func remove(_ number: Int) { state.withLock { $0.watchers[number] = nil } }

    /// Has a connection tell them, once.
    func watch(_ connection: DeviceConnection) {
        let isNew = state.withLock { state in
            guard state.watched !== connection, !state.watchers.isEmpty else { return false }
            state.watched = connection
            return true
        }
        guard isNew else { return }
        do {
            // This call stays under way until the connection is lost.
            try connection.start(WatchSession()) { [weak self, weak connection] answer in
                // A frame that can't be read ends the connection.
                guard case .success(let frame) = answer,
                    let told = try? connection?.read({ () throws(Refusal) in try frame.word(SessionTold.self) })
                else {
                    self?.tell(nil)
                    return .finished
                }
                self?.tell(told.event)
                return .more
            }
        } catch {
            // It is lost already. The next one will be watched.
            tell(nil)
        }
    }

    private func tell(_ event: SessionEvent?) {
        EventLoop.shared.post { [state] in for told in state.withLock({ $0.watchers.values }) { told(event) } }
    }
}
