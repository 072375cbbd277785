import ThumbAccess
import ThumbAuthentication
import ThumbCompanion
import ThumbKeychain
import ThumbLoop
import ThumbMetering
import ThumbSecrets

/// Another machine's questions, over one pairing: who calls is found out, then this machine's owner is asked.
@OnLoop final class CompanionAnswering {
    private let machine: PairedMachine
    private unowned let desk: CompanionDesk
    /// Whether the link key is agreeing for a call. Each call costs that, and anybody can call: so they come one at a time, and not often.
    private var isAgreeing = false
    private var pace = Pace(CompanionLimit.callsAtOnce, pause: CompanionLimit.secondsBetweenCalls)
    /// Who called lately and may be the asking machine, the latest last; and when.
    private var callers: [(listening: Listening, at: Double)] = []
    /// The question that the owner has.
    private var question: Question?
    private var isOver = false

    private final class Question {
        let answering: Answering
        var job: EvaluationDesk.Job?
        init(_ answering: Answering) { self.answering = answering }
    }

    init(_ machine: PairedMachine, _ desk: CompanionDesk) { (self.machine, self.desk) = (machine, desk) }

    /// A frame came, and may be anybody's. What doesn't open is dropped: the asking machine notices by itself.
    func hear(_ frame: [UInt8], over connection: UInt32) {
        do throws(CompanionRefusal) {
            if ConversationNumber.isCall(frame) { return try answer(try Called(frame)) }
            let number = ConversationNumber.of(frame)
            // Whoever repeats the call of a question has its number too, so what is meant for the question is looked for first.
            if let question, question.answering.conversation == number, isWithdrawn(question, by: frame) {
                take(back: question)
            } else if callers.contains(where: { $0.listening.conversation == number }) {
                let answering = try asked(frame, number)
                desk.proven(machine, connection)
                take(answering)
            } else if question?.answering.conversation == number {
                throw CompanionRefusal.notGenuine
            }
        } catch {
            desk.logSparingly("a frame for a paired machine was dropped")
        }
    }

    private func isWithdrawn(_ question: Question, by frame: [UInt8]) -> Bool {
        (try? question.answering.withdrawn(frame)) != nil
    }

    /// The question of one of those who called. Whoever repeats a call has its number too, so each of them is tried.
    private func asked(_ frame: [UInt8], _ number: [UInt8]?) throws(CompanionRefusal) -> Answering {
        var refusal = CompanionRefusal.notGenuine
        for (listening, at) in callers
        where listening.conversation == number && desk.parts.clock.now - at <= CompanionLimit.secondsToAnswer {
            do throws(CompanionRefusal) {
                let answering = try listening.asked(frame)
                callers.removeAll { $0.listening.conversation == number }
                return answering
            } catch {
                refusal = error
            }
        }
        throw refusal
    }

    /// The line is down: nobody waits for an answer any more.
    func hangUp() {
        callers = []
        if let question { take(back: question) }
    }

    /// The pairing is gone.
    func end() {
        isOver = true
        hangUp()
    }

    private func answer(_ called: Called) throws(CompanionRefusal) {
        if isAgreeing || !pace.take(at: desk.parts.clock.now) { return }
        // What isn't a point costs the link key nothing.
        _ = try desk.parts.crypto.makeFreshKey().agree(with: called.asking)
        isAgreeing = true
        desk.agree(machine, with: called.asking) { [weak self] shared in
            guard let self else { return }
            isAgreeing = false
            guard let shared, !isOver else { return }
            do throws(CompanionRefusal) {
                let listening = try called.joined(
                    desk.parts.crypto, CompanionKeys(pairing: machine.id, link: machine.otherLink, yes: []), shared: shared,
                    canAsk: desk.device?.isLocked == false && desk.machines.areOpen)
                // Earlier callers, and a question that the owner has, stay until this caller has shown that it is the asking machine.
                callers.append((listening: listening, at: desk.parts.clock.now))
                if callers.count > CompanionLimit.callers { callers.removeFirst() }
                desk.send(listening.frame, to: machine)
            } catch {
                desk.logSparingly("a paired machine's call could not be answered")
            }
        }
    }

