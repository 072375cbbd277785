internal import ThumbSecrets
internal import ThumbSignIn

/// The first sign-in on a device, and the one after its fingers changed.
extension Desk {
    func makeAccount(_ request: Request) throws(SignInRefusal) -> Step {
        guard isSignUpOpen else { throw .closed }
        let members = try Members(request.arrived(), needed: ["account", "password"])
        let account = try members.account()
        let password = try members.password()
        return .turn(account) { () throws(SignInRefusal) in
            let salt = try self.cost.salt()
            return self.stretch(password, salt) { stretched throws(SignInRefusal) in
                .settle(.makeAccount(account, stretched)) { outcome throws(SignInRefusal) in
                    guard case .done = outcome else { throw outcome.reason }
                    var json = JSONWriter()
                    json.add("account", account.text)
                    return .answer(Answer(201, json.ended()))
                }
            }
        }
    }

    func beginSession(_ request: Request) throws(SignInRefusal) -> Step {
        let members = try Members(request.arrived(), needed: ["account", "password"])
        let account = try members.account()
        let password = try members.password()
        // In turn: attempts side by side would all be looked at before the first of them counts as a miss.
        return .turn(account) {
            .settle(.readPassword(account)) { outcome throws(SignInRefusal) in
                let known: StretchedPassword?
                let (misses, until): (Int, Moment)
                switch outcome {
                case .password(let stretched, let count, let end): (known, misses, until) = (stretched, count, end)
                case .none:
                    known = nil
                    (misses, until) = self.strangers.misses(of: account)
                default: throw .busy
                }
                if let seconds = PasswordDelay.wait(until: until, at: self.now()) {
                    return .answer(Answer(.slowDown, retryAfter: seconds))
                }
                return try self.compare(password, with: known, of: account, misses: misses)
            }
        }
    }

    /// The same work whether there is such an account or not: a question, a stretched password, a durable write.
    private func compare(
        _ password: SecretBytes, with known: StretchedPassword?, of account: AccountName, misses: Int
    ) throws(SignInRefusal) -> Step {
        let wanted: StretchedPassword
        if let known { wanted = known } else { wanted = try cost.decoy() }
        return .stretch(password, salt: wanted.salt, passes: wanted.passes, kibibytes: wanted.kibibytes) {
            secret throws(SignInRefusal) in
            guard let secret else { throw .busy }
            let isRight = unsafe secret.withUnsafeBytes { bytes in
                unsafe wanted.hash.withUnsafeBytes { unsafe ConstantTime.equal(bytes, $0) }
            }
            if isRight, known != nil {
                let (token, session) = try self.newSession()
                return .settle(.beginPasswordSession(account, session)) { outcome throws(SignInRefusal) in
                    guard case .done = outcome else { throw outcome.reason }
                    return self.begun(token, account, .password, session.expires)
                }
            }
            let now = self.now()
            let until = PasswordDelay.end(ofMiss: misses + 1, at: now)
            if known != nil {
                return .settle(.noteMiss(account, misses: misses + 1, until: until)) { _ throws(SignInRefusal) in
                    throw .credentials
                }
            }
            self.strangers.note(account, misses: misses + 1, until: until)
            // A challenge that nobody was told: written like a miss, and forgotten like any other.
            let decoy = ChallengeRecord(given: try self.random(), to: account, for: .signIn, at: now)
            return .settle(.giveChallenge(decoy)) { _ throws(SignInRefusal) in throw .credentials }
        }
    }

    private func stretch(
        _ password: SecretBytes, _ salt: [UInt8], _ body: @escaping (StretchedPassword) throws(SignInRefusal) -> Step
    ) -> Step {
        let (passes, kibibytes) = (cost.passes, cost.kibibytes)
        return .stretch(password, salt: salt, passes: passes, kibibytes: kibibytes) { secret throws(SignInRefusal) in
            guard let secret else { throw .busy }
            let hash = unsafe secret.withUnsafeBytes { unsafe [UInt8]($0) }
            return try body(StretchedPassword(salt: salt, passes: passes, kibibytes: kibibytes, hash: hash))
        }
    }
}
