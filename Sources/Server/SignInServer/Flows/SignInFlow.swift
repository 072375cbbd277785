import ThumbSignIn

/// Signing in with a finger: a statement and its signature become a session.
extension Flows {
    func signIn(_ request: Request) throws(SignInRefusal) -> Step {
        let members = try Members(request.arrived(), needed: ["statement", "signature"])
        let signature = try members.decoded("signature")
        let claim = try SignInClaim(statement: try members.bytes("statement"), signature: signature, at: origin, for: .signIn)
        return try verified(claim) { proof throws(SignInRefusal) in try self.use(proof) }
    }

    /// Goes on with what the claim of a registered device proves.
    func verified(
        _ claim: SignInClaim, _ body: @escaping (SignInProof) throws(SignInRefusal) -> Step
    ) throws(SignInRefusal) -> Step {
        let (account, device) = (claim.statement.account, claim.statement.device)
        guard let known = keys.record(of: device) else {
            return .settle(.readDevice(account, device)) { outcome throws(SignInRefusal) in
                try body(try claim.proof(by: try Self.device(in: outcome), self.keys))
            }
        }
        // The key follows from the device's name, so it is known who signed. Whose device it is and whether it is revoked is checked by the
        // ledger, together with the challenge, in one transaction.
        let proof: SignInProof
        do {
            proof = try claim.proof(by: known, keys)
        } catch SignInRefusal.signature {
            return .settle(.readDevice(account, device)) { outcome throws(SignInRefusal) in
                throw try Self.device(in: outcome) == nil ? .deviceUnknown : .signature
            }
        }
        return try body(proof)
    }

    private static func device(in outcome: DeedOutcome) throws(SignInRefusal) -> DeviceRecord? {
        switch outcome {
        case .device(let device): device
        case .none: nil
        default: throw .busy
        }
    }

    private func use(_ proof: SignInProof) throws(SignInRefusal) -> Step {
        let (token, session) = try newSession()
        return .settle(.signIn(proof.account, proof.device, challenge: proof.challenge, session)) {
            outcome throws(SignInRefusal) in
            guard case .done = outcome else { throw outcome.reason }
            return self.begun(token, proof.account, .device, session.expires)
        }
    }
}

extension DeedOutcome {
    /// The refusal for an unexpected outcome. If the deed can't have this outcome at all, the ledger contradicts itself.
    var reason: SignInRefusal {
        if case .refused(let refusal) = self { refusal } else { .busy }
    }
}
