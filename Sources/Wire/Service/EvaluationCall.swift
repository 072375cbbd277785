internal import ThumbAccess
internal import ThumbAuthentication
internal import ThumbConversation
internal import ThumbLoop

/// An app's evaluation of a policy: answered by what its context has earned, by a fresh unlock, or by asking the owner.
@OnLoop struct EvaluationCall {
    private let calls: AppCalls
    private let call: UInt32
    private let request: EvaluationRequest

    init(_ calls: AppCalls, _ call: UInt32, _ request: EvaluationRequest) {
        self.calls = calls
        self.call = call
        self.request = request
    }

    func evaluate() throws(Refusal) {
        let (device, caller) = (calls.device, calls.caller)
        let state = calls.context(request.context)
        if state.isInvalidated { return answer(.failure(.invalidContext)) }
        let demands: Demands
        do {
            demands = try Demands(request.subject)
        } catch {
            return answer(.failure(error))
        }
        let standing = state.standing(under: device.parts.biometry.enrolment)
        let here = device.state(for: caller)
        if demands.areMet(by: standing, on: here) { return succeed(standing) }
        if let unlock = device.reusableUnlock(within: request.reuseSeconds, for: caller), demands.areMet(by: unlock, on: here) {
            return answer(.success(.biometry), domainState(unlock))
        }
        guard device.parts.biometry.kind == .faceID, demands.mention(.biometry) else { return try consent(demands) }
        // The owner's word on its use of the camera is kept under what it claims to be.
        let asking = AskingTerms(context: request.context, permission: request.interactionNotAllowed ? .fail : .allow)
        try GroupCall(calls, call, asking).tie(
            failed: { answer(.failure($0 == .interactionNotAllowed ? .notInteractive : .biometryNotAvailable)) }
        ) { () throws(Refusal) in
            try consent(demands)
        }
    }

    private func consent(_ demands: Demands) throws(Refusal) {
        try ConsentCall(calls, call, context: request.context).settle(
            demands, order: .replaces, interactionNotAllowed: request.interactionNotAllowed,
            failed: { answer(.failure($0)) }
        ) { () throws(Refusal) in
            try ask(demands)
        }
    }

    private func ask(_ demands: Demands) throws(Refusal) {
        try calls.ask(
            demands, request.words, interactionNotAllowed: request.interactionNotAllowed, order: .replaces, call: call,
            context: request.context
        ) { outcome in
            switch outcome {
            case .failure(let failure):
                calls.note(.evaluated, failure: failure.keychainFailure)
                answer(.failure(failure))
            case .success(let given, let enrolment):
                calls.note(.evaluated, factors: given)
                do throws(Refusal) {
                    try calls.change(request.context) { $0.remember(given, enrolment) }
                    succeed(given)
                } catch {
                    calls.refuse(error, call)
                }
            }
        }
    }

    private func succeed(_ given: Set<Factor>) {
        // Whoever typed the passcode, whatever else they showed, did not succeed by biometry alone.
        answer(.success(given == [.biometry] ? .biometry : .passcode), domainState(given))
    }

    private func answer(_ result: Result<Factor, EvaluationFailure>, _ domainState: [UInt8]? = nil) {
        let kind = calls.device.parts.biometry.kind
        calls.send(.evaluated(EvaluationReply(result: result, kind: kind, domainState: domainState)), call)
    }

    private func domainState(_ given: Set<Factor>) -> [UInt8]? {
        given.contains(.biometry) ? calls.device.domainState(for: calls.caller) : nil
    }
}
