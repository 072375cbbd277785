import ThumbSignIn

/// What the owner does to the account. A token alone isn't enough for any of it: each request brings a proof of its own, either the
/// password or a statement that a device has signed for exactly this act.
extension Flows {
    func changePassword(_ request: Request) throws(SignInRefusal) -> Step {
        try withProof(request, for: .changePassword, needed: ["new_password"], allowed: ["sessions"]) {
            session, members, asked throws(SignInRefusal) in
            let password = try members.password("new_password")
            try self.passwords.check(password, of: session.account)
            let others = try Self.others(members)
            let (token, next) = try self.token(renewing: session)
            return try asked { proof throws(SignInRefusal) in
                self.stretched(password, try self.cost.salt()) { kept throws(SignInRefusal) in
                    try self.act(.password(kept, others, next), session, request, proof, token)
                }
            }
        }
    }

    func removePassword(_ request: Request) throws(SignInRefusal) -> Step {
        try withProof(request, for: .removePassword, allowed: ["sessions"]) { session, members, asked throws(SignInRefusal) in
            let others = try Self.others(members)
            let (token, next) = try self.token(renewing: session)
            return try asked { proof throws(SignInRefusal) in
                try self.act(.noPassword(others, next), session, request, proof, token)
            }
        }
    }

    func endSessions(_ request: Request) throws(SignInRefusal) -> Step {
        try withProof(request, for: .endSessions, allowed: ["session"]) { session, members, asked throws(SignInRefusal) in
            if let name = try members.optionalText("session") {
                guard let id = SessionID(text: name) else { throw .value }
                return try asked { proof throws(SignInRefusal) in try self.act(.endSession(id), session, request, proof) }
            }
            let (token, next) = try self.token(renewing: session)
            return try asked { proof throws(SignInRefusal) in
                try self.act(.endOtherSessions(next), session, request, proof, token)
            }
        }
    }

    func revoke(_ request: Request) throws(SignInRefusal) -> Step {
        // A text that isn't a device's name matches no device.
        let device = request.device.flatMap { DeviceID(text: $0) }
        return try withProof(request, for: .revokeDevice) { session, _, asked throws(SignInRefusal) in
            guard let device else { throw .notFound }
            return try asked { proof throws(SignInRefusal) in try self.act(.revoke(device), session, request, proof) }
        }
    }

    func deleteAccount(_ request: Request) throws(SignInRefusal) -> Step {
        try withProof(request, for: .deleteAccount) { session, _, asked throws(SignInRefusal) in
            try asked { proof throws(SignInRefusal) in try self.act(.delete, session, request, proof) }
        }
    }

    func listSessions(_ request: Request) throws(SignInRefusal) -> Step {
        try withSession(request) { own throws(SignInRefusal) in
            .settle(.readSessions(own.account)) { outcome throws(SignInRefusal) in
                guard case .sessions(let sessions) = outcome else { throw outcome.reason }
                var json = JSONWriter(capacity: 64 + 192 * sessions.count)
                json.add("sessions", sessions.map { Self.written($0, isOwn: $0.id == own.id) })
                return .answer(Answer(200, json.ended()))
            }
        }
    }

    // MARK: Proofs

    private typealias Proved = (FreshProof) throws(SignInRefusal) -> Step
    /// Checks the proof that was sent, and goes on if it is valid.
    private typealias Asked = (@escaping Proved) throws(SignInRefusal) -> Step

    /// Reads the session, then the body with its proof. The form of everything is checked before the proof, which may cost a stretched
    /// password.
    private func withProof(
        _ request: Request, for purpose: Purpose, needed: [StaticString] = [], allowed: [StaticString] = [],
        _ body: @escaping (SessionRecord, Members, @escaping Asked) throws(SignInRefusal) -> Step
    ) throws(SignInRefusal) -> Step {
        try withSession(request) { session throws(SignInRefusal) in
            let members = try Members(
                request.arrived(), needed: needed, allowed: allowed + ["password", "statement", "signature"])
            let isPassword = members.has("password")
            // There must be exactly one proof, and it must be complete.
            guard members.has("statement") != isPassword, members.has("signature") != isPassword else { throw .members }
            let asked: Asked =
                isPassword
                ? try self.asked(password: members, of: session.account)
                : try self.asked(statement: members, of: session.account, purpose)
            return try body(session, members, asked)
        }
    }

    private func asked(password members: Members, of account: AccountName) throws(SignInRefusal) -> Asked {
        let password = try members.password()
        return { body in
            self.withPassword(password, of: account) { kept throws(SignInRefusal) in try body(.password(kept)) }
        }
    }

    private func asked(
        statement members: Members, of account: AccountName, _ purpose: Purpose
    ) throws(SignInRefusal) -> Asked {
        let signature = try members.decoded("signature")
        let claim = try SignInClaim(statement: try members.bytes("statement"), signature: signature, at: origin, for: purpose)
        // A signature for another account proves nothing about this one.
        guard claim.statement.account == account else { throw .statementAccount }
        return { body throws(SignInRefusal) in
            try self.verified(claim) { proof throws(SignInRefusal) in
                // In turn, as for a password, because what follows may stretch one.
                .turn(account) { () throws(SignInRefusal) in try body(.statement(proof.device, challenge: proof.challenge)) }
            }
        }
    }

    private static func others(_ members: Members) throws(SignInRefusal) -> OtherSessions {
        guard let word = try members.optionalText("sessions") else { return .end }
        guard let others = OtherSessions(rawValue: word) else { throw .value }
        return others
    }

    // MARK: Acting

    /// - Parameter token: The token of the session that replaces the asking one; nil if none does.
    private func act(
        _ change: AccountChange, _ session: SessionRecord, _ request: Request, _ proof: FreshProof, _ token: String? = nil
    ) throws(SignInRefusal) -> Step {
        let act = AccountAct(change, of: session.account, session: try request.bearer(), proof: proof)
        return .settle(.act(act)) { outcome throws(SignInRefusal) in
            switch outcome {
            case .done: return .answer(Answer(204))
            case .session(let next):
                guard let token else { throw .busy }
                return self.begun(token, next.account, next.kind, next.expires, status: 200)
            case .none: throw .notFound
            default: throw outcome.reason
            }
        }
    }

    private static func written(_ session: SessionRecord, isOwn: Bool) -> [UInt8] {
        var json = JSONWriter()
        json.add("session", session.id.text)
        json.add("kind", session.kind.rawValue)
        if let device = session.device { json.add("device", device.text) }
        json.add("began", session.began.seconds)
        json.add("expires", session.expires.seconds)
        json.add("current", isOwn)
        return json.ended()
    }
}
