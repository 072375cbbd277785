import ThumbAccess
import ThumbSecrets

/// One evaluation as a value: events go in, effects come out, and nothing else happens. The caller performs the effects in
/// order, and commits a miss before it shows anything of it.
public struct Evaluation: Sendable {
    private let terms: Terms
    private var device: DeviceState
    /// How many seconds a passcode still had to wait when the evaluation began.
    private var passcodeWait: Double
    private var given: Set<Factor> = []
    private var enrolment: Enrolment?
    private var missesInThisCall = 0
    /// Whether the sensor is wanted. It listens once the prompt is on the screen.
    private var isListening = false
    private var isShown = false
    private var hears: Bool { isListening && isShown }
    /// Whether the companions have the question, and whether they are done with it in this call.
    private var isReaching = false
    private var isReached = false
    private var isChecking = false
    /// The passcode that is being checked.
    private var checked: SecretBytes?
    /// A password that the account accepts although the slot is still under an earlier one, which is being asked for.
    private var accepted: SecretBytes?
    private var hasQuestion = false
    /// How many wrong passcodes came before the one that is being checked.
    private var uncounted = 0
    private var isWaiting = false
    private var isOver = false
    private var notice: PromptNotice?

    public init(_ terms: Terms, on device: DeviceState, passcodeWait: Double) {
        self.terms = terms
        self.device = terms.demands.seen(device)
        self.passcodeWait = terms.purpose == .systemPassword ? 0 : passcodeWait
    }

    /// Whether typed passcodes are counted here. The system counts those for its own purposes itself.
    public var countsPasscodes: Bool { terms.purpose != .systemPassword }

    /// Begins the evaluation. It fails at once if nothing could succeed; otherwise it shows the prompt. The sensor waits until the prompt
    /// is on the screen.
    public mutating func begin() -> [Effect] {
        if terms.demands.isEmpty { return end(.success([], nil)) }
        if let failure = terms.demands.failure(on: device) { return end(.failure(failure)) }
        if terms.interactionNotAllowed { return end(.failure(.notInteractive)) }
        var effects: [Effect] = []
        isListening = wantsBiometry
        // Whether it is accepted at once or only later in this call: the delay of an earlier guess runs on.
        if terms.demands.mention(.passcode) && passcodeWait > 0 {
            isWaiting = true
            effects.append(.wait(passcodeWait))
        }
        effects.append(.show(content))
        return effects
    }

    public mutating func handle(_ event: Event) -> [Effect] {
        if isOver { return [] }
        switch event {
        case .shown: return see()
        case .match(let enrolment): return match(enrolment)
        case .miss: return miss()
        case .retry(let hint): return hears ? notify(.retry(hint)) : []
        case .sensorFailed: return loseSensor(.notAvailable, .biometryNotAvailable)
        case .sensorDisconnected: return loseSensor(.disconnected, .biometryDisconnected)
        case .companion(let report): return hear(report)
        case .typed(let passcode): return type(passcode)
        case .verdict(let verdict): return judge(verdict)
        case .question(let question): return ask(question)
        case .waitIsOver:
            isWaiting = false
            passcodeWait = 0
            return [.update(content)]
        case .cancel: return end(.failure(.userCancel))
        case .fallback: return fallBack()
        case .interrupted: return end(.failure(.systemCancel))
        case .promptUnavailable: return end(.failure(.notInteractive))
        case .withdrawn: return end(.failure(.appCancel))
        }
    }
}

// MARK: - Biometry
extension Evaluation {
    /// How many misses one call forgives. With a finger the third miss ends the call; with a face the second one ends the looking.
    private var missesForgiven: Int { device.kind == .faceID ? 2 : 3 }

    private var wantsBiometry: Bool {
        !given.contains(.biometry) && device.biometryFailure == nil && missesInThisCall < missesForgiven
            && terms.demands.mention(.biometry)
    }

    private mutating func see() -> [Effect] {
        if isShown { return [] }
        isShown = true
        return (hears ? [.listen] : []) + reach()
    }

    private mutating func match(_ seen: Enrolment) -> [Effect] {
        guard hears else { return [] }
        given.insert(.biometry)
        enrolment = seen
        var effects: [Effect] = []
        // If no misses are counted, a match writes nothing.
        if device.attempts.biometric != 0 {
            device.attempts.biometric = 0
            effects.append(.commit(device.attempts))
        }
        if terms.demands.areMet(by: given) { return effects + end(.success(given, enrolment)) }
        notice = nil
        effects += stopListening() + reach()
        return effects + [.update(content)]
    }

