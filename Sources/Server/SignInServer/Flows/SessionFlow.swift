import ThumbSignIn

/// What a client can do with a session's token.
extension Flows {
    /// Goes on with the session of the request's token.
    func withSession(
        _ request: Request, _ body: @escaping (SessionRecord) throws(SignInRefusal) -> Step
    ) throws(SignInRefusal) -> Step {
        .settle(.readSession(try request.bearer())) { outcome throws(SignInRefusal) in
            switch outcome {
            case .session(let session):
                guard !session.isExpired(at: self.now()) else { throw .session }
                return try body(session)
            case .none: throw .session
            default: throw outcome.reason
            }
        }
    }

    func renew(_ request: Request) throws(SignInRefusal) -> Step {
        let old = try request.bearer()
        return try withSession(request) { session throws(SignInRefusal) in
            let (token, next) = try self.token(renewing: session)
            return .settle(.renewSession(old, to: next.token, expires: next.expires)) { outcome throws(SignInRefusal) in
                switch outcome {
                case .done, .session: return self.begun(token, session.account, session.kind, next.expires)
                case .none: throw .session
                default: throw outcome.reason
                }
            }
        }
    }

    /// A token that replaces the session's, and its form for the ledger.
    func token(renewing session: SessionRecord) throws(SignInRefusal) -> (text: String, next: NewSession) {
        let token = try random()
        let expires = SessionTimes.expiry(renewing: session, at: now())
        return (token.text, NewSession(token: try keys.sha256(token.bytes), expires: expires))
    }

    func end(_ request: Request) throws(SignInRefusal) -> Step {
        let token = try request.bearer()
        return try withSession(request) { _ in
            .settle(.endSession(token)) { _ in .answer(Answer(204)) }
        }
    }

    func written(_ session: SessionRecord) -> [UInt8] {
        var json = JSONWriter()
        json.add("account", session.account.text)
        json.add("kind", session.kind.rawValue)
        if let device = session.device { json.add("device", device.text) }
        json.add("expires", session.expires.seconds)
        if let fresh = session.freshUntil { json.add("fresh_until", fresh.seconds) }
        return json.ended()
    }
}
