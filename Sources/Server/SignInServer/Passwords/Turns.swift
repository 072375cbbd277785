import ThumbMetering
import ThumbSecrets
import ThumbSignIn

/// One password at a time for each account: if attempts ran side by side, all of them would be checked before the first one counts as a
/// miss. The line before each account is fair between clients.
final class Turns: Sendable {
    private struct Waiting: Sendable {
        let client: Client
        let begin: @Sendable () -> Void
    }

    private struct State {
        var lines: [AccountName: FairLine<Client, Client, Waiting>] = [:]
        /// Of all lines together.
        var shares = Shares(Limits.waitingPasswords, ofClient: Limits.waitingPasswordsOfClient)
    }

    enum Entry { case now, later, never }

    private let state = Locked(State())

    /// - Returns: `.now` if it is its turn; `.later` if `begin` will be called; `.never` if as many are waiting as allowed, of this client or
    ///   of all.
    func enter(_ account: AccountName, of client: Client, _ begin: @escaping @Sendable () -> Void) -> Entry {
        state.withLock { state in
            guard state.lines[account] != nil else {
                state.lines[account] = FairLine(perPeer: .max, perUser: .max)
                return .now
            }
            guard state.shares.take(client) else { return .never }
            _ = state.lines[account]?.add(Waiting(client: client, begin: begin), of: client, client)
            return .later
        }
    }

    func leave(_ account: AccountName) {
        let next: (@Sendable () -> Void)? = state.withLock { state in
            guard let next = state.lines[account]?.next() else {
                state.lines[account] = nil
                return nil
            }
            state.shares.giveBack(next.client)
            return next.begin
        }
        next?()
    }
}
