internal import ThumbAccess
internal import ThumbAuthentication
internal import ThumbConversation
internal import ThumbKeychain
internal import ThumbLoop
internal import ThumbSecrets

/// What an app may ask for, over one connection.
@OnLoop final class AppCalls {
    /// Gone once the connection is closed: what still comes of a call then goes nowhere.
    private weak var session: Session?
    let device: Device
    let caller: Caller
    private let population: Population
    private var contexts: [UInt64: ContextState] = [:]
    private var credentials: [UInt64: [UInt8: SecretBytes]] = [:]
    private var jobs: [UInt32: (job: EvaluationDesk.Job, context: UInt64?)] = [:]
    private var choices: [UInt32: PasscodeCall] = [:]
    /// The export or import that runs: one at a time, and gone with the connection.
    private var backup: BackupRun?
    private lazy var audit = AuditCall(self)
    /// Calls that wait for a custodian.
    private var working: Set<UInt32> = []
    /// How long the requests under way were, where they were long, and what each call that waits holds.
    private var lengths: [UInt32: Int] = [:]
    private var held: [UInt32: Int] = [:]
    private var fingers: [UInt32: FingerCall] = [:]
    /// Requests that wait, in their order, until the sensor is known.
    private var waiting: [(request: Request, call: UInt32)] = []
    private var isAsking = false
    private var isEnded = false
    /// The owner's words as they stood when the caller was found to be what it claims to be; nil: not yet.
    private var tiedAt: Int?

    init(_ session: Session, _ device: Device, _ population: Population, _ caller: Caller) {
        self.session = session
        self.device = device
        self.population = population
        self.caller = caller
        device.observeLock(self) { [weak self] in self?.locked() }
    }

    /// The connection is gone: so are its calls, prompts and contexts.
    func end() {
        isEnded = true
        waiting = []
        device.ignoreLock(self)
        device.environment.ignore(self)
        let pending = jobs.values
        jobs = [:]
        for (job, _) in pending {
            job.finish = nil
            device.desk.withdraw(job)
        }
        backup?.end(.deviceUnreachable)
        audit.end()
        let chosen = choices.values
        choices = [:]
        for choice in chosen { choice.withdraw() }
        working = []
        let enrolling = fingers.values
        fingers = [:]
        for finger in enrolling { finger.withdraw() }
        for call in held.keys { letGo(call) }
        device.meter.removeContexts(contexts.count)
        contexts = [:]
        credentials = [:]
    }

    // MARK: Waiting for the sensor

    /// - Parameter length: the bytes of its frame.
    func take(_ request: Request, _ call: UInt32, _ length: Int) throws(Refusal) {
        // A shorter one is less than what each call counts as anyway.
        if length > WireLimit.callBytes { lengths[call] = length }
        try take(request, call)
    }

    private func take(_ request: Request, _ call: UInt32) throws(Refusal) {
        if isAsking {
            guard waiting.count < WireLimit.callsPerUser else { throw .tooManyCalls }
            return waiting.append((request, call))
        }
        guard let question = SensorQuestion(request) else { return try perform(request, call) }
        var isInside = true
        var isKnown = false
        isAsking = true
        device.parts.biometry.prepare(isCasual: question == .casual) { [weak self] in
            if isInside { isKnown = true } else { self?.sensorIsKnown() }
        }
        isInside = false
        guard isKnown else {
            session?.pause(.sensor)
            return waiting.append((request, call))
        }
        isAsking = false
        try perform(request, call)
    }

    private func sensorIsKnown() {
        guard isAsking, !isEnded, !waiting.isEmpty else { return }
        isAsking = false
        defer { if !isAsking { session?.resume(.sensor) } }
        var call: UInt32 = 0
        do throws(Refusal) {
            // Whatever is known now, the first waits no longer.
            let first = waiting.removeFirst()
            call = first.call
            try perform(first.request, first.call)
            while !isAsking, !isEnded, !waiting.isEmpty {
                let next = waiting.removeFirst()
                call = next.call
                // One that has to ask anew is put back where it stood: at the front.
                let before = waiting
                waiting = []
                try take(next.request, next.call)
                waiting += before
            }
        } catch {
            refuse(error, call)
        }
    }

    func send(_ answer: Answer, _ call: UInt32) {
        if !lengths.isEmpty, answer.endsCall { lengths[call] = nil }
        session?.send(answer, call)
    }
    /// Whether the app has much to read that it was sent; then a list waits until it has read some.
    var hasMuchUnread: Bool { session?.hasMuchUnread ?? false }
    func whenRead(_ body: @escaping () -> Void) { session?.whenRead(body) }

