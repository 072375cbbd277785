import ThumbAccess
import ThumbAuthentication
import ThumbLoop
import ThumbSecrets

/// Where the owner is asked: one evaluation at a time, when its turn on the screen has come.
///
/// It carries out what `Evaluation` decides and decides nothing itself.
@OnLoop final class EvaluationDesk {
    @OnLoop private final class Run {
        let job: Job
        var evaluation: Evaluation
        let turn: PromptTurns.Turn
        var isOver = false
        /// Whether the sensor has listened for it, or companions were asked. Then its owner has to stay there.
        var needsSeat = false
        /// What the owner typed and the daemon is checking.
        var typed: SecretBytes?
        var ending = PromptEnding.failure
        var events: [Evaluation.Event] = []
        var isPerforming = false
        /// Takes the owner's answer to the system's question.
        var reply: ((SecretBytes?) -> Void)?

        init(_ job: Job, _ evaluation: Evaluation, _ turn: PromptTurns.Turn) {
            self.job = job
            self.evaluation = evaluation
            self.turn = turn
        }
    }

    private let parts: Device.Parts
    private let passcode: OwnerPasscode
    let companions: any Companions
    private let gate: SensorGate
    /// Who has the screen.
    let turns: PromptTurns
    /// Called when a prompt has ended: a lockout may have begun or been lifted.
    var onEnd: (() -> Void)?
    /// Called when the passcode has followed the account's password.
    var onRenewed: ((Caller) -> Void)?
    private var current: Run?
    /// Whether a timer is set that checks whether the owner is still there. One timer serves all evaluations.
    private var isSeatWatched = false
    /// When the latest wrong passcode was typed. At a start it is set to now, so that a restart doesn't shorten the delay.
    private var wrongPasscodeAt: Double

    init(_ parts: Device.Parts, _ passcode: OwnerPasscode, _ companions: any Companions) {
        self.parts = parts
        self.passcode = passcode
        self.companions = companions
        gate = SensorGate(parts.biometry, parts.clock)
        turns = PromptTurns(parts.prompts, parts.clock)
        turns.onGone = { [gate] in gate.rest() }
        wrongPasscodeAt = parts.clock.now
    }

    func state(for caller: Caller) -> DeviceState {
        var device = DeviceState(
            kind: parts.biometry.kind, condition: parts.biometry.condition(for: caller), level: parts.biometry.level,
            passcodeIsSet: parts.passcode.isSet, passcodeWasGiven: parts.passcode.wasGiven, attempts: parts.ledger.attempts,
            companions: near)
        device.wasOpenedAtLogin = parts.passcode.wasOpenedAtLogin
        return device
    }

    /// The companions that can be asked. Like the sensor, they count for nothing before the passcode was given once.
    var near: [String] { parts.passcode.isSet && parts.passcode.wasGiven ? companions.near : [] }

    /// The device as an app sees it, which includes the owner's decisions about the app.
    var stateForApp: ((Caller) -> DeviceState)?

    /// The same for one job. If another password is asked for, it counts as a passcode.
    private func state(for job: Job) -> DeviceState {
        var device = stateForApp?(job.caller) ?? state(for: job.caller)
        if !job.judge.needsPasscode { device.passcodeIsSet = true }
        if job.isLogin, !device.passcodeWasGiven { device.wasOpenedAtLogin = parts.passcode.opensAtLogin }
        return device
    }

    func submit(_ job: Job) {
        let device = state(for: job)
        // A job that can't succeed, or may not ask, ends at once and never waits for somebody else's prompt.
        if job.demands.isEmpty || job.demands.failure(on: device) != nil || job.interactionNotAllowed {
            var evaluation = evaluation(of: job, on: device)
            guard case .finish(let outcome)? = evaluation.begin().last else { return job.end(.failure(.deviceFailure)) }
            return job.end(outcome)
        }
        let turn = turns.enter(
            job.caller, job.client, for: job.reader, replaces: job.order == .replaces, offer: job.offer,
            begin: { [weak self] turn in self?.start(job, turn) }, lose: { job.end(.failure($0)) })
        if job.finish != nil { job.turn = turn }
    }

