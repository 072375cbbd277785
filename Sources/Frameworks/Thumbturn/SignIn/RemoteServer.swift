#if os(Linux)
import FoundationNetworking
import LocalAuthentication
import ThumbSignIn

/// A server's refusal, by a code that this version knows.
struct Refusal: Sendable, Hashable {
    var code: SignInRefusal
    /// How many seconds it doesn't want to be asked.
    var seconds = 1
}

/// The requests to a sign-in server (docs/developers/sign-in.md, The server), and how its answers are read. An answer that isn't exactly
/// right doesn't count as one.
struct RemoteServer: Sendable {
    enum Failure: Error, Sendable, Hashable {
        case refused(Refusal)
        case other(SignInError)

        var error: SignInError {
            switch self {
            case .refused(let refusal): SignInError(refusal)
            case .other(let error): error
            }
        }

        var code: SignInRefusal? {
            guard case .refused(let refusal) = self else { return nil }
            return refusal.code
        }
    }

    let origin: Origin

    struct Session: Decodable, Sendable {
        var token: String
        var account: String
        var kind: String
        var expires: Int64
    }

    private struct Given: Decodable { var challenge: String }
    private struct Registered: Decodable { var device: String }
    private struct Refused: Decodable { var error: String }

    func session(of account: AccountName, password: String) async throws(Failure) -> Session {
        let body = ["account": account.text, "password": password]
        let session: Session = try await ask("POST", "/v1/sessions", body: body, expecting: 201)
        return try checked(session, account, "password")
    }

    func challenge(for account: AccountName, _ purpose: Purpose) async throws(Failure) -> Challenge {
        let body = ["account": account.text, "purpose": purpose.rawValue]
        let given: Given = try await ask("POST", "/v1/challenges", body: body, expecting: 201)
        guard let challenge = Challenge(text: given.challenge) else { throw .other(.badAnswer) }
        return challenge
    }

    func signIn(_ statement: Statement, _ signature: Data) async throws(Failure) -> Session {
        let body = ["statement": statement.text, "signature": Base64URL.encoded(signature)]
        let session: Session = try await ask("POST", "/v1/sign-ins", body: body, expecting: 201)
        return try checked(session, statement.account, "device")
    }

    func register(
        _ key: Data, name: String, protection: String, _ statement: Statement, _ signature: Data, token: String
    ) async throws(Failure) {
        let body = [
            "key": Base64URL.encoded(key), "name": name, "protection": protection, "statement": statement.text,
            "signature": Base64URL.encoded(signature),
        ]
        let registered: Registered = try await ask("POST", "/v1/devices", token: token, body: body, expecting: 201)
        guard registered.device == statement.device.text else { throw .other(.badAnswer) }
    }

    func renew(_ token: String, of account: AccountName) async throws(Failure) -> Session {
        let answer = try await answer("POST", "/v1/session/renewal", token, nil, expecting: 201)
        return try checked(value(answer), account, "device")
    }

    /// Ends a session, even for a task that is cancelled: a session that nobody uses must not stay open.
    func end(_ token: String) async throws(Failure) {
        let ending = Task { () async -> Failure? in
            do throws(Failure) {
                try await done("DELETE", "/v1/session", token)
                return nil
            } catch {
                return error
            }
        }
        if let failure = await ending.value { throw failure }
    }

    // MARK: Acts on the account, each with a proof of its own

    /// The members of a proof: the password, or a statement with its signature.
    typealias Proof = [String: String]

    func revoke(_ device: String, _ proof: Proof, token: String) async throws(Failure) {
        try await done("POST", "/v1/devices/\(device)/revocation", token, proof)
    }

    /// - Returns: the session that replaces the asking one; the old token is invalid from then on.
    func changePassword(
        to new: String, others: OtherSessions, _ proof: Proof, token: String
    ) async throws(Failure) -> Session {
        let body = proof.merging(["new_password": new, "sessions": others.rawValue]) { $1 }
        return try await ask("PUT", "/v1/password", token: token, body: body, expecting: 200)
    }

    /// As `changePassword`.
    func removePassword(others: OtherSessions, _ proof: Proof, token: String) async throws(Failure) -> Session {
        let body = proof.merging(["sessions": others.rawValue]) { $1 }
        return try await ask("POST", "/v1/password/removal", token: token, body: body, expecting: 200)
    }