    /// Hands the app a prompt's ticket, and says whether a window would be seen.
    func offer(_ ticket: [UInt8], _ call: UInt32) {
        send(caller.place.windowSession == nil ? .promptNeeded(ticket: ticket) : .windowNeeded(ticket: ticket), call)
    }
    func refuse(_ refusal: Refusal, _ call: UInt32) { session?.refuse(refusal, call: call) }

    private func perform(_ request: Request, _ call: UInt32) throws(Refusal) {
        switch request {
        case .echo(let bytes): send(.echoed(bytes), call)
        case .status: send(.status(device.status(for: caller)), call)
        case .capability(let context, let policy):
            let known = Policy(rawValue: policy)
            send(.capability(device.capability(known, for: caller, context: contexts[context] ?? ContextState())), call)
        case .evaluate(let request): try EvaluationCall(self, call, request).evaluate()
        case .invalidate(let context):
            try change(context) { $0.invalidate() }
            credentials[context] = nil
            withdraw(context)
            send(.done, call)
        case .release(let context):
            if contexts.removeValue(forKey: context) != nil { device.meter.removeContexts(1) }
            credentials[context] = nil
            withdraw(context)
        case .promptUnavailable(let ticket): device.parts.prompts.refuse(ticket: ticket, uid: caller.uid)
        case .setCredential(let context, let kind, let secret):
            try keep(secret, kind, context, call)
        case .isCredentialSet(let context, let kind): send(.flag(credentials[context]?[kind] != nil), call)
        case .watchEnvironment:
            device.environment.observe(self) { [weak self] in self?.send(.changed, call) }
        case .add(let item):
            try GroupCall(self, call, item.asking).settle([item.attributes[.group]]) { [self] in add(item, call) }
        case .find(let query):
            try settled(query, call) { (keychainCall) throws(Refusal) in try keychainCall.find(query) }
        case .update(let query, let change):
            try settled(query, call, change.attributes[.group]) { [device] (keychainCall) throws(Refusal) in
                try keychainCall.run { (authority) throws(KeychainFailure) in
                    try device.keychain.update(query, change, authority).map { .done }
                }
            }
        case .remove(let query):
            try settled(query, call) { [device] (keychainCall) throws(Refusal) in
                try keychainCall.run { (authority) throws(KeychainFailure) in
                    try device.keychain.remove(query, authority)
                    return .done(.done)
                }
            }
        case .setPasscode: try PasscodeCall(self, call).set()
        case .removePasscode: try PasscodeCall(self, call).remove()
        case .makeRecoveryCode: try PasscodeCall(self, call).makeRecoveryCode()
        case .recover(let code): try PasscodeCall(self, call).recover(with: code)
        case .useAccountPassword: try PasscodeCall(self, call).useAccountPassword()
        case .listApps: ConsentCall(self, call, context: nil).list()
        case .judgeApp(let app, let wish, let verdict): try ConsentCall(self, call, context: nil).judge(app, wish, verdict)
        case .readAudit(let scope, let place): try audit.read(scope, place, call)
        case .verifyAudit(let scope): try audit.verify(scope, call)
        case .beginExport(let passphrase): try newBackup(.exported).beginExport(passphrase, call)
        case .beginImport(let head, let passphrase, let replaces, let countsOnly):
            let run = ImportRun(replaces: replaces, countsOnly: countsOnly)
            try newBackup(.imported).beginImport(head, passphrase, run, call)
        case .exportChunk:
            if let backup { backup.exportChunk(call) } else { send(.backupFailed(.notRunning), call) }
        case .importChunk(let box, let isLast):
            if let backup { backup.importChunk(box, isLast, call) } else { send(.backupFailed(.notRunning), call) }
        case .makeKey(let key):
            try GroupCall(self, call, key.asking).settle([key.attributes[.group]]) { [self] () throws(Refusal) in
                try KeyCall(self, call).make(key)
            }
        case .keepKey(let sealed, let attributes):
            try GroupCall(self, call, AskingTerms()).settle([attributes[.group]]) { [self] in
                answer(call) { [self] () throws(KeychainFailure) in
                    .key(try device.keychain.keepKey(sealed, attributes, try authority()))
                }
            }
        case .readKey(let sealed):
            try GroupCall(self, call, AskingTerms()).settle([]) { [self] in
                answer(call) { [self] () throws(KeychainFailure) in .key(try device.keychain.readKey(sealed, try authority())) }
            }
        case .useKey(let use):
            try GroupCall(self, call, use.asking).settle([]) { [self] () throws(Refusal) in try KeyCall(self, call).use(use) }
        case .signStatement(let use):
            try GroupCall(self, call, use.asking).settle([]) { [self] () throws(Refusal) in
                try StatementCall(self, call).sign(use)
            }
        case .allow(let allowance, let isAllowed): try KeyCall(self, call).allow(allowance, isAllowed)
        case .listFingers: FingerCall(self, call).list()
        case .enroll(let finger): try FingerCall(self, call).enroll(finger)
        case .forgetFinger(let finger): try FingerCall(self, call).forget(finger)
        case .hello, .typed, .cancelled, .fallback, .shown, .here, .dismissProgram, .offerPasscode: throw .notAllowedInThisRole
        }
    }