    /// Takes a job back, whether it waits or has the screen.
    func withdraw(_ job: Job) {
        if let current, current.job === job { return handle(.withdrawn, in: current) }
        guard let turn = job.turn else { return job.end(.failure(.appCancel)) }
        turns.leave(turn, .cancelled) { job.end(.failure(.appCancel)) }
    }

    /// Seconds until the next passcode may be checked.
    var passcodeWait: Double { max(0, wrongPasscodeAt + parts.ledger.attempts.passcodeDelay - parts.clock.now) }

    // MARK: Running one

    private func evaluation(of job: Job, on device: DeviceState) -> Evaluation {
        var terms = Evaluation.Terms(
            demands: job.demands, program: job.shown, words: job.words, signIn: job.signIn,
            interactionNotAllowed: job.interactionNotAllowed,
            purpose: job.judge.purpose(parts.passcode.source))
        terms.polkit = job.polkit
        terms.becomesPasscode = job.judge.makesPasscode
        terms.machine = job.machine
        return Evaluation(terms, on: device, passcodeWait: passcodeWait)
    }

    private func start(_ job: Job, _ turn: PromptTurns.Turn) {
        if let outcome = job.answered?() {
            return turns.leave(turn, .success) { job.end(outcome) }
        }
        var device = state(for: job)
        // If the prompt isn't where its owner must be, it only takes a passcode: a touch, or a yes at a companion, might not be meant for it.
        if !parts.seat.counts(turn.spot, for: job.caller.uid) { (device.condition, device.companions) = (.notAvailable, []) }
        var evaluation = evaluation(of: job, on: device)
        let effects = evaluation.begin()
        if case .finish(let outcome)? = effects.last {
            return turns.leave(turn, .failure) { job.end(outcome) }
        }
        let run = Run(job, evaluation, turn)
        current = run
        turn.heard = { [weak self, weak run] in self?.answered($0, run) }
        perform(effects, in: run)
        drain(run)
    }

    private func handle(_ event: Evaluation.Event, in run: Run) {
        run.events.append(event)
        drain(run)
    }

    /// Events that arrive while effects are carried out wait, so that the evaluation sees one at a time.
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
            case .show(var content), .update(var content):
                content.waiting = UInt16(clamping: turns.waiting)
                run.turn.show(content)
            case .dismiss(let ending): run.ending = ending
            case .listen:
                gate.listen { [weak self, weak run] in self?.reported($0, run) }
                watchSeat(of: run)
            case .stopListening: gate.stop()
            case .reach:
                watchSeat(of: run)
                companions.ask(question(of: run.job)) { [weak self, weak run] in self?.said($0, run) }
            case .stopReaching: companions.stop()
            case .commit(let attempts): commit(attempts, run)
            case .check(let typed):
                // The guess is counted already. Its delay runs from here, so that it also holds for a call that comes before the verdict.
                if run.evaluation.countsPasscodes { wrongPasscodeAt = parts.clock.now }
                check(typed, in: run)
            case .renew(let accepted, let previous):
                wrongPasscodeAt = parts.clock.now
                turns.looks(run.turn)
                passcode.renew(accepted, over: previous) { [weak self, weak run] verdict in
                    if verdict == .right, let run { self?.onRenewed?(run.job.caller) }
                    self?.judged(verdict, run)
                }
            case .answer(let typed):
                let reply = run.reply
                run.reply = nil
                turns.looks(run.turn)
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

    /// Checks each second whether the owner is still where the prompt is. In a session that ended nobody sees what a touch or a yes is for.
    private func watchSeat(of run: Run) {
        run.needsSeat = true
        if isSeatWatched { return }
        isSeatWatched = true
        parts.clock.after(PromptLimit.secondsForSeat) { [weak self] in
            guard let self else { return }
            self.isSeatWatched = false
            guard let run = self.current, run.needsSeat else { return }
            if self.isSeated(run) { self.watchSeat(of: run) } else { self.handle(.interrupted, in: run) }
        }
    }