    // MARK: The owner

    private func take(_ answering: Answering) {
        if let question { take(back: question) }
        let question = Question(answering)
        self.question = question
        // The asking machine waits no longer than this, even if its word that it doesn't is lost.
        desk.parts.clock.after(CompanionLimit.secondsToAnswer) { [weak self, weak question] in
            guard let self, let question, self.question === question else { return }
            take(back: question)
        }
        // What the sensor can do is found out before it is asked for.
        desk.parts.biometry.prepare(isCasual: true) { [weak self] in
            guard let self, self.question === question else { return }
            ask(question, ContextState())
        }
    }

    private func take(back question: Question) {
        if self.question === question { self.question = nil }
        if let job = question.job { desk.device?.desk.withdraw(job) }
    }

    /// Asks as long as the yes key's rule isn't satisfied: once, unless something changed meanwhile.
    private func ask(_ question: Question, _ state: ContextState) {
        guard let device = desk.device, let (app, call) = desk.prompter else { return refuse(question, .notAsked) }
        let caller = app.caller
        let enrolment = desk.parts.biometry.enrolment
        let authority = Authority(
            caller: caller, given: state.standing(under: enrolment), enrolment: enrolment, device: device.state(for: caller),
            isLocked: device.isLocked)
        do throws(KeychainFailure) {
            switch try device.keychain.hold(yesOf: machine, authority) {
            case .done(let released): sign(question, released, authority.given)
            case .ask(_, let demands):
                // Only a new answer of the owner's is looked at again.
                guard question.job == nil else { return refuse(question, .unrecognized) }
                let asked = question.answering.question
                let job = EvaluationDesk.Job(
                    demands: demands, caller: caller, client: ObjectIdentifier(app), words: PromptWords(reason: asked.reason),
                    signIn: asked.signIn, interactionNotAllowed: false, order: .waits, judge: .passcode,
                    offer: { [weak app] in app?.offer($0, call) },
                    finish: { [weak self] outcome in self?.answered(outcome, question) })
                (job.program, job.machine) = (asked.program, machine.name)
                question.job = job
                device.desk.submit(job)
            }
        } catch {
            refuse(question, .notAsked)
        }
    }

    private func answered(_ outcome: Evaluation.Outcome, _ question: Question) {
        guard self.question === question else { return }
        switch outcome {
        case .success(let factors, let enrolment):
            var state = ContextState()
            state.remember(factors, enrolment)
            ask(question, state)
        case .failure(.userCancel): refuse(question, .refused)
        case .failure(.authenticationFailed), .failure(.biometryLockout), .failure(.userFallback):
            refuse(question, .unrecognized)
        case .failure: refuse(question, .notAsked)
        }
    }

    private func sign(_ question: Question, _ released: ReleasedKey, _ factors: Set<Factor>) {
        desk.use(released, .sign(digest: question.answering.digest, .ecdsa)) { [weak self] signature in
            guard let self, self.question === question else { return }
            guard let signature else { return refuse(question, .notAsked) }
            self.question = nil
            note(nil, factors)
            reply { () throws(CompanionRefusal) in
                try question.answering.yes(signature.plainBytes(in: 0..<signature.count))
            }
        }
    }

    private func refuse(_ question: Question, _ verdict: CompanionVerdict) {
        guard self.question === question else { return }
        self.question = nil
        let failures: [CompanionVerdict: KeychainFailure] = [
            .refused: .userCanceled, .unrecognized: .authenticationFailed, .notAsked: .interactionNotAllowed,
        ]
        note(failures[verdict], [])
        reply { () throws(CompanionRefusal) in try question.answering.no(verdict) }
    }

    private func reply(_ frame: () throws(CompanionRefusal) -> [UInt8]) {
        do throws(CompanionRefusal) {
            desk.send(try frame(), to: machine)
        } catch {
            desk.logSparingly("a paired machine could not be answered")
        }
    }

    private func note(_ failure: KeychainFailure?, _ factors: Set<Factor>) {
        guard let device = desk.device, let (app, _) = desk.prompter else { return }
        device.note(.companionAnswered, by: app.caller, failure: failure, factors: factors)
    }
}
