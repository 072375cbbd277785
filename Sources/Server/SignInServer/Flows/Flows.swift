import ThumbCrypto
import ThumbSecrets
import ThumbSignIn

/// Where requests are answered: each flow leads from a request to its answer, in the order of docs/developers/sign-in.md. It knows nothing
/// about HTTP.
final class Flows: Sendable {
    let origin: Origin
    let isSignUpOpen: Bool
    let now: @Sendable () -> Moment
    let cost: Passwords.Cost
    /// Which new passwords are taken.
    let passwords: PasswordRule
    let keys = KnownKeys()
    let strangers = Strangers()
    private let metrics: Metrics

    init(
        origin: Origin, isSignUpOpen: Bool, cost: Passwords.Cost, passwords: PasswordRule, metrics: Metrics,
        now: @escaping @Sendable () -> Moment
    ) {
        self.origin = origin
        self.isSignUpOpen = isSignUpOpen
        self.cost = cost
        self.passwords = passwords
        self.now = now
        self.metrics = metrics
    }

    func begin(_ request: Request) throws(SignInRefusal) -> Step {
        switch request.operation {
        case .makeAccount: try makeAccount(request)
        case .beginSession: try beginSession(request)
        case .giveChallenge: try giveChallenge(request)
        case .signIn: try signIn(request)
        case .readSession: try withSession(request) { .answer(Answer(200, self.written($0))) }
        case .renewSession: try renew(request)
        case .endSession: try end(request)
        case .listDevices: try listDevices(request)
        case .register: try register(request)
        case .rename: try rename(request)
        case .revoke: try revoke(request)
        case .changePassword: try changePassword(request)
        case .removePassword: try removePassword(request)
        case .listSessions: try listSessions(request)
        case .endSessions: try endSessions(request)
        case .deleteAccount: try deleteAccount(request)
        case .health: health()
        case .metrics: metricsStep()
        case .openAPI: openAPI()
        }
    }

    // MARK: What answers for the server itself

    private func health() -> Step {
        // A question that goes to the database, and finds nothing.
        .settle(.readSession(Self.nobody)) { _ in
            var json = JSONWriter()
            json.add("status", "ok")
            return .answer(Answer(200, json.ended()))
        }
    }

    private static let nobody = Digest32([UInt8](repeating: 0, count: 32))!  // 32 bytes are a digest.

    private func metricsStep() -> Step {
        var answer = Answer(200, metrics.text())
        answer.media = .metrics
        return .answer(answer)
    }

    private func openAPI() -> Step {
        var answer = Answer(200, PackageResources.openapi_yaml)
        answer.media = .yaml
        return .answer(answer)
    }

    // MARK: Challenges

    private func giveChallenge(_ request: Request) throws(SignInRefusal) -> Step {
        let members = try Members(request.arrived(), needed: ["account", "purpose"])
        let account = try members.account()
        guard let purpose = Purpose(rawValue: try members.text("purpose")) else { throw .value }
        let challenge = try random()
        let record = ChallengeRecord(given: try keys.sha256(challenge.bytes), to: account, for: purpose, at: now())
        return .settle(.giveChallenge(record)) { _ in
            var json = JSONWriter()
            json.add("challenge", challenge.text)
            json.add("expires", record.expires.seconds)
            return .answer(Answer(201, json.ended()))
        }
    }

    // MARK: Shared

    /// 32 bytes that nobody can guess: a challenge, or a token.
    func random() throws(SignInRefusal) -> Digest32 {
        var bytes = [UInt8](repeating: 0, count: 32)
        do {
            try unsafe bytes.withUnsafeMutableBytes { memory in try unsafe SystemRandom.fill(memory) }
        } catch { throw .busy }
        guard let random = Digest32(bytes) else { throw .busy }
        return random
    }

    /// A session's token, and the session in the form for the ledger.
    func newSession() throws(SignInRefusal) -> (token: String, session: NewSession) {
        let token = try random()
        return (token.text, NewSession(token: try keys.sha256(token.bytes), expires: SessionTimes.expiry(beginning: now())))
    }

    func begun(
        _ token: String, _ account: AccountName, _ kind: SessionKind, _ expires: Moment, status: Int = 201
    ) -> Step {
        var json = JSONWriter()
        json.add("token", token)
        json.add("account", account.text)
        json.add("kind", kind.rawValue)
        json.add("expires", expires.seconds)
        return .answer(Answer(status, json.ended()))
    }
}

extension Request {
    func arrived() throws(SignInRefusal) -> Body {
        guard let body else { throw .malformed }
        return body
    }

    func bearer() throws(SignInRefusal) -> Digest32 {
        guard let token else { throw .session }
        return token
    }
}
