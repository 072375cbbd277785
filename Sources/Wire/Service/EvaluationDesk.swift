internal import ThumbAccess
internal import ThumbAuthentication
internal import ThumbLoop
internal import ThumbSecrets

/// Where the owner is asked: one prompt at a time, the rest wait their turn.
///
/// It performs what `Evaluation` decides and decides nothing itself.
@OnLoop final class EvaluationDesk {
    /// One wish to ask the owner, and what is to happen with the answer.
    final class Job {
        enum Order {
            /// Takes the place of the prompt that is up, whose call ends as a system cancel: what an app's own evaluation does.
            case replaces
            /// Waits behind the others: what a blocked keychain call does.
            case waits
        }

        /// What a typed passcode is held against.
        enum Judge {
            case passcode
            /// Where there is no passcode yet, the account's password: the system is asked, and no slot is touched.
            case account
        }

        let demands: Demands
        let caller: Caller
        let words: PromptWords
        let signIn: SignInWords?
        let interactionNotAllowed: Bool
        let order: Order
        let judge: Judge
        let offer: ([UInt8]) -> Void
        /// What somebody else's prompt may have answered while this one waited.
        var answered: (() -> Evaluation.Outcome?)?
        var finish: ((Evaluation.Outcome) -> Void)?

        init(
            demands: Demands, caller: Caller, words: PromptWords, signIn: SignInWords? = nil, interactionNotAllowed: Bool,
            order: Order, judge: Judge, offer: @escaping ([UInt8]) -> Void, finish: @escaping (Evaluation.Outcome) -> Void
        ) {
            self.demands = demands
            self.caller = caller
            self.words = words
            self.signIn = signIn
            self.interactionNotAllowed = interactionNotAllowed
            self.order = order
            self.judge = judge
            self.offer = offer
            self.finish = finish
        }

        func end(_ outcome: Evaluation.Outcome) {
            let finish = finish
            self.finish = nil
            finish?(outcome)
        }
    }

    private final class Run {
        let job: Job
        var evaluation: Evaluation
        let prompt: any Prompt
        var isOver = false
        var events: [Evaluation.Event] = []
        var isPerforming = false
        /// Where the answer to the system's question goes.
        var reply: ((SecretBytes?) -> Void)?

        init(_ job: Job, _ evaluation: Evaluation, _ prompt: any Prompt) {
            self.job = job
            self.evaluation = evaluation
            self.prompt = prompt
        }
    }

    private let parts: Device.Parts
    private let passcode: OwnerPasscode
    /// Called when a prompt has ended: a lockout may have begun or been lifted.
    var onEnd: (() -> Void)?
    /// Called when the passcode has followed the account's password.
    var onRenewed: ((Caller) -> Void)?
    private var current: Run?
    private var waiting: [Job] = []
    /// When the latest wrong passcode was typed. After a start the whole delay counts again: a restart must not shorten it.
    private var wrongPasscodeAt: Double

    init(_ parts: Device.Parts, _ passcode: OwnerPasscode) {
        self.parts = parts
        self.passcode = passcode
        wrongPasscodeAt = parts.clock.now
    }

    func state(for caller: Caller) -> DeviceState {
        DeviceState(
            kind: parts.biometry.kind, condition: parts.biometry.condition(for: caller), level: parts.biometry.level,
            passcodeIsSet: parts.passcode.isSet, passcodeWasGiven: parts.passcode.wasGiven, attempts: parts.ledger.attempts)
    }

    /// The device as an app finds it; the owner's word about the app counts.
    var stateForApp: ((Caller) -> DeviceState)?

    /// The same for one job: the account's password stands where the passcode would.
    private func state(for job: Job) -> DeviceState {
        var device = stateForApp?(job.caller) ?? state(for: job.caller)
        if job.judge == .account { device.passcodeIsSet = true }
        return device
    }

    func submit(_ job: Job) {
        let device = state(for: job)
        // What can't succeed, or may not ask, says so at once and never waits for somebody else's prompt.
        if job.demands.failure(on: device) != nil || job.interactionNotAllowed || current == nil {
            return start(job)
        }
        switch job.order {
        case .waits: waiting.append(job)
        case .replaces:
            waiting.insert(job, at: 0)
            if let current { handle(.interrupted, in: current) }
        }
    }

    /// Takes a job back, whether it waits or is up.
    func withdraw(_ job: Job) {
        if let current, current.job === job { return handle(.withdrawn, in: current) }
        waiting.removeAll { $0 === job }
        job.end(.failure(.appCancel))
    }

    /// Ends every prompt: the session was locked.
    func interruptAll() {
        let jobs = waiting
        waiting = []
        for job in jobs { job.end(.failure(.systemCancel)) }
        if let current { handle(.interrupted, in: current) }
    }

    /// Seconds until the next passcode is looked at.
    var passcodeWait: Double { max(0, wrongPasscodeAt + parts.ledger.attempts.passcodeDelay - parts.clock.now) }

    // MARK: Running one

