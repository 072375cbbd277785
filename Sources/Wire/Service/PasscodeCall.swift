internal import ThumbAccess
internal import ThumbAuthentication
internal import ThumbConversation
internal import ThumbLoop
internal import ThumbSecrets

/// Changing what protects the owner: each begins with an evaluation by passcode inside the daemon, where there is a passcode.
@OnLoop final class PasscodeCall {
    private let calls: AppCalls
    private let call: UInt32
    private var chosen: SecretBytes?
    private var turn: PromptTurns.Turn?
    /// Whether a passcode was set when this one was allowed to be chosen.
    private var replacesPasscode = false

    init(_ calls: AppCalls, _ call: UInt32) {
        self.calls = calls
        self.call = call
    }

    private var passcode: any Passcode { calls.device.parts.passcode }

    func set() throws(Refusal) {
        if passcode.isSet { return try afterPasscode("change the passcode") { [self] in choose() } }
        // Whoever chooses the first passcode is the owner from then on. In user mode nothing keeps a program of the user from it.
        guard calls.device.parts.mode == .system else { return choose() }
        try after(.account, "choose the first passcode") { [self] in
            // Another call has set one meanwhile: from then on it is that one which is asked for.
            if passcode.isSet { fail(.authenticationFailed) } else { choose() }
        }
    }

    func useAccountPassword() throws(Refusal) {
        guard calls.device.parts.account != nil else { return fail(.unsupported) }
        guard passcode.isSet else { return try takeAccountPassword() }
        try afterPasscode("use the account's password as passcode") { [self] in
            again { () throws(Refusal) in try takeAccountPassword() }
        }
    }

    /// What a call does once the owner has said yes: a refusal closes the connection from wherever it comes.
    private func again(_ body: () throws(Refusal) -> Void) {
        do { try body() } catch { calls.refuse(error, call) }
    }

    /// The account's password, judged like every other guess: counted, delayed, and in the audit where it is wrong.
    private func takeAccountPassword() throws(Refusal) {
        replacesPasscode = passcode.isSet
        var job: EvaluationDesk.Job?
        job = try calls.ask(
            Demands([[.passcode]]), PromptWords(ours: "make the account's password the passcode"), interactionNotAllowed: false,
            order: .waits, judge: .newPasscode, call: call, context: nil
        ) { [self] outcome in
            let accepted = job?.accepted
            job = nil
            switch outcome {
            case .failure(let failure):
                calls.note(.passcodeSet, failure: failure.keychainFailure)
                fail(failure.keychainFailure)
            case .success: keepAccountPassword(accepted)
            }
        }
    }

    private func keepAccountPassword(_ accepted: SecretBytes?) {
        // Where another call has set a passcode meanwhile, or removed it, this one was never allowed to replace what is there.
        guard let accepted, passcode.isSet == replacesPasscode else { return fail(.authenticationFailed) }
        keep(accepted, from: .account) { [self] failure in
            if let failure { fail(failure) } else { calls.send(.done, call) }
        }
    }

    func remove() throws(Refusal) {
        guard passcode.isSet else { return fail(.itemNotFound) }
        try afterPasscode("remove the passcode and everything only it opens") { [self] in
            do {
                try passcode.remove()
                calls.note(.passcodeRemoved, factors: [.passcode])
                calls.device.environmentMayHaveChanged()
                calls.send(.done, call)
            } catch {
                fail(.storeUnavailable)
            }
        }
    }

    func makeRecoveryCode() throws(Refusal) {
        guard passcode.isSet else { return fail(.itemNotFound) }
        try afterPasscode("make a recovery code") { [self] in
            do {
                let code = try passcode.makeRecoveryCode()
                calls.note(.recoveryCodeMade, factors: [.passcode])
                calls.send(.secret(code), call)
            } catch {
                fail(.storeUnavailable)
            }
        }
    }

    func recover(with code: SecretBytes) throws(Refusal) {
        guard passcode.hasRecoveryCode else { return fail(.itemNotFound) }
        passcode.checkRecoveryCode(code) { [self] verdict in
            switch verdict {
            case .right:
                calls.note(.recovered)
                // What was the account's password stays it: only the slot had fallen behind.
                if passcode.source == .account, calls.device.parts.account != nil {
                    again { () throws(Refusal) in try takeAccountPassword() }
                } else {
                    choose()
                }
            case .wrong, .failed, .changedElsewhere, .expired, .locked, .waits:
                calls.note(.recovered, failure: .authenticationFailed)
                fail(.authenticationFailed)
            }
        }
    }

