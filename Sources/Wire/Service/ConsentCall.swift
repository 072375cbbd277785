internal import ThumbAccess
internal import ThumbAuthentication
internal import ThumbConversation
internal import ThumbKeychain
internal import ThumbLoop

/// Asks the owner, once for each app, whether it may use face recognition. Answered by face or passcode, never by a button
/// alone; cancelling is the refusal.
@OnLoop final class ConsentCall {
    private let calls: AppCalls
    private let call: UInt32
    private let context: UInt64?

    init(_ calls: AppCalls, _ call: UInt32, context: UInt64?) {
        self.calls = calls
        self.call = call
        self.context = context
    }

    /// Goes on with `then` once there is a word about this app: its refusal is found there like any sensor that is away.
    /// A prompt that couldn't be answered decides nothing, and ends the call with its own failure.
    func settle(
        _ demands: Demands, order: EvaluationDesk.Job.Order, interactionNotAllowed: Bool,
        failed: @escaping (EvaluationFailure) -> Void, then: @escaping () throws(Refusal) -> Void
    ) throws(Refusal) {
        let device = calls.device
        do {
            guard try device.needsConsent(calls.caller, demands), device.state(for: calls.caller).biometryFailure == nil else {
                return try then()
            }
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            return failed(.deviceFailure)
        }
        guard let usage = calls.caller.faceUsage, !usage.isEmpty else {
            device.parts.log("an app that doesn't say why it wants face recognition was refused it")
            return failed(.biometryNotAvailable)
        }
        try calls.ask(
            Demands([[.biometry], [.passcode]]), PromptWords(reason: "use face recognition: \(usage)"),
            interactionNotAllowed: interactionNotAllowed, order: order, call: call, context: context
        ) { [self] outcome in
            switch outcome {
            case .success: conclude(.allowed, failed, then)
            case .failure(.userCancel): conclude(.denied, failed, then)
            case .failure(let failure): failed(failure)
            }
        }
    }

    private func conclude(
        _ verdict: AppVerdict, _ failed: (EvaluationFailure) -> Void, _ then: () throws(Refusal) -> Void
    ) {
        let device = calls.device
        do {
            try device.consents.keep(verdict, on: calls.caller.groups.first ?? "", named: calls.caller.name)
            calls.note(.appJudged, failure: verdict == .denied ? .authenticationFailed : nil)
            device.environmentMayHaveChanged()
            try then()
        } catch let refusal as Refusal {
            calls.refuse(refusal, call)
        } catch {
            failed(.deviceFailure)
        }
    }

    // MARK: `thumbturn apps`

    func list() {
        do {
            calls.send(.apps(try calls.device.consents.all()), call)
        } catch {
            calls.send(.failed(error), call)
        }
    }

    /// Changes the word about an app, after the owner's passcode.
    func judge(_ app: String, _ verdict: AppVerdict?) throws(Refusal) {
        try PasscodeCall(calls, call).afterPasscode("change which apps may use face recognition") { [self] in
            let device = calls.device
            do throws(KeychainFailure) {
                if let verdict {
                    let name = try device.consents.all().first { $0.app == app }?.name
                    guard let name else { throw .itemNotFound }
                    try device.consents.keep(verdict, on: app, named: name)
                } else {
                    try device.consents.forget(app)
                }
                device.environmentMayHaveChanged()
                calls.note(.appJudged, factors: [.passcode])
                calls.send(.done, call)
            } catch {
                calls.send(.failed(error), call)
            }
        }
    }
}
