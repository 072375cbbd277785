import ThumbSecrets
import ThumbSignIn

/// The first sign-in on a device, and the first one after its fingers changed.
extension Flows {
    func makeAccount(_ request: Request) throws(SignInRefusal) -> Step {
        guard isSignUpOpen else { throw .closed }
        let members = try Members(request.arrived(), needed: ["account", "password"])
        let account = try members.account()
        let password = try members.password()
        try passwords.check(password, of: account)
        return .turn(account) { () throws(SignInRefusal) in
            let salt = try self.cost.salt()
            return self.stretched(password, salt) { stretched throws(SignInRefusal) in
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
        return withPassword(password, of: account) { kept throws(SignInRefusal) in
            let (token, session) = try self.newSession()
            return .settle(.beginPasswordSession(account, kept, session)) { outcome throws(SignInRefusal) in
                guard case .done = outcome else { throw outcome.reason }
                return self.begun(token, account, .password, session.expires)
            }
        }
    }

    /// Goes on with what is stored of the password, if it is right. Wherever it is asked for, a wrong password counts as a miss and begins
    /// the next wait.
    func withPassword(
        _ password: SecretBytes, of account: AccountName, _ body: @escaping (StretchedPassword) throws(SignInRefusal) -> Step
    ) -> Step {
        // In turn: if attempts ran side by side, all of them would be checked before the first one counts as a miss.
        .turn(account) {
            .settle(.readPassword(account)) { outcome throws(SignInRefusal) in
                let known: StretchedPassword?
                let isThere: Bool
                let (misses, until): (Int, Moment)
                switch outcome {
                case .password(let kept, let count, let end): (known, isThere, misses, until) = (kept, true, count, end)
                case .none:
                    (known, isThere) = (nil, false)
                    (misses, until) = self.strangers.misses(of: account)
                default: throw .busy
                }
                if let seconds = PasswordDelay.wait(until: until, at: self.now()) {
                    return .answer(Answer(.slowDown, retryAfter: seconds))
                }
                return try self.compare(password, with: known) { isRight throws(SignInRefusal) in
                    if isRight, let known { return try body(known) }
                    return try self.miss(of: account, isThere: isThere, misses + 1)
                }
            }
        }
    }

    /// Makes a durable write, whether or not there is such an account.
    private func miss(of account: AccountName, isThere: Bool, _ misses: Int) throws(SignInRefusal) -> Step {
        let now = now()
        let until = PasswordDelay.end(ofMiss: misses, at: now)
        if isThere {
            return .settle(.noteMiss(account, until: until)) { _ throws(SignInRefusal) in throw .credentials }
        }
        strangers.note(account, misses: misses, until: until)
        // A challenge that nobody is told. It is written like a miss, and forgotten like any other challenge.
        let decoy = ChallengeRecord(given: try random(), to: account, for: .signIn, at: now)
        return .settle(.giveChallenge(decoy)) { _ throws(SignInRefusal) in throw .credentials }
    }

    /// Does the same work whether or not there is a password to compare with.
    private func compare(
        _ password: SecretBytes, with known: StretchedPassword?, _ body: @escaping (Bool) throws(SignInRefusal) -> Step
    ) throws(SignInRefusal) -> Step {
        let wanted: StretchedPassword
        if let known { wanted = known } else { wanted = try cost.decoy() }
        return .stretch(password, salt: wanted.salt, passes: wanted.passes, kibibytes: wanted.kibibytes) {
            secret throws(SignInRefusal) in
            guard let secret else { throw .busy }
            let isRight = unsafe secret.withUnsafeBytes { bytes in
                unsafe wanted.hash.withUnsafeBytes { unsafe ConstantTime.equal(bytes, $0) }
            }
            return try body(isRight)
        }
    }

    /// Goes on with the stored form of a new password.
    func stretched(
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
