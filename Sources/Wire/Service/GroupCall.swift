internal import ThumbAccess
internal import ThumbAuthentication
internal import ThumbConversation
internal import ThumbKeychain
internal import ThumbLoop

/// Asks the owner, once for each program and group, before a call goes on that names a group of another program's. Answered by
/// biometry or passcode, never by a button alone; cancelling is the refusal.
@OnLoop final class GroupCall {
    private let calls: AppCalls
    private let call: UInt32
    private let asking: AskingTerms

    init(_ calls: AppCalls, _ call: UInt32, _ asking: AskingTerms) {
        self.calls = calls
        self.call = call
        self.asking = asking
    }

    /// Goes on with `then` once there is a word about each group that is named: what is refused, and what is nobody's, is found
    /// there. Where nobody could be asked nothing is decided, and the call ends with that.
    func settle(
        _ named: [AttributeValue?], then: @escaping @OnLoop () throws(Refusal) -> Void
    ) throws(Refusal) {
        let names = named.compactMap { if case .text(let name)? = $0 { ExactName(name) } else { nil } }
        try settle(names[...], then)
    }

    private func settle(_ names: ArraySlice<ExactName>, _ then: @escaping @OnLoop () throws(Refusal) -> Void) throws(Refusal) {
        guard let name = names.first, calls.device.asksConsent, !calls.context(asking.context).isInvalidated else {
            return try then()
        }
        let rest = names.dropFirst()
        do throws(KeychainFailure) {
            guard case .ask(let maker) = try calls.device.keychain.groups.standing(of: name, for: calls.caller) else {
                return try go(on: rest, then)
            }
            switch asking.permission {
            case .fail: throw KeychainFailure.interactionNotAllowed
            case .skip: throw KeychainFailure.itemNotFound
            case .allow: break
            }
            return try ask(name, maker, rest, then)
        } catch {
            calls.send(.failed(error), call)
        }
    }

    /// A refusal closes the connection from wherever it comes; so the keychain's failures are the only ones to catch.
    private func go(
        on rest: ArraySlice<ExactName>, _ then: @escaping @OnLoop () throws(Refusal) -> Void
    ) throws(KeychainFailure) {
        do {
            try settle(rest, then)
        } catch {
            calls.refuse(error, call)
        }
    }

    private func ask(
        _ name: ExactName, _ maker: Groups.Maker, _ rest: ArraySlice<ExactName>,
        _ then: @escaping @OnLoop () throws(Refusal) -> Void
    ) throws(KeychainFailure) {
        let caller = calls.caller
        let words = PromptWords(
            reason: "let \(caller.name) use what \(SafeText(maker.name, limit: 60)) keeps in the group "
                + "‘\(SafeText(name.text, limit: 60))’")
        do {
            try calls.ask(
                Demands([[.biometry], [.passcode]]), words, interactionNotAllowed: false, order: .waits, call: call,
                context: asking.context, answered: { [calls] in calls.answer(to: name) }
            ) { [self] outcome in
                switch outcome {
                case .success(let factors, _): conclude(.allowed, name, factors, rest, then)
                case .failure(.userCancel): conclude(.denied, name, [], rest, then)
                case .failure(let failure): calls.send(.failed(undecided(failure)), call)
                }
            }
        } catch {
            calls.refuse(error, call)
        }
    }

    /// What the call says where the owner could not be asked, or wasn't recognized.
    private func undecided(_ failure: EvaluationFailure) -> KeychainFailure {
        switch failure {
        case .passcodeNotSet, .biometryNotAvailable, .biometryNotEnrolled, .biometryLockout, .companionNotAvailable:
            .missingEntitlement
        case .userCancel, .notInteractive, .invalidParameter, .authenticationFailed, .userFallback, .systemCancel, .appCancel,
            .invalidContext, .deviceFailure:
            failure.keychainFailure
        }
    }

    private func conclude(
        _ verdict: AppVerdict, _ name: ExactName, _ factors: Set<Factor>, _ rest: ArraySlice<ExactName>,
        _ then: @escaping @OnLoop () throws(Refusal) -> Void
    ) {
        let caller = calls.caller
        do throws(KeychainFailure) {
            // Answered by another call's prompt: kept already.
            if calls.answer(to: name) == nil {
                try calls.device.consents.keep(verdict, on: caller.own, .group(name), named: caller.name, caller.kind)
                calls.note(.appJudged, failure: verdict == .denied ? .authenticationFailed : nil, factors: factors)
            }
            try go(on: rest, then)
        } catch {
            calls.send(.failed(error), call)
        }
    }
}

extension AppCalls {
    /// The owner's word on a group, if there is one by now.
    fileprivate func answer(to group: ExactName) -> Evaluation.Outcome? {
        switch try? device.consents.verdict(on: caller.own, .group(group)) {
        case .allowed?: .success([], nil)
        case .denied?: .failure(.userCancel)
        case nil: nil
        }
    }
}