    private func fail(_ failure: KeychainFailure) { calls.send(.failed(failure), call) }

    /// Goes on once the passcode was given for this and nothing else: what a context has shown before doesn't count, nor does a
    /// finger. Without a passcode there is no owner who could allow it.
    func afterPasscode(_ reason: String, then: @escaping () -> Void) throws(Refusal) {
        guard passcode.isSet else { return fail(.authenticationFailed) }
        try after(.passcode, reason, then: then)
    }

    private func after(_ judge: EvaluationDesk.Job.Judge, _ reason: String, then: @escaping () -> Void) throws(Refusal) {
        try calls.ask(
            Demands([[.passcode]]), PromptWords(ours: reason), interactionNotAllowed: false, order: .waits, judge: judge,
            call: call, context: nil
        ) { [self] outcome in
            switch outcome {
            case .success: then()
            case .failure(let failure):
                // The owner's no is theirs to find again, whatever was asked.
                calls.note(.evaluated, failure: failure.keychainFailure)
                fail(failure.keychainFailure)
            }
        }
    }

    // MARK: Choosing a new one: typed twice, compared here

    private func choose() {
        do {
            try calls.begin(self, call)
        } catch {
            return calls.refuse(error, call)
        }
        replacesPasscode = passcode.isSet
        let turn = calls.device.desk.turns.enter(
            calls.caller, ObjectIdentifier(calls), replaces: false, offer: { [weak calls, call] in calls?.offer($0, call) },
            begin: { [self] turn in
                self.turn = turn
                turn.heard = { [self] in take($0) }
                show(.choosePasscode)
            },
            lose: { [self] in end($0.keychainFailure) })
        // Where the turn came to nothing at once, this is over too.
        if calls.isChoosing(self, call) { self.turn = turn }
    }

    private func show(_ purpose: PromptPurpose, _ notice: PromptNotice? = nil) {
        turn?.show(
            PromptContent(
                purpose: purpose, program: calls.caller.program,
                words: PromptWords(ours: "choose a new passcode"), acceptsPasscode: true, notice: notice))
    }

    private func take(_ answer: PromptAnswer) {
        switch answer {
        case .typed(let typed): typedPasscode(typed)
        case .cancel: close(.cancelled, .userCanceled)
        case .interrupted: close(.cancelled, .authenticationFailed)
        case .unavailable: close(.cancelled, .interactionNotAllowed)
        case .fallback, .shown, .stands, .acts, .dismissProgram: break
        }
    }

    /// The app is gone, and its prompt with it.
    func withdraw() {
        chosen = nil
        guard let turn else { return }
        self.turn = nil
        calls.device.desk.turns.leave(turn, .cancelled)
    }

    private func close(_ ending: PromptEnding, _ failure: KeychainFailure?) {
        guard let turn else { return }
        calls.device.desk.turns.leave(turn, ending) { end(failure) }
    }

    private func end(_ failure: KeychainFailure?) {
        turn = nil
        chosen = nil
        calls.endChoice(call)
        if let failure { fail(failure) } else { calls.send(.done, call) }
    }

    private func typedPasscode(_ typed: SecretBytes) {
        guard let first = chosen else {
            guard (PasscodeLimit.least...PasscodeLimit.most).contains(typed.count) else {
                return show(.choosePasscode, .passcodeTooShort(least: PasscodeLimit.least))
            }
            chosen = typed
            return show(.repeatPasscode)
        }
        guard first == typed else {
            chosen = nil
            return show(.choosePasscode, .passcodesDiffer)
        }
        // Where another call has set a passcode meanwhile, or removed it, this one was never allowed to replace what is there.
        guard passcode.isSet == replacesPasscode else { return close(.failure, .authenticationFailed) }
        // From here on it is done: whoever turns away now finds the new passcode set, and the call says so.
        if let turn {
            turn.heard = { _ in }
            calls.device.desk.turns.looks(turn)
        }
        keep(typed, from: .own) { [self] failure in close(failure == nil ? .success : .failure, failure) }
    }

    private func keep(_ typed: SecretBytes, from source: PasscodeSource, _ kept: @escaping (KeychainFailure?) -> Void) {
        passcode.set(typed, from: source) { [self] isKept in
            calls.device.environmentMayHaveChanged()
            calls.note(.passcodeSet, failure: isKept ? nil : .storeUnavailable)
            kept(isKept ? nil : .storeUnavailable)
        }
    }
}
