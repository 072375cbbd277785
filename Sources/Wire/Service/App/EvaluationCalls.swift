import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbLoop
import ThumbSecrets

// Evaluations of a policy, and the contexts that remember them.
extension App {
    func capability(_ asked: GetCapability) -> Capability {
        device.capability(Policy(rawValue: asked.policy), for: caller, context: contexts[asked.context])
    }

    /// Answers from what the context has earned or from a fresh unlock; otherwise asks the owner.
    func evaluate(_ asked: Evaluate, _ call: UInt32) throws(Refusal) {
        let request = asked.request
        let state = contexts[request.context]
        if state.isInvalidated { return fail(EvaluationFailure.invalidContext, call) }
        let demands: Demands
        do {
            demands = try Demands(request.subject)
        } catch {
            return fail(error, call)
        }
        let standing = state.standing(under: device.parts.biometry.enrolment, pairings: device.companions.revision)
        let here = device.state(for: caller)
        if demands.areMet(by: standing, on: here) { return send(success(standing), call) }
        if let unlock = device.reusableUnlock(within: request.reuseSeconds, for: caller), demands.areMet(by: unlock, on: here) {
            return send(success([.biometry], state: unlock), call)
        }
        try run(asked, call, context: request.context) { [self] in try await evaluate(request, demands, $0) }
    }

    private func evaluate(
        _ request: EvaluationRequest, _ demands: Demands, _ call: RunningCall
    ) async throws -> EvaluationReply {
        let isAllowed = !request.interactionNotAllowed
        let asking = AskingTerms(context: request.context, permission: isAllowed ? .allow : .fail)
        let inquiry = Inquiry(self, asking, order: .replaces)
        if device.parts.biometry.kind == .faceID, demands.mention(.biometry) {
            // The owner's decision about the camera is kept under what the app claims to be.
            do {
                while let question = try inquiry.claim() { try await inquiry.ask(question, call) }
            } catch let failure as KeychainFailure {
                throw failure == .interactionNotAllowed ? EvaluationFailure.notInteractive : .biometryNotAvailable
            }
        }
        try await inquiry.settleConsent(demands, call)
        do {
            let given = try await call.ask(
                demands, request.words, subject: request.subject, isAllowed: isAllowed, order: .replaces)
            note(.evaluated, factors: given.factors)
            try contexts.change(request.context) { $0.remember(given.factors, given.enrolment, pairings: given.pairings) }
            return success(given.factors)
        } catch let failure as EvaluationFailure {
            note(.evaluated, failure: failure.keychainFailure)
            throw failure
        }
    }

    /// If the passcode was typed, biometry alone didn't succeed, whatever else was shown. The same holds for a companion's yes.
    private func success(_ given: Set<Factor>, state: Set<Factor>? = nil) -> EvaluationReply {
        let domainState = (state ?? given).contains(.biometry) ? device.domainState(for: caller) : nil
        return EvaluationReply(
            result: .success(given == [.biometry] ? .biometry : given.contains(.passcode) ? .passcode : .companion),
            kind: device.parts.biometry.kind, domainState: domainState)
    }

    // MARK: Contexts

    /// Ends a context: evaluations under it fail from now on.
    func invalidate(_ asked: Invalidate, _ call: UInt32) throws(Refusal) {
        try contexts.change(asked.context) { $0.invalidate() }
        contexts.forgetCredentials(of: asked.context)
        calls.withdraw(context: asked.context)
        // The calls that this ends are answered first: they go on when this turn is over.
        EventLoop.shared.post { [weak self] in self?.send(Done(), call) }
    }

    func release(_ context: UInt64) {
        contexts.release(context)
        calls.withdraw(context: context)
    }

    /// Keeps a credential with its context, and answers whether it is kept. Of an application password only the key made from it is kept;
    /// the password itself is gone as soon as it is stretched.
    func setCredential(_ asked: SetCredential, _ call: UInt32) throws(Refusal) {
        let (context, kind) = (asked.context, asked.credential)
        if contexts[context].isInvalidated || asked.secret.map({ $0.count > CredentialLimit.bytes }) == true {
            return send(Flag(false), call)
        }
        // A context with a credential counts against the limit of contexts.
        try contexts.change(context) { _ in }
        guard let secret = asked.secret, kind == CredentialLimit.applicationPassword else {
            return send(Flag(contexts.put(asked.secret, kind, of: context)), call)
        }
        guard let session, let work = device.parts.stretch(secret) else { return send(Flag(false), call) }
        let isTaken = device.meter.stretch(for: session, work) { [weak self] key in
            guard let self else { return }
            send(Flag(key != nil && contexts.put(key, kind, of: context)), call)
        }
        // Too many wait already, so this one isn't kept, and the others get their turn sooner.
        if !isTaken { send(Flag(false), call) }
    }
}
