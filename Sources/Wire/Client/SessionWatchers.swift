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
        /// What it told last of what lasts.
        var (isLocked, isInFront) = (false, true)

        mutating func note(_ event: SessionEvent) {
            switch event {
            case .locked: isLocked = true
            case .unlocked: isLocked = false
            case .left: isInFront = false
            case .returned: isInFront = true
            case .asleep, .awake: break
            }
        }
    }

    private let state = Locked(State())

    /// Returns the number that takes the watcher away again. If it isn't the first, it is told what the first was told at once.
    func add(_ told: @escaping Told) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.watchers[state.lastNumber] = told
            // Posted under the lock: what comes after it is told after it.
            if state.isLocked { EventLoop.shared.post { told(.locked) } }
            if !state.isInFront { EventLoop.shared.post { told(.left) } }
            return state.lastNumber
        }
    }

    func remove(_ number: Int) { state.withLock { $0.watchers[number] = nil } }

    /// Has a connection tell them, once.
    func watch(_ connection: DeviceConnection) {
        let isNew = state.withLock { state in
            guard state.watched !== connection, !state.watchers.isEmpty else { return false }
            state.watched = connection
            (state.isLocked, state.isInFront) = (false, true)
            return true
        }
        guard isNew else { return }
        do {
            // This call stays under way until the connection is lost.
            try connection.start(WatchSession()) { [weak self, weak connection] answer in
                guard case .success(let frame) = answer else {
                    self?.tell(nil)
                    return .finished
                }
                // A frame that can't be read ends the connection, which is told here as above.
                guard let told = try? connection?.read({ () throws(Refusal) in try frame.word(SessionTold.self) }) else {
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
        state.withLock { state in
            if let event { state.note(event) } else { (state.isLocked, state.isInFront) = (false, true) }
            for told in state.watchers.values { EventLoop.shared.post { told(event) } }
        }
    }
}