    private func start(_ job: Job) {
        if let outcome = job.answered?() { return job.end(outcome) }
        var evaluation = Evaluation(
            Evaluation.Terms(
                demands: job.demands, program: job.caller.program, words: job.words,
                signIn: job.signIn, interactionNotAllowed: job.interactionNotAllowed,
                purpose: job.judge == .account || parts.passcode.source == .account ? .accountPassword : .evaluate),
            on: state(for: job), passcodeWait: passcodeWait)
        let effects = evaluation.begin()
        if case .finish(let outcome)? = effects.last { return job.end(outcome) }
        let run = Run(job, evaluation, parts.prompts.makePrompt(for: job.caller, offer: job.offer))
        current = run
        perform(effects, in: run)
        drain(run)
    }

    private func handle(_ event: Evaluation.Event, in run: Run) {
        run.events.append(event)
        drain(run)
    }

    /// Events that arrive while effects are performed wait for their turn: the evaluation sees one thing at a time.
    private func drain(_ run: Run) {
        if run.isPerforming { return }
        while !run.isOver, !run.events.isEmpty { perform(run.evaluation.handle(run.events.removeFirst()), in: run) }
    }

    private func perform(_ effects: [Evaluation.Effect], in run: Run) {
        run.isPerforming = true
        defer { run.isPerforming = false }
        for effect in effects {
            if run.isOver { return }
            switch effect {
            case .show(let content): run.prompt.show(content) { [weak self, weak run] in self?.answered($0, run) }
            case .update(let content): run.prompt.update(content)
            case .dismiss(let ending): run.prompt.dismiss(ending)
            case .listen: parts.biometry.listen { [weak self, weak run] in self?.reported($0, run) }
            case .stopListening: parts.biometry.stop()
            case .commit(let attempts): commit(attempts, run)
            case .check(let typed):
                // The guess is counted already, so its delay runs from here, even for a call that comes before the verdict.
                wrongPasscodeAt = parts.clock.now
                check(typed, in: run)
            case .renew(let accepted, let previous):
                wrongPasscodeAt = parts.clock.now
                passcode.renew(accepted, over: previous) { [weak self, weak run] verdict in
                    if verdict == .right, let run { self?.onRenewed?(run.job.caller) }
                    self?.judged(verdict, run)
                }
            case .answer(let typed):
                let reply = run.reply
                run.reply = nil
                reply?(typed)
            case .wait(let seconds):
                parts.clock.after(seconds) { [weak self, weak run] in
                    guard let self, let run else { return }
                    self.handle(.waitIsOver, in: run)
                }
            case .finish(let outcome): finish(run, outcome)
            }
        }
    }

    private func check(_ typed: SecretBytes, in run: Run) {
        let asking: OwnerPasscode.Asking = { [weak self, weak run] in self?.asked($0, $1, run) }
        let judged: (PasscodeVerdict) -> Void = { [weak self, weak run] in self?.judged($0, run) }
        switch run.job.judge {
        case .passcode: passcode.check(typed, asking: asking, judged)
        case .account: passcode.checkAccount(typed, asking: asking, judged)
        }
    }

    private func judged(_ verdict: PasscodeVerdict, _ run: Run?) {
        guard let run else { return }
        run.reply = nil
        if verdict == .wrong { wrongPasscodeAt = parts.clock.now }
        handle(.verdict(verdict), in: run)
    }

    /// The system asks for more; who isn't there any more says nothing.
    private func asked(_ question: AccountQuestion, _ reply: @escaping (SecretBytes?) -> Void, _ run: Run?) {
        guard let run, !run.isOver else { return reply(nil) }
        run.reply = reply
        handle(.question(question), in: run)
    }

    private func commit(_ attempts: Attempts, _ run: Run) {
        do {
            try parts.ledger.commit(attempts)
        } catch {
            parts.log("the attempt counters could not be written; the evaluation was ended without a verdict")
            parts.biometry.stop()
            run.prompt.dismiss(.failure)
            finish(run, .failure(.deviceFailure))
        }
    }

    private func finish(_ run: Run, _ outcome: Evaluation.Outcome) {
        run.isOver = true
        let reply = run.reply
        run.reply = nil
        reply?(nil)
        if current === run { current = nil }
        run.job.end(outcome)
        onEnd?()
        while current == nil, !waiting.isEmpty { start(waiting.removeFirst()) }
    }

    private func answered(_ answer: PromptAnswer, _ run: Run?) {
        guard let run else { return }
        switch answer {
        case .typed(let passcode): handle(.typed(passcode), in: run)
        case .cancel: handle(.cancel, in: run)
        case .fallback: handle(.fallback, in: run)
        case .interrupted: handle(.interrupted, in: run)
        case .unavailable: handle(.promptUnavailable, in: run)
        }
    }

    private func reported(_ report: BiometryReport, _ run: Run?) {
        guard let run else { return }
        switch report {
        case .match(let enrolment): handle(.match(enrolment), in: run)
        case .miss: handle(.miss, in: run)
        case .retry(let hint): handle(.retry(hint), in: run)
        case .failed: handle(.sensorFailed, in: run)
        }
    }
}