    private mutating func miss() -> [Effect] {
        guard hears else { return [] }
        missesInThisCall += 1
        device.attempts.countMiss()
        let committed: [Effect] = [.commit(device.attempts)]
        if wantsBiometry {
            let left = min(missesForgiven - missesInThisCall, Attempts.biometricLimit - device.attempts.biometric)
            return committed + notify(.missed(attemptsLeft: left))
        }
        notice = device.attempts.isBiometryLocked ? .biometryLocked : .missed(attemptsLeft: 0)
        return committed + leaveBiometry(device.attempts.isBiometryLocked ? .biometryLockout : .authenticationFailed)
    }

    private mutating func loseSensor(_ condition: BiometryCondition, _ failure: EvaluationFailure) -> [Effect] {
        guard hears else { return [] }
        device.condition = condition
        return leaveBiometry(failure)
    }

    /// The sensor is done in this call. Goes on with the passcode if that can still succeed, and otherwise ends.
    private mutating func leaveBiometry(_ failure: EvaluationFailure) -> [Effect] {
        let hasPasscode = terms.demands.alternatives.contains([.passcode])
        // After two misses of a face the person may choose, if there is a choice.
        let hasChoice =
            device.kind == .faceID && missesInThisCall >= missesForgiven && terms.words.fallbackTitle != ""
            && !terms.demands.mention(.passcode)
        guard hasPasscode || hasChoice || wantsCompanion else { return end(.failure(failure)) }
        return stopListening() + [.update(content)]
    }

    /// There is nothing to stop if the sensor was never heard.
    private mutating func stopListening() -> [Effect] {
        defer { isListening = false }
        return hears ? [.stopListening] : []
    }
}

// MARK: - Companions
extension Evaluation {
    /// A companion is asked last, if more than its yes is demanded: nobody is called to another machine for nothing.
    private var wantsCompanion: Bool {
        guard !given.contains(.companion), !isReached, !device.companions.isEmpty else { return false }
        return terms.demands.alternatives.contains { $0.subtracting(given) == [.companion] }
    }

    /// The companions are asked once the owner can see here what for, as the sensor is.
    private mutating func reach() -> [Effect] {
        guard isShown, !isReaching, wantsCompanion else { return [] }
        isReaching = true
        return [.reach]
    }

    private mutating func hear(_ report: CompanionReport) -> [Effect] {
        guard isReaching else { return [] }
        switch report {
        case .asks: return []
        case .yes:
            isReaching = false
            given.insert(.companion)
            return terms.demands.areMet(by: given) ? end(.success(given, enrolment)) : [.update(content)]
        case .refused: return leaveCompanions(.userCancel)
        case .unrecognized: return leaveCompanions(.authenticationFailed)
        case .away: return leaveCompanions(.companionNotAvailable)
        }
    }

    /// The companions are done in this call. Goes on with what can still succeed here, and otherwise ends.
    private mutating func leaveCompanions(_ failure: EvaluationFailure) -> [Effect] {
        isReaching = false
        isReached = true
        guard isListening || acceptsPasscode else { return end(.failure(failure)) }
        return [.update(content)]
    }

    private mutating func stopReaching() -> [Effect] {
        defer { isReaching = false }
        return isReaching ? [.stopReaching] : []
    }
}

// MARK: - Passcode and buttons
extension Evaluation {
    private var acceptsPasscode: Bool {
        guard terms.demands.mention(.passcode), !given.contains(.passcode) else { return false }
        // If the app hides the fallback, the passcode waits until biometry has had its chances.
        if terms.words.fallbackTitle == "" && wantsBiometry && isListening { return false }
        // If both are demanded the finger comes first, so that the passcode isn't typed for nothing.
        return terms.demands.alternatives.contains {
            $0.contains(.passcode) && $0.subtracting([.passcode, .companion]).isSubset(of: given)
        }
    }

    private mutating func type(_ passcode: SecretBytes) -> [Effect] {
        if hasQuestion {
            hasQuestion = false
            notice = nil
            return [.answer(passcode)]
        }
        guard acceptsPasscode, !isChecking, !isWaiting else { return [.update(content)] }
        if terms.becomesPasscode, !(PasscodeLimit.least...PasscodeLimit.most).contains(passcode.count) {
            return notify(.passcodeTooShort(least: PasscodeLimit.least))
        }
        isChecking = true
        guard countsPasscodes else { return [.check(passcode)] }
        checked = passcode
        // Counted before it is checked, so that ending the call, or the device, before the verdict uses up a guess too.
        uncounted = device.attempts.passcode
        device.attempts.countWrongPasscode()
        return [.commit(device.attempts), accepted.map { .renew($0, over: passcode) } ?? .check(passcode)]
    }

