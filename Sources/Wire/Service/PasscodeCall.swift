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
    /// The system is being asked about a password.
    private var isChecking = false
    /// Where the answer to the system's question goes.
    private var reply: ((SecretBytes?) -> Void)?
    /// What is being chosen.
    private var source = PasscodeSource.own
    private var prompt: (any Prompt)?
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
        guard passcode.isSet else { return choose(.account) }
        try afterPasscode("use the account's password as passcode") { [self] in choose(.account) }
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
                choose(passcode.source == .account && calls.device.parts.account != nil ? .account : .own)
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
            Demands([[.passcode]]), PromptWords(reason: reason), interactionNotAllowed: false, order: .waits, judge: judge,
            call: call, context: nil
        ) { [self] outcome in
            switch outcome {
            case .success: then()
            case .failure(let failure): fail(failure.keychainFailure)
            }
        }
    }

    // MARK: Choosing a new one: typed twice, compared here

    private func choose(_ source: PasscodeSource = .own) {
        self.source = source
        do {
            try calls.begin(self, call)
        } catch {
            return calls.refuse(error, call)
        }
        replacesPasscode = passcode.isSet
        let prompt = calls.device.parts.prompts.makePrompt(for: calls.caller) { [weak calls, call] ticket in
            calls?.offer(ticket, call)
        }
        self.prompt = prompt
        prompt.show(content(source == .own ? .choosePasscode : .accountPassword)) { [self] answer in take(answer) }
    }

    private func content(_ purpose: PromptPurpose, _ notice: PromptNotice? = nil) -> PromptContent {
        PromptContent(
            purpose: purpose, program: calls.caller.program,
            words: PromptWords(
                reason: source == .own ? "choose a new passcode" : "make the account's password the passcode"),
            acceptsPasscode: true, notice: notice)
    }

    private func take(_ answer: PromptAnswer) {
        switch answer {
        case .typed(let typed): typedPasscode(typed)
        case .cancel: close(.cancelled, .userCanceled)
        case .interrupted: close(.cancelled, .authenticationFailed)
        case .unavailable: close(.cancelled, .interactionNotAllowed)
        case .fallback: break
        }
    }

    /// The session was locked: prompts go away.
    func interrupt() { close(.cancelled, .authenticationFailed) }

    /// The app is gone, and its prompt with it.
    func withdraw() {
        prompt?.dismiss(.cancelled)
        prompt = nil
        forget()
    }

    private func close(_ ending: PromptEnding, _ failure: KeychainFailure?) {
        guard let prompt else { return }
        self.prompt = nil
        calls.endChoice(call)
        forget()
        prompt.dismiss(ending)
        if let failure { fail(failure) } else { calls.send(.done, call) }
    }

    private func forget() {
        chosen = nil
        let reply = reply
        self.reply = nil
        reply?(nil)
    }

    private func typedPasscode(_ typed: SecretBytes) {
        if source == .account { return typedPassword(typed) }
        guard let first = chosen else {
            guard (PasscodeLimit.least...PasscodeLimit.most).contains(typed.count) else {
                prompt?.update(content(.choosePasscode, .passcodeTooShort(least: PasscodeLimit.least)))
                return
            }
            chosen = typed
            prompt?.update(content(.repeatPasscode))
            return
        }
        guard first == typed else {
            chosen = nil
            prompt?.update(content(.choosePasscode, .passcodesDiffer))
            return
        }
        // Where another call has set a passcode meanwhile, or removed it, this one was never allowed to replace what is there.
        guard passcode.isSet == replacesPasscode else { return close(.failure, .authenticationFailed) }
        keep(typed)
    }

    private func keep(_ typed: SecretBytes) {
        passcode.set(typed, from: source) { [self] isKept in
            calls.device.environmentMayHaveChanged()
            calls.note(.passcodeSet, failure: isKept ? nil : .storeUnavailable)
            close(isKept ? .success : .failure, isKept ? nil : .storeUnavailable)
        }
    }

    // MARK: The account's password: typed once, judged by the system

    private func typedPassword(_ typed: SecretBytes) {
        if let reply {
            self.reply = nil
            return reply(typed)
        }
        guard !isChecking else { return }
        guard (PasscodeLimit.least...PasscodeLimit.most).contains(typed.count) else {
            prompt?.update(content(.accountPassword, .passcodeTooShort(least: PasscodeLimit.least)))
            return
        }
        isChecking = true
        calls.device.passcode.checkAccount(
            typed,
            asking: { [weak self] question, reply in
                guard let self, let prompt = self.prompt else { return reply(nil) }
                self.reply = reply
                prompt.update(self.content(.accountPassword, .question(question)))
            }
        ) { [self] verdict in
            isChecking = false
            reply = nil
            guard let prompt else { return }
            switch verdict {
            case .right:
                guard passcode.isSet == replacesPasscode else { return close(.failure, .authenticationFailed) }
                keep(typed)
            case .wrong: prompt.update(content(.accountPassword, .wrongPasscode))
            case .expired: prompt.update(content(.accountPassword, .accountPasswordExpired))
            case .locked: prompt.update(content(.accountPassword, .accountLocked))
            // Nobody could be asked, and asking again would find nobody either.
            case .failed, .changedElsewhere, .waits: close(.failure, .internalFailure)
            }
        }
    }
}
