internal import ThumbAccess
internal import ThumbAuthentication
internal import ThumbConversation
internal import ThumbKeychain
internal import ThumbLoop

/// Asks the owner, once for each program and group, before a call goes on that names a group of another program's, or that goes on
/// under another program's bundle identifier. Answered by the passcode: a word that lasts isn't given by a touch alone. Cancelling is
/// the refusal.
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
        try tie(failed: { [calls, call] in calls.send(.failed($0), call) }) { [self] () throws(Refusal) in
            try settle(names[...], then)
        }
    }

    /// Goes on with `then` once the program may be what it claims to be.
    func tie(
        failed: @escaping @OnLoop (KeychainFailure) -> Void, then: @escaping @OnLoop () throws(Refusal) -> Void
    ) throws(Refusal) {
        guard !calls.isTied, calls.device.asksConsent, !calls.context(asking.context).isInvalidated else { return try then() }
        do throws(KeychainFailure) {
            switch try calls.device.keychain.ties.standing(of: calls.caller, notes: true) {
            case .open:
                calls.noteTied()
                return try go(then)
            case .refused: throw KeychainFailure.missingEntitlement
            case .ask(let wish, let first):
                try checkPermission()
                try ask(wish, first, failed, then)
            }
        } catch {
            failed(error)
        }
    }

    private func checkPermission() throws(KeychainFailure) {
        switch asking.permission {
        case .fail: throw KeychainFailure.interactionNotAllowed
        case .skip: throw KeychainFailure.itemNotFound
        case .allow: break
        }
    }

    private func settle(_ names: ArraySlice<ExactName>, _ then: @escaping @OnLoop () throws(Refusal) -> Void) throws(Refusal) {
        guard let name = names.first, calls.device.asksConsent, !calls.context(asking.context).isInvalidated else {
            return try then()
        }
        let rest = names.dropFirst()
        do throws(KeychainFailure) {
            guard case .ask(let maker) = try calls.device.keychain.groups.standing(of: name, for: calls.caller) else {
                return try go { [self] () throws(Refusal) in try settle(rest, then) }
            }
            try checkPermission()
            return try ask(name, maker, rest, then)
        } catch {
            calls.send(.failed(error), call)
        }
    }

    /// A refusal closes the connection from wherever it comes; so the keychain's failures are the only ones to catch.
    private func go(_ on: @OnLoop () throws(Refusal) -> Void) throws(KeychainFailure) {
        do {
            try on()
        } catch {
            calls.refuse(error, call)
        }
    }

    private func ask(
        _ wish: AppWish, _ first: ExactName, _ failed: @escaping @OnLoop (KeychainFailure) -> Void,
        _ then: @escaping @OnLoop () throws(Refusal) -> Void
    ) throws(KeychainFailure) {
        let words = PromptWords(ours: Self.reason(wish, calls.caller, first))
        try go { [self] () throws(Refusal) in
            try calls.ask(
                Demands([[.passcode]]), words, interactionNotAllowed: false, order: .waits, call: call, context: asking.context,
                answered: { [calls] in calls.answerToTie() }
            ) { [self] outcome in
                switch outcome {
                case .success(let factors, _): conclude(.allowed, wish, factors, failed, then)
                case .failure(.userCancel): conclude(.denied, wish, [], failed, then)
                case .failure(let failure): failed(undecided(failure))
                }
            }
        }
    }

    /// A path within a sentence of ours; a folder may be called like the rest of one.
    private static func quoted(_ path: ExactName) -> String { SafeText.quoted(SafePath(path, limit: 80).description) }

    private static func reason(_ wish: AppWish, _ caller: Caller, _ first: ExactName) -> String {
        let claim = SafeText.quoted(caller.own.text, limit: 60)
        let before = first.hasPrefix("/") ? quoted(first) : "another program"
        switch wish {
        case .folder(let folder):
            return "let \(caller.program.quoted), which has changed, and whatever else lies in "
                + "\(Self.quoted(folder)) go on as \(claim)"
        case .face, .group, .program:
            return "let \(caller.program.quoted) go on as \(claim), which has been \(before) so far"
        }
    }

    private func conclude(
        _ verdict: AppVerdict, _ wish: AppWish, _ factors: Set<Factor>, _ failed: @escaping @OnLoop (KeychainFailure) -> Void,
        _ then: @escaping @OnLoop () throws(Refusal) -> Void
    ) {
        do throws(KeychainFailure) {
            // Answered by another call's prompt: kept already.
            if calls.answerToTie() == nil {
                try calls.device.keychain.ties.keep(verdict, on: wish, of: calls.caller)
                calls.note(.appJudged, failure: verdict == .denied ? .authenticationFailed : nil, factors: factors)
            }
            // What was decided is found there.
            try go { [self] () throws(Refusal) in try tie(failed: failed, then: then) }
        } catch {
            failed(error)
        }
    }

    private func ask(
        _ name: ExactName, _ maker: Groups.Maker, _ rest: ArraySlice<ExactName>,
        _ then: @escaping @OnLoop () throws(Refusal) -> Void
    ) throws(KeychainFailure) {
        let caller = calls.caller
        let words = PromptWords(
            ours: "let \(caller.program.quoted) use what \(Self.quoted(ExactName(maker.name))) keeps in the group "
                + SafeText.quoted(name.text, limit: 60))
        do {
            try calls.ask(
                Demands([[.passcode]]), words, interactionNotAllowed: false, order: .waits, call: call,
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
                try calls.device.consents.keep(verdict, on: caller.own, .group(name), named: caller.program.inWords, caller.kind)
                calls.note(.appJudged, failure: verdict == .denied ? .authenticationFailed : nil, factors: factors)
            }
            try go { [self] () throws(Refusal) in try settle(rest, then) }
        } catch {
            calls.send(.failed(error), call)
        }
    }
}

extension AppCalls {
    /// The owner's word on what the program claims to be, if there is one by now.
    fileprivate func answerToTie() -> Evaluation.Outcome? {
        switch try? device.keychain.ties.standing(of: caller, notes: false) {
        case .open?: .success([], nil)
        case .refused?: .failure(.userCancel)
        // A word that can't be read is none: the owner is asked.
        case .ask?, nil: nil
        }
    }

    /// The owner's word on a group, if there is one by now.
    fileprivate func answer(to group: ExactName) -> Evaluation.Outcome? {
        switch try? device.consents.verdict(on: caller.own, .group(group)) {
        case .allowed?: .success([], nil)
        case .denied?: .failure(.userCancel)
        // A group is never noted without a word.
        case .noted?, nil: nil
        }
    }
}