    /// As `changePassword`.
    func endOthers(_ proof: Proof, token: String) async throws(Failure) -> Session {
        try await ask("POST", "/v1/sessions/removal", token: token, body: proof, expecting: 200)
    }

    func endSession(_ id: String, _ proof: Proof, token: String) async throws(Failure) {
        try await done("POST", "/v1/sessions/removal", token, proof.merging(["session": id]) { $1 })
    }

    func deleteAccount(_ proof: Proof, token: String) async throws(Failure) {
        try await done("POST", "/v1/account/removal", token, proof)
    }

    struct Listed: Decodable, Sendable {
        var session: String
        var kind: String
        var device: String?
        var began: Int64
        var expires: Int64
        var current: Bool
    }

    private struct List: Decodable { var sessions: [Listed] }

    func sessions(token: String) async throws(Failure) -> [Listed] {
        let list: List = try value(try await answer("GET", "/v1/sessions", token, nil, expecting: 200))
        return list.sessions
    }

    struct ListedDevice: Decodable, Sendable {
        var device: String
        var name: String
        var registered: Int64
        var last_used: Int64?
        var revoked: Int64?
    }

    private struct Devices: Decodable { var devices: [ListedDevice] }

    func devices(token: String) async throws(Failure) -> [ListedDevice] {
        let list: Devices = try value(try await answer("GET", "/v1/devices", token, nil, expecting: 200))
        return list.devices
    }

    /// Whether the session is still valid.
    func check(_ token: String) async throws(Failure) {
        _ = try await answer("GET", "/v1/session", token, nil, expecting: 200)
    }

    // MARK: Asking

    private func done(_ method: String, _ path: String, _ token: String, _ body: Proof? = nil) async throws(Failure) {
        _ = try await answer(method, path, token, try body.map(encoded), expecting: 204)
    }

    private func encoded(_ body: some Encodable) throws(Failure) -> Data {
        do { return try JSONEncoder().encode(body) } catch { throw .other(.badName) }
    }

    private func ask<Answer: Decodable>(
        _ method: String, _ path: String, token: String? = nil, body: some Encodable, expecting status: Int
    ) async throws(Failure) -> Answer {
        try value(try await answer(method, path, token, try encoded(body), expecting: status))
    }

    func value<Answer: Decodable>(_ answer: SignInTransfer.Answer) throws(Failure) -> Answer {
        guard let value = try? JSONDecoder().decode(Answer.self, from: answer.body) else { throw .other(.badAnswer) }
        return value
    }

    private func answer(
        _ method: String, _ path: String, _ token: String?, _ body: Data?, expecting status: Int
    ) async throws(Failure) -> SignInTransfer.Answer {
        guard let url = URL(string: origin.text + path) else { throw .other(.badName) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        if let body {
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = body
        }
        let answer: SignInTransfer.Answer
        do throws(SignInError) {
            answer = try await SignInTransfer.run(request)
        } catch {
            throw .other(error)
        }
        return try taken(answer, expecting: status)
    }

    /// The answer, if it has the status that was expected, and in JSON if it has a body; else it fails with what the answer means.
    func taken(_ answer: SignInTransfer.Answer, expecting status: Int) throws(Failure) -> SignInTransfer.Answer {
        if answer.status == status, status == 204 || answer.isJSON { return answer }
        throw failure(answer)
    }

    private func failure(_ answer: SignInTransfer.Answer) -> Failure {
        // The server answers in JSON. A proxy in front of it may say in its own words that nobody is there.
        guard answer.isJSON, (400...599).contains(answer.status),
            let refused = try? JSONDecoder().decode(Refused.self, from: answer.body),
            let code = SignInRefusal(rawValue: refused.error)
        else { return .other((502...504).contains(answer.status) ? .unreachable : .badAnswer) }
        return .refused(Refusal(code: code, seconds: answer.retryAfter.flatMap(Int.init).map { min(max($0, 1), 86_400) } ?? 1))
    }

    func checked(_ session: Session, _ account: AccountName, _ kind: String) throws(Failure) -> Session {
        guard session.account == account.text, session.kind == kind, Digest32(text: session.token) != nil else {
            throw .other(.badAnswer)
        }
        return session
    }
}

extension SignInTransfer.Answer {
    fileprivate var isJSON: Bool {
        type?.split(separator: ";").first?.trimmingCharacters(in: .whitespaces).lowercased() == "application/json"
    }
}
#endif
