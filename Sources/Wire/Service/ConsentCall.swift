internal import ThumbAccess
internal import ThumbAuthentication
internal import ThumbConversation
internal import ThumbKeychain
internal import ThumbLoop

/// Asks the owner, once for each app, whether it may use face recognition. Answered by the passcode: a word that lasts isn't given
/// by a look alone. Cancelling is the refusal.
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
            Demands([[.passcode]]), PromptWords(ours: "use face recognition; it says why: \(SafeText.quoted(usage, limit: 100))"),
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
            try device.consents.keep(verdict, on: calls.caller.own, .face, named: calls.caller.program.inWords, calls.caller.kind)
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

    private static func thing(_ wish: AppWish) -> String {
        switch wish {
        case .face: "face recognition"
        case .group(let group): "the group ‘\(SafeText(group.text, limit: 60))’"
        case .program, .folder: "that bundle identifier"
        }
    }

    func list() {
        do {
            calls.send(.apps(try calls.device.consents.all()), call)
        } catch {
            calls.send(.failed(error), call)
        }
    }

    private func known(_ app: ExactName, _ wish: AppWish) throws(KeychainFailure) -> KnownApp {
        let known = try calls.device.consents.all().first { $0.app == app && $0.wish == wish }
        guard let known else { throw .itemNotFound }
        return known
    }

    /// Changes the word about an app's wish, after the owner's passcode.
    func judge(_ app: ExactName, _ wish: AppWish, _ verdict: AppVerdict?) throws(Refusal) {
        do throws(KeychainFailure) {
            // In vain, the owner isn't asked.
            if verdict != nil { _ = try known(app, wish) }
        } catch {
            return calls.send(.failed(error), call)
        }
        try PasscodeCall(calls, call).afterPasscode("change which apps may use \(Self.thing(wish))") { [self] in
            let device = calls.device
            do throws(KeychainFailure) {
                if let verdict {
                    let known = try known(app, wish)
                    try device.consents.keep(verdict, on: app, wish, named: known.name, known.kind)
                } else {
                    try device.consents.forget(app, wish)
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