    private mutating func ask(_ question: AccountQuestion) -> [Effect] {
        guard isChecking else { return [] }
        hasQuestion = true
        return notify(.question(question))
    }

    private mutating func judge(_ verdict: PasscodeVerdict) -> [Effect] {
        guard isChecking else { return [] }
        isChecking = false
        hasQuestion = false
        defer { checked = nil }
        switch verdict {
        case .failed: return uncount(.passcodeUnchecked)
        case .waits: return uncount(.passcodeWaits)
        case .expired: return uncount(.accountPasswordExpired)
        case .locked: return uncount(.accountLocked)
        case .changedElsewhere:
            accepted = checked
            return uncount(.accountPasswordChanged)
        case .wrong:
            passcodeWait = countsPasscodes ? device.attempts.passcodeDelay : 0
            isWaiting = passcodeWait > 0
            return (isWaiting ? [.wait(passcodeWait)] : []) + notify(.wrongPasscode)
        case .right:
            accepted = nil
            given.insert(.passcode)
            // It ends no lockout, for it isn't the passcode.
            guard countsPasscodes else { return end(.success(given, enrolment)) }
            device.attempts = Attempts()
            let effects: [Effect] = [.commit(device.attempts)]
            device.passcodeWasGiven = true
            if terms.demands.areMet(by: given) { return effects + end(.success(given, enrolment)) }
            notice = nil
            let heard = hears
            isListening = wantsBiometry
            return effects + [.update(content)] + (hears && !heard ? [.listen] : []) + reach()
        }
    }

    /// The typed text counts neither as right nor as wrong.
    private mutating func uncount(_ notice: PromptNotice) -> [Effect] {
        guard countsPasscodes else { return notify(notice) }
        device.attempts.passcode = uncounted
        return [.commit(device.attempts)] + notify(notice)
    }

    private var offersFallback: Bool {
        terms.words.fallbackTitle != "" && (missesInThisCall >= missesBeforeFallback || !isListening && given.isEmpty)
            && !acceptsPasscodeAlone && terms.demands.mention(.biometry)
    }

    /// After how many misses the fallback button appears: one or, if only a face will do, two. The second one ends the looking.
    private var missesBeforeFallback: Int {
        device.kind == .faceID && !terms.demands.alternatives.contains([.passcode]) ? missesForgiven : 1
    }

    private var acceptsPasscodeAlone: Bool { acceptsPasscode && !isListening }

    private mutating func fallBack() -> [Effect] {
        guard offersFallback else { return [.update(content)] }
        guard terms.demands.alternatives.contains([.passcode]) else { return end(.failure(.userFallback)) }
        // The passcode is enough within this same call, so stop using the sensor and let it be typed.
        missesInThisCall = missesForgiven
        return stopListening() + [.update(content)]
    }
}

// MARK: - What is shown, and the end
extension Evaluation {
    private var content: PromptContent {
        var content = PromptContent(
            purpose: terms.purpose, program: terms.program, words: terms.words,
            signIn: terms.signIn, polkit: terms.polkit, listening: isListening ? device.kind : .none,
            acceptsPasscode: acceptsPasscode, offersFallback: offersFallback, notice: notice,
            passcodeWait: isWaiting && acceptsPasscode ? passcodeWait : 0)
        if let machine = terms.machine {
            content.companion = .asksFrom(machine: machine)
        } else if wantsCompanion {
            content.companion = .mayAnswer(device.companions)
        }
        return content
    }

    private mutating func notify(_ notice: PromptNotice) -> [Effect] {
        self.notice = notice
        return [.update(content)]
    }

    private mutating func end(_ outcome: Outcome) -> [Effect] {
        isOver = true
        (checked, accepted) = (nil, nil)
        let ending: PromptEnding =
            switch outcome {
            case .success: .success
            case .failure(.userCancel), .failure(.appCancel), .failure(.systemCancel), .failure(.userFallback): .cancelled
            case .failure: .failure
            }
        return stopListening() + stopReaching() + [.dismiss(ending), .finish(outcome)]
    }
}
