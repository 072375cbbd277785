import ThumbSecrets
import ThumbSignIn

/// One password at a time for each account: if attempts ran side by side, all of them would be checked before the first one counts as a
/// miss.
final class Turns: Sendable {
    private struct State {
        var waiting: [AccountName: [@Sendable () -> Void]] = [:]
        var count = 0
    }

    enum Entry { case now, later, never }

    private let state = Locked(State())

    /// - Returns: `.now` if it is its turn; `.later` if `begin` will be called; `.never` if as many are waiting as allowed.
    func enter(_ account: AccountName, _ begin: @escaping @Sendable () -> Void) -> Entry {
        state.withLock { state in
            guard state.waiting[account] != nil else {
                state.waiting[account] = []
                return .now
            }
            guard state.count < Limits.waitingPasswords else { return .never }
            state.waiting[account]?.append(begin)
            state.count += 1
            return .later
        }
    }

    func leave(_ account: AccountName) {
        let next: (@Sendable () -> Void)? = state.withLock { state in
            guard let line = state.waiting[account], let first = line.first else {
                state.waiting[account] = nil
                return nil
            }
            state.waiting[account]?.removeFirst()
            state.count -= 1
            return first
        }
        next?()
    }
}