    private func isSeated(_ run: Run) -> Bool { parts.seat.counts(run.turn.spot, for: run.job.caller.uid) }

    private func check(_ typed: SecretBytes, in run: Run) {
        run.typed = typed
        turns.looks(run.turn)
        let asking: OwnerPasscode.Asking = { [weak self, weak run] in self?.asked($0, $1, run) }
        let judged: (PasscodeVerdict) -> Void = { [weak self, weak run] in self?.judged($0, run) }
        switch run.job.judge {
        case .passcode: passcode.check(typed, asking: asking, judged)
        case .account, .newPasscode: passcode.checkAccount(typed, asking: asking, judged)
        case .system(let judge): judge.check(typed, asking: asking) { judged(PasscodeVerdict($0)) }
        }
    }

    private func question(of job: Job) -> CompanionQuestion {
        CompanionQuestion(
            program: job.reader?.program ?? job.caller.program, reason: job.signIn == nil ? job.words.reason : "",
            signIn: job.signIn,
            subject: job.subject)
    }

    /// What became of asking the companions. One that asks its owner is an act of the owner's, who turns to the other machine.
    private func said(_ report: CompanionReport, _ run: Run?) {
        guard let run, !run.isOver else { return }
        guard isSeated(run) else { return handle(.interrupted, in: run) }
        if report == .asks { turns.acts(run.turn) }
        handle(.companion(report), in: run)
    }

    private func judged(_ verdict: PasscodeVerdict, _ run: Run?) {
        guard let run else { return }
        run.reply = nil
        turns.hasLooked(run.turn)
        if verdict == .right, run.job.judge.makesPasscode { run.job.accepted = run.typed }
        run.typed = nil
        if verdict == .wrong, run.evaluation.countsPasscodes { wrongPasscodeAt = parts.clock.now }
        handle(.verdict(verdict), in: run)
    }

    /// The system asks for more. If the evaluation is over, there is no answer.
    private func asked(_ question: AccountQuestion, _ reply: @escaping (SecretBytes?) -> Void, _ run: Run?) {
        guard let run, !run.isOver else { return reply(nil) }
        run.reply = reply
        turns.hasLooked(run.turn)
        handle(.question(question), in: run)
    }

    private func commit(_ attempts: Attempts, _ run: Run) {
        do {
            try parts.ledger.commit(attempts)
        } catch {
            parts.log("the attempt counters could not be written; the evaluation was ended without a verdict")
            gate.stop()
            finish(run, .failure(.deviceFailure))
        }
    }

    private func finish(_ run: Run, _ outcome: Evaluation.Outcome) {
        run.isOver = true
        if current === run { companions.stop() }
        let reply = run.reply
        run.reply = nil
        reply?(nil)
        if current === run { current = nil }
        turns.leave(run.turn, run.ending) {
            run.job.end(outcome)
            onEnd?()
        }
    }

    private func answered(_ answer: PromptAnswer, _ run: Run?) {
        guard let run else { return }
        switch answer {
        case .shown: handle(.shown, in: run)
        case .typed(let passcode): handle(.typed(passcode), in: run)
        case .cancel: handle(.cancel, in: run)
        case .fallback: handle(.fallback, in: run)
        case .interrupted: handle(.interrupted, in: run)
        case .unavailable: handle(.promptUnavailable, in: run)
        // `PromptTurns` handles these.
        case .stands, .acts, .dismissProgram: break
        }
    }

    private func reported(_ report: BiometryReport, _ run: Run?) {
        guard let run else { return }
        // While the sensor listened, the owner may have switched to another console, or the session may have ended.
        guard isSeated(run) else { return handle(.interrupted, in: run) }
        turns.acts(run.turn)
        switch report {
        case .match(let enrolment): handle(.match(enrolment), in: run)
        case .miss: handle(.miss, in: run)
        case .retry(let hint): handle(.retry(hint), in: run)
        case .failed: handle(.sensorFailed, in: run)
        case .disconnected: handle(.sensorDisconnected, in: run)
        }
    }
}
