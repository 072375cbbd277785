#if os(Linux)
import LocalAuthentication
import ThumbSignIn

extension SignIn {
    /// Signs in: the server gives a challenge, the owner shows a finger, a session begins. The session is kept, and `session()` returns it
    /// from then on.
    ///
    /// The owner is asked each time, with the server's origin and the account and none of the app's words. Fails with `notEnabled`, and
    /// with `needsPassword` if the key can't be used any more; it then keeps failing like this until `enable`.
    @discardableResult
    nonisolated(nonsending) public func signIn() async throws(SignInError) -> Session {
        guard let record = try record(), record.isRegistered else { throw .notEnabled }
        let (statement, signature) = try await signed(.signIn, record)
        let answer: RemoteServer.Session
        do throws(RemoteServer.Failure) {
            answer = try await server.signIn(statement, signature)
        } catch {
            switch error.code {
            case .deviceRevoked: try lose(record, .revoked)
            case .deviceUnknown: try lose(record, .unknownAtServer)
            default: throw error.error
            }
        }
        // While the owner and the server were asked, the device may have been disabled, or enabled with another key.
        guard let now = try self.record(), now.isRegistered, now.device == record.device else {
            try? await server.end(answer.token)
            throw .notEnabled
        }
        return try keep(answer, now)
    }

    /// A statement for that purpose, over a new challenge. The owner has this device's key sign it.
    nonisolated(nonsending) func signed(_ purpose: Purpose, _ record: SignInRecord) async throws(SignInError) -> (Statement, Data)
    {
        if let loss = record.loss { throw .needsPassword(loss) }
        guard let key = try key(of: record) else { try lose(record, .keyGone) }
        let statement = try await statement(purpose, key)
        do throws(EnclaveKeyError) {
            return (statement, try await key.sign(statement))
        } catch {
            if case .needsPassword(let loss) = SignInError(error) { try lose(record, loss) }
            throw SignInError(error)
        }
    }

    /// Makes the session last longer. Asks nobody. Fails with `noSession` if the server doesn't know it any more; sign in again then.
    @discardableResult
    nonisolated(nonsending) public func renew() async throws(SignInError) -> Session {
        guard let session = try session() else { throw .noSession }
        let answer: RemoteServer.Session
        do throws(RemoteServer.Failure) {
            answer = try await server.renew(session.token, of: accountName)
        } catch {
            try forgetSession(session.token, error)
            throw error.error
        }
        guard let renewed = try await keep(answer, inPlaceOf: session.token) else { throw .noSession }
        return renewed
    }

    /// Asks the server whether the session is still valid, and returns the state afterwards.
    nonisolated(nonsending) public func check() async throws(SignInError) -> State {
        guard let session = try session() else { return try state() }
        do throws(RemoteServer.Failure) {
            try await server.check(session.token)
        } catch {
            try forgetSession(session.token, error)
            if error.code != .session { throw error.error }
        }
        return try state()
    }

    /// Ends the session: here in any case, and at the server if it can be reached. The device stays enabled.
    ///
    /// Fails with `unreachable` if the server couldn't be told. The session then ends there by itself.
    nonisolated(nonsending) public func signOut() async throws(SignInError) {
        guard var record = try record(), let token = record.token else { return }
        (record.token, record.expires) = (nil, nil)
        try keep(record)
        do throws(RemoteServer.Failure) {
            try await server.end(token)
        } catch {
            if error.code != .session { throw error.error }
        }
    }

    /// If the server says that the session of that token is over, it is over here too. Another session may have begun in the meantime.
    func forgetSession(_ token: String, _ failure: RemoteServer.Failure) throws(SignInError) {
        guard failure.code == .session, var record = try record(), record.token == token else { return }
        (record.token, record.expires) = (nil, nil)
        try keep(record)
    }

    /// Keeps the session that takes the place of another. If that one ended here while the server was asked, by `signOut` for example, the
    /// new one ends too, and nothing is returned.
    @discardableResult
    nonisolated(nonsending) func keep(
        _ answer: RemoteServer.Session, inPlaceOf token: String
    ) async throws(SignInError) -> Session? {
        guard let record = try record(), record.token == token else {
            try? await server.end(answer.token)
            return nil
        }
        return try keep(answer, record)
    }

    private func keep(_ answer: RemoteServer.Session, _ record: SignInRecord) throws(SignInError) -> Session {
        var record = record
        (record.token, record.expires) = (answer.token, answer.expires)
        guard let session = session(in: record) else { throw .badAnswer }
        try keep(record)
        return session
    }
}
#endif
