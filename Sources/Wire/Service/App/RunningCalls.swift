import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbLoop
import ThumbSecrets

/// An app's calls that take more than a turn of the loop. They count towards their user's calls under way, and are taken back with the
/// connection.
@OnLoop final class RunningCalls {
    private let meter: Meter
    private let population: Population
    private let uid: UInt32
    private var calls: [UInt32: RunningCall] = [:]

    init(_ meter: Meter, _ population: Population, _ uid: UInt32) {
        self.meter = meter
        self.population = population
        self.uid = uid
    }

    /// Takes a call in. A peer may not use a call number that is still in use.
    func begin(_ number: UInt32, _ app: App, context: UInt64?, length: Int) throws(Refusal) -> RunningCall {
        guard calls[number] == nil else { throw .malformed }
        // A short word is less than the amount that every call counts as anyway.
        let bytes = WireLimit.callBytes + (length > WireLimit.callBytes ? length : 0)
        guard meter.addCall(bytes) else { throw .tooManyCalls }
        guard population.begin(uid) else {
            meter.removeCall(bytes)
            throw .tooManyCalls
        }
        let call = RunningCall(number, app, context: context, bytes: bytes)
        calls[number] = call
        return call
    }

    /// Returns false if the call was taken back: then nobody is told its result.
    func end(_ call: RunningCall) -> Bool {
        guard calls[call.number] === call else { return false }
        calls[call.number] = nil
        letGo(call)
        return true
    }

    /// Takes all calls back, because nobody waits for them any more.
    func takeBack() {
        let all = calls.values
        calls = [:]
        for call in all {
            letGo(call)
            call.task?.cancel()
        }
    }

    /// Ends the calls of a context, because the app wants that.
    func withdraw(context: UInt64) { for call in calls.values where call.context == context { call.withdraw() } }

    /// The owner's session was locked.
    func interrupt() { for call in calls.values { call.onLock?() } }

    private func letGo(_ call: RunningCall) {
        meter.removeCall(call.bytes)
        population.end(uid)
    }
}

/// One running call.
@OnLoop final class RunningCall {
    let number: UInt32
    let app: App
    let context: UInt64?
    fileprivate let bytes: Int
    var task: Task<Void, Never>?
    /// Done at once when the owner's session is locked. Prompts close by themselves.
    var onLock: (() -> Void)?
    private var isWithdrawn = false
    /// What the owner is being asked for this call.
    private var job: EvaluationDesk.Job?

    fileprivate init(_ number: UInt32, _ app: App, context: UInt64?, bytes: Int) {
        self.number = number
        self.app = app
        self.context = context
        self.bytes = bytes
    }

    /// The app has withdrawn the call. If the owner isn't being asked just now, they won't be.
    fileprivate func withdraw() {
        isWithdrawn = true
        if let job { app.device.desk.withdraw(job) }
    }

    // MARK: Waiting

    /// Waits for an answer that comes once, later. Ends the flow if the call was taken back meanwhile.
    func wait<Value>(_ begin: (@escaping (Value) -> Void) -> Void) async throws -> Value {
        let answer = await withCheckedContinuation { done in begin { done.resume(returning: LoopBox($0)) } }
        try Task.checkCancellation()
        return answer.value
    }

    /// Asks the owner. Fails with an `EvaluationFailure` if they didn't show what is demanded.
    ///
    /// - Parameter reader: the program that asks through this app, which is a provider.
    /// - Parameter answered: the answer that another call's prompt may have brought while this one waited.
    /// - Parameter recording: is given the outcome at once, before anybody else is asked, so that the next call finds what it keeps.
    func ask(
        _ demands: Demands, _ words: PromptWords, for reader: Reader? = nil, signIn: SignInWords? = nil,
        subject: EvaluationSubject = .policy(.companion), isAllowed: Bool = true,
        order: EvaluationDesk.Job.Order = .waits, judge: EvaluationDesk.Job.Judge = .passcode,
        answered: (() -> Evaluation.Outcome?)? = nil, recording: @escaping (Evaluation.Outcome) -> Void = { _ in }
    ) async throws -> Given {
        if isWithdrawn { throw EvaluationFailure.appCancel }
        let job = EvaluationDesk.Job(
            demands: demands, caller: app.caller, client: ObjectIdentifier(app), words: words, signIn: signIn,
            interactionNotAllowed: !isAllowed, order: order, judge: judge,
            offer: { [weak app, number] in app?.offer($0, number) })
        (job.answered, job.subject, job.reader) = (answered, subject, reader)
        self.job = job
        defer { self.job = nil }
        let desk = app.device.desk
        var pairings: UInt64 = 0
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { done in
                job.finish = { outcome in
                    pairings = desk.companions.revision
                    if !job.isTakenBack { recording(outcome) }
                    done.resume(returning: outcome)
                }
                if job.isTakenBack { job.end(.failure(.appCancel)) } else { desk.submit(job) }
            }
        } onCancel: {
            // Only a closing connection cancels, and connections are closed on the loop.
            OnLoop.assumed {
                job.isTakenBack = true
                desk.withdraw(job)
            }
        }
        try Task.checkCancellation()
        switch outcome {
        case .success(let factors, let enrolment):
            return Given(factors: factors, enrolment: enrolment, pairings: pairings, accepted: job.accepted)
        case .failure(let failure): throw failure
        }
    }

    /// Asks for the passcode, only for this: neither a finger nor what a context has shown before counts. Without a passcode there is no
    /// owner who could allow it.
    func askForPasscode(to reason: String, judge: EvaluationDesk.Job.Judge = .passcode) async throws {
        guard !judge.needsPasscode || app.device.parts.passcode.isSet else { throw KeychainFailure.authenticationFailed }
        do {
            _ = try await ask(Demands([[.passcode]]), PromptWords(ours: reason), judge: judge)
        } catch let failure as EvaluationFailure {
            // The owner can find their refusal in the audit later, whatever was asked.
            app.note(.evaluated, failure: failure.keychainFailure)
            throw failure.keychainFailure
        }
    }
}

/// What the owner showed.
struct Given {
    let factors: Set<Factor>
    let enrolment: Enrolment?
    /// The companions' revision when it was shown.
    let pairings: UInt64
    /// The account's password, for a call that makes it the passcode.
    let accepted: SecretBytes?
}
