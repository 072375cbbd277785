#if os(Linux)
public import LocalAuthentication
import ThumbSignIn

/// An account at a sign-in server, and this device's way into it: first the password, and from then on the owner's finger.
///
/// The device signs the server's challenge with a key that only its owner releases, and the server trusts that signature
/// (docs/developers/sign-in.md). The value itself only has names. Everything else is in the keychain, so two values with the same names are
/// the same. Two programs must not enable one account at the same moment.
public struct SignIn: Sendable {
    /// How far signing in has come.
    public enum State: Sendable, Hashable {
        /// This device isn't enabled for the account.
        case signedOut
        /// The device's key is registered: `signIn` asks the owner, and needs nothing else.
        case enabled
        /// There is a session until that date. The server may end it earlier.
        case signedIn(until: Date)
        /// The device's key can't be used any more. `enable` takes the password and makes another.
        case needsPassword(Loss)
    }

    /// Why the device's key can't be used any more.
    public enum Loss: String, Sendable, Hashable, Codable {
        /// Other fingers or faces are enrolled than when the key was made.
        case enrolmentChanged
        /// The key doesn't exist: it was removed, or this is another keychain.
        case keyGone
        /// The device was revoked at the server.
        case revoked
        /// The server knows no such device of that account.
        case unknownAtServer
    }

    /// A session. The server accepts its token for the account until it ends.
    public struct Session: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
        /// The token. Send it to the server's own programs as `Authorization: Bearer …`, and nowhere else.
        public let token: String
        /// When it ends, unless it is renewed.
        public let expires: Date

        /// The session for a log, without its token.
        public var description: String { "session until \(expires)" }
        /// The same as `description`.
        public var debugDescription: String { description }
    }

    /// The server, in the form that statements use: `https://bank.example`.
    public let origin: String
    /// The account's name.
    public let account: String
    /// The access group in which key and token are kept; nil is the app's own.
    public let accessGroup: String?

    let accountName: AccountName
    let server: RemoteServer
    let vault: Vault
    let now: @Sendable () -> Date

    /// Names an account at a server. Asks nobody.
    ///
    /// - Parameters:
    ///   - origin: The server: `https://HOST`, or `http://` with a host that is this machine, and `:PORT` unless it is the scheme's own. It
    ///     must be in lower case and without a slash at the end; anything else fails with `badName`.
    ///   - account: The account's name there.
    ///   - accessGroup: The access group in which key and token are kept; nil means the app's own.
    ///   - now: The clock by which sessions end; for tests.
    public init(
        _ origin: String, account: String, accessGroup: String? = nil, now: @escaping @Sendable () -> Date = { Date() }
    ) throws(SignInError) {
        guard let known = Origin(origin), let name = AccountName(account) else { throw .badName }
        self.origin = origin
        self.account = account
        self.accessGroup = accessGroup
        accountName = name
        server = RemoteServer(origin: known)
        vault = Vault("thumbturn.sign-in", guardedBy: .nothing, accessGroup: accessGroup)
        self.now = now
    }

    /// The state, as far as this device knows it. Asks neither the owner nor the server.
    public func state() throws(SignInError) -> State {
        guard let record = try record(), record.isRegistered else { return .signedOut }
        if let loss = record.loss { return .needsPassword(loss) }
        guard let key = try key(of: record) else { return .needsPassword(.keyGone) }
        if let loss = try kept({ () throws(EnclaveKeyError) in try key.loss() }) { return .needsPassword(loss) }
        if let session = session(in: record) { return .signedIn(until: session.expires) }
        return .enabled
    }

    /// The present session; nil if there is none or it has ended. Asks neither the owner nor the server.
    public func session() throws(SignInError) -> Session? { try record().flatMap(session(in:)) }

    func session(in record: SignInRecord) -> Session? {
        guard record.loss == nil, let token = record.token, let expires = record.expires else { return nil }
        let date = Date(timeIntervalSince1970: TimeInterval(expires))
        return date > now() ? Session(token: token, expires: date) : nil
    }

    // MARK: What is kept

    /// The name of key and record. Neither half has a space.
    var name: String { "\(origin) \(account)" }
    var keyName: String { "thumbturn.sign-in \(name)" }

    func record() throws(SignInError) -> SignInRecord? {
        do throws(VaultError) {
            return try vault.read(name, as: SignInRecord.self)
        } catch .unreadable {
            // Another version wrote it, or it isn't ours. It counts as if nothing had been kept, and enabling replaces it by a right one.
            return nil
        } catch {
            throw SignInError(error)
        }
    }

    func keep(_ record: SignInRecord) throws(SignInError) {
        do throws(VaultError) {
            try vault.save(record, as: name)
        } catch {
            throw SignInError(error)
        }
    }

    /// The key that was registered; nil if it doesn't exist, or another has taken its place.
    func key(of record: SignInRecord) throws(SignInError) -> SignInKey? {
        let key = try kept { () throws(EnclaveKeyError) in try SignInKey.find(keyName, accessGroup) }
        return key?.device.text == record.device ? key : nil
    }

    func removeKey() throws(SignInError) {
        _ = try kept { () throws(EnclaveKeyError) in try EnclaveKey.remove(keyName, accessGroup: accessGroup) }
    }

    func kept<Value>(_ body: () throws(EnclaveKeyError) -> Value) throws(SignInError) -> Value {
        do throws(EnclaveKeyError) {
            return try body()
        } catch {
            throw SignInError(error)
        }
    }

    /// Notes that the key can't be used any more, and fails with that.
    func lose(_ record: SignInRecord, _ loss: Loss) throws(SignInError) -> Never {
        // While the owner and the server were asked, the device may have been disabled, or enabled with another key.
        if var now = try self.record(), now.device == record.device {
            (now.loss, now.token, now.expires) = (loss, nil, nil)
            try keep(now)
            // A key that the server has merely forgotten can be registered again.
            if loss != .unknownAtServer { try removeKey() }
        }
        throw .needsPassword(loss)
    }

    // MARK: Asking the server

    func asking<Value>(
        _ body: () async throws(RemoteServer.Failure) -> Value
    ) async throws(SignInError) -> Value {
        do throws(RemoteServer.Failure) {
            return try await body()
        } catch {
            throw error.error
        }
    }

    /// A statement over a new challenge, for that key to sign.
    func statement(_ purpose: Purpose, _ key: SignInKey) async throws(SignInError) -> Statement {
        let challenge = try await asking { () async throws(RemoteServer.Failure) in
            try await server.challenge(for: accountName, purpose)
        }
        let request = StatementRequest(origin: server.origin, account: accountName, purpose: purpose, challenge: challenge)
        return request.statement(of: key.device)
    }
}
#endif