    private func newBackup(_ event: AuditEvent) throws(Refusal) -> BackupRun {
        guard backup == nil else { throw .tooManyCalls }
        let new = BackupRun(self, event)
        backup = new
        return new
    }

    func ended(_ run: BackupRun) { if backup === run { backup = nil } }

    // MARK: What the caller claims to be

    /// Whether there is nothing to ask about that: looked at once a connection, and again when the owner's words changed.
    var isTied: Bool { caller.program.claim == nil || tiedAt == device.keychain.ties.revision }

    func noteTied() { tiedAt = device.keychain.ties.revision }

    // MARK: Contexts

    func context(_ number: UInt64?) -> ContextState { number.flatMap { contexts[$0] } ?? ContextState() }

    func change(_ number: UInt64, _ body: (inout ContextState) -> Void) throws(Refusal) {
        var state = contexts[number] ?? ContextState()
        if contexts[number] == nil {
            guard contexts.count < WireLimit.contextsPerConnection, device.meter.addContext() else { throw .tooManyContexts }
        }
        body(&state)
        contexts[number] = state
    }

    /// Keeps a credential with its context, and answers whether it is kept. Of an application password only the key made of it
    /// is: the words themselves are gone as soon as they were stretched.
    private func keep(_ secret: SecretBytes?, _ kind: UInt8, _ context: UInt64, _ call: UInt32) throws(Refusal) {
        if self.context(context).isInvalidated { return send(.flag(false), call) }
        if let secret, secret.count > CredentialLimit.bytes { return send(.flag(false), call) }
        // A credential makes its context count, so that contexts stay within their number.
        try change(context) { _ in }
        guard let secret, kind == CredentialLimit.applicationPassword else {
            return send(.flag(put(secret, kind, context)), call)
        }
        guard let session, let work = device.parts.stretch(secret) else { return send(.flag(false), call) }
        let isTaken = device.meter.stretch(for: session, work) { [weak self] key in
            guard let self else { return }
            self.send(.flag(key != nil && self.put(key, kind, context)), call)
        }
        // It has as many waiting as it may: not kept, and the others' turn comes sooner.
        if !isTaken { send(.flag(false), call) }
    }

    private func put(_ secret: SecretBytes?, _ kind: UInt8, _ context: UInt64) -> Bool {
        // It may have been released or invalidated while its password was stretched.
        guard let state = contexts[context], !state.isInvalidated else { return false }
        var kept = credentials[context] ?? [:]
        do {
            // What is kept for an app is of its user's memory, not the house's.
            kept[kind] = try secret?.copy(in: device.meter.arena)
        } catch {
            return false
        }
        guard kept.count <= CredentialLimit.kinds else { return false }
        credentials[context] = kept.isEmpty ? nil : kept
        return true
    }

    func applicationKey(_ context: UInt64?) -> SecretBytes? {
        context.flatMap { credentials[$0]?[CredentialLimit.applicationPassword] }
    }

    private func locked() {
        for number in contexts.keys { contexts[number]?.forget() }
        backup?.end(.interactionNotAllowed)
        audit.end()
        for finger in fingers.values { finger.interrupt() }
    }

    private func withdraw(_ context: UInt64) {
        for (_, pending) in jobs where pending.context == context { device.desk.withdraw(pending.job) }
    }

    // MARK: Asking the owner

    /// Asks, and calls back with what came of it; at most once, and not at all once the connection is gone.
    @discardableResult
    func ask(
        _ demands: Demands, _ words: PromptWords, signIn: SignInWords? = nil, interactionNotAllowed: Bool,
        order: EvaluationDesk.Job.Order, judge: EvaluationDesk.Job.Judge = .passcode, call: UInt32, context: UInt64?,
        answered: (() -> Evaluation.Outcome?)? = nil, then: @escaping (Evaluation.Outcome) -> Void
    ) throws(Refusal) -> EvaluationDesk.Job {
        // A peer that uses a call's number twice at once would have two answers to one question.
        guard jobs[call] == nil, choices[call] == nil else { throw .malformed }
        try hold(call)
        let job = EvaluationDesk.Job(
            demands: demands, caller: caller, client: ObjectIdentifier(self), words: words, signIn: signIn,
            interactionNotAllowed: interactionNotAllowed, order: order, judge: judge,
            offer: { [weak self] ticket in self?.offer(ticket, call) },
            finish: { [weak self] outcome in
                guard let self else { return }
                if self.jobs.removeValue(forKey: call) != nil { self.letGo(call) }
                then(outcome)
            })
        job.answered = answered
        jobs[call] = (job, context)
        device.desk.submit(job)
        return job
    }

    /// Counts a call among those that its user has under way, and what it said.
    private func hold(_ call: UInt32) throws(Refusal) {
        // An enrolment's number isn't looked at above: used twice, it is counted once.
        guard held[call] == nil else { throw .malformed }
        let bytes = (lengths[call] ?? 0) + WireLimit.callBytes
        guard device.meter.addCall(bytes) else { throw .tooManyCalls }
        guard population.begin(caller.uid) else {
            device.meter.removeCall(bytes)
            throw .tooManyCalls
        }
        held[call] = bytes
    }

    private func letGo(_ call: UInt32) {
        guard let bytes = held.removeValue(forKey: call) else { return }
        device.meter.removeCall(bytes)
        population.end(caller.uid)
    }

    /// Counts a choice of a new passcode among the pending calls, until it is ended or the connection is gone.
    func begin(_ choice: PasscodeCall, _ call: UInt32) throws(Refusal) {
        guard jobs[call] == nil, choices[call] == nil else { throw .malformed }
        try hold(call)
        choices[call] = choice
    }

    /// Counts a custodian's work among the pending calls, until it is done or the connection is gone.
    func beginWork(_ call: UInt32) throws(Refusal) {
        guard jobs[call] == nil, choices[call] == nil, !working.contains(call) else { throw .malformed }
        try hold(call)
        working.insert(call)
    }

    /// False if the connection went away meanwhile.
    func endWork(_ call: UInt32) -> Bool {
        guard working.remove(call) != nil else { return false }
        letGo(call)
        return true
    }

    /// Counts an enrolment among the pending calls.
    func begin(_ finger: FingerCall, _ call: UInt32) throws(Refusal) {
        guard jobs[call] == nil, choices[call] == nil, fingers[call] == nil else { throw .malformed }
        try hold(call)
        fingers[call] = finger
    }

    func endFinger(_ call: UInt32) {
        if fingers.removeValue(forKey: call) != nil { letGo(call) }
    }

    func isChoosing(_ choice: PasscodeCall, _ call: UInt32) -> Bool { choices[call] === choice }

    func endChoice(_ call: UInt32) {
        if choices.removeValue(forKey: call) != nil { letGo(call) }
    }

    /// Writes down what this caller did, where it isn't about one item.
    func note(_ event: AuditEvent, failure: KeychainFailure? = nil, factors: Set<Factor> = [], times: UInt64 = 1) {
        device.audit.note(
            AuditNote(
                date: device.parts.clock.date, event: event, by: caller, failure: failure, factors: factors,
                times: UInt32(clamping: times)))
    }

    /// What this caller may do by itself, without any context.
    private func authority() throws(KeychainFailure) -> Authority {
        try device.authority(for: caller, context: ContextState(), applicationKey: nil)
    }

    private func answer(_ call: UInt32, _ body: () throws(KeychainFailure) -> Answer) {
        do throws(KeychainFailure) {
            send(try body(), call)
        } catch {
            send(.failed(error), call)
        }
    }

    /// Makes a keychain call once there is a word about the groups it names.
    private func settled(
        _ query: Query, _ call: UInt32, _ target: AttributeValue? = nil,
        _ body: @escaping @OnLoop (KeychainCall) throws(Refusal) -> Void
    ) throws(Refusal) {
        try GroupCall(self, call, query.asking).settle([query.attributes[.group], target]) { [self] () throws(Refusal) in
            try body(KeychainCall(self, call, query.asking))
        }
    }

    private func add(_ item: NewItem, _ call: UInt32) {
        do {
            if context(item.asking.context).isInvalidated { throw KeychainFailure.authenticationFailed }
            let authority = try device.authority(
                for: caller, context: context(item.asking.context), applicationKey: applicationKey(item.asking.context))
            send(.page([try device.keychain.add(item, authority)], isLast: true), call)
        } catch let failure as KeychainFailure {
            send(.failed(failure), call)
        } catch {
            send(.failed(.internalFailure), call)
        }
    }
}
