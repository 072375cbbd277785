import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbKeychain
import ThumbLogging
import ThumbLoop
import ThumbSecrets

/// One connected app: what it may ask, its contexts, and its calls under way.
@OnLoop final class App {
    /// nil once the connection is closed. Answers that come later then go nowhere.
    private(set) weak var session: Session?
    let device: Device
    let caller: Caller
    let contexts: AppContexts
    let calls: RunningCalls
    let audit = AuditReading()
    /// The export or import that runs. There is one at a time, and it ends with the connection.
    var backup: BackupRun?
    /// The frames of the pairing that runs. There is one at a time.
    var pairing: PairingFrames?
    /// The words that wait, in order, until the sensor is known.
    private var waiting: [(word: FromApp, call: UInt32, length: Int)] = []
    private var isAsking = false
    private var isEnded = false
    /// The length in bytes of the word that is being performed.
    private var length = 0
    /// The revision of the owner's decisions at which the caller was found to be what it claims; nil if that hasn't been checked.
    private var tiedAt: Int?

    init(_ session: Session, _ device: Device, _ population: Population, _ caller: Caller) {
        self.session = session
        self.device = device
        self.caller = caller
        contexts = AppContexts(device.meter)
        calls = RunningCalls(device.meter, population, caller.uid)
        device.session.observe(self) { [weak self] in self?.locked() }
    }

    /// The connection is gone, and with it the app's calls, prompts and contexts.
    func end() {
        isEnded = true
        waiting = []
        device.session.ignore(self)
        device.environment.ignore(self)
        device.companionDesk.detach(self)
        calls.takeBack()
        backup?.end(.deviceUnreachable)
        audit.end()
        contexts.end()
    }

    /// The owner's session was locked, so nothing that the owner showed for it counts any more.
    private func locked() {
        contexts.forget()
        backup?.end(.interactionNotAllowed)
        audit.end()
        calls.interrupt()
    }

    // MARK: Waiting for the sensor

    func take(_ frame: Frame) throws(Refusal) { try take(try FromApp(frame), frame.call, frame.count) }

    private func take(_ word: FromApp, _ call: UInt32, _ length: Int) throws(Refusal) {
        if isAsking {
            guard waiting.count < WireLimit.callsPerUser else { throw .tooManyCalls }
            return waiting.append((word, call, length))
        }
        guard let question = SensorQuestion(word) else { return try perform(word, call, length) }
        var isInside = true
        var isKnown = false
        isAsking = true
        device.parts.biometry.prepare(isCasual: question == .casual) { [weak self] in
            if isInside { isKnown = true } else { self?.sensorIsKnown() }
        }
        isInside = false
        guard isKnown else {
            session?.pause(.sensor)
            return waiting.append((word, call, length))
        }
        isAsking = false
        try perform(word, call, length)
    }

    private func sensorIsKnown() {
        guard isAsking, !isEnded, !waiting.isEmpty else { return }
        isAsking = false
        defer { if !isAsking { session?.resume(.sensor) } }
        let line = waiting
        waiting = []
        var call: UInt32 = 0
        do throws(Refusal) {
            for (place, next) in line.enumerated() where !isEnded {
                call = next.call
                // The first word asked about the sensor, so it goes ahead with whatever is known now.
                if place == 0 {
                    try perform(next.word, next.call, next.length)
                } else {
                    try take(next.word, next.call, next.length)
                }
                // A word that has to ask again stands in the line already, and the others wait behind it.
                if isAsking {
                    waiting += line[(place + 1)...]
                    return
                }
            }
        } catch {
            refuse(error, call)
        }
    }

    // MARK: What is asked

    private func perform(_ word: FromApp, _ call: UInt32, _ length: Int) throws(Refusal) {
        self.length = length
        switch word {
        case .echo(let asked): send(Echoed(asked.bytes), call)
        case .getStatus: send(device.status(for: caller), call)
        case .watchEnvironment: device.environment.observe(self) { [weak self] in self?.send(Changed(), call) }
        case .watchSession: device.session.watch(self) { [weak self] in self?.send(SessionTold($0), call) }
        case .promptUnavailable(let said): device.parts.prompts.refuse(ticket: said.ticket, uid: caller.uid)

        case .getCapability(let asked): send(capability(asked), call)
        case .evaluate(let asked): try evaluate(asked, call)
        case .invalidate(let asked): try invalidate(asked, call)
        case .release(let said): release(said.context)
        case .setCredential(let asked): try setCredential(asked, call)
        case .isCredentialSet(let asked):
            send(Flag(contexts.credential(asked.credential, of: asked.context) != nil), call)

        case .addItem(let asked): try add(asked, call)
        case .putItem(let asked): try put(asked, call)
        case .findItems(let asked): try find(asked, call)
        case .updateItems(let asked): try update(asked, call)
        case .removeItems(let asked): try remove(asked, call)

        case .releaseForReader(let asked): try release(asked, call)
        case .getReadable(let asked): try weigh(asked, call)
        case .evaluateForReader(let asked):
            try run(asked, call, context: asked.asking.context) { [self] in try await evaluate(asked, $0) }
        case .listKeptItems(let asked): try listKept(asked, call)
        case .protectKeptItem(let asked): try run(asked, call) { [self] in try await protect(asked, $0) }
        case .allowReader(let asked): try run(asked, call) { [self] in try await allow(asked, $0) }

        case .makeKey(let asked): try run(asked, call) { [self] in try await makeKey(asked.key, $0) }
        case .keepKey(let asked): try keepKey(asked, call)
        case .readKey(let asked): try readKey(asked, call)
        case .useKey(let asked):
            try run(asked, call, context: asked.use.asking.context) { [self] in try await useKey(asked.use, $0) }
        case .signStatement(let asked):
            try run(asked, call, context: asked.use.asking.context) { [self] in try await signStatement(asked.use, $0) }
        case .allow(let asked): try run(asked, call) { [self] in try await allow(asked, $0) }

        case .setPasscode(let asked): try run(asked, call) { [self] in try await setPasscode($0) }
        case .removePasscode(let asked): try run(asked, call) { [self] in try await removePasscode($0) }
        case .makeRecoveryCode(let asked): try run(asked, call) { [self] in try await makeRecoveryCode($0) }
        case .recover(let asked): try run(asked, call) { [self] in try await recover(asked.code, $0) }
        case .useAccountPassword(let asked): try run(asked, call) { [self] in try await useAccountPassword($0) }
        case .countBehindPasscode(let asked): try run(asked, call) { [self] _ in try await countBehindPasscode() }

        case .listApps(let asked): answer(asked, call) { () throws(KeychainFailure) in Apps(try device.consents.all()) }
        case .judgeApp(let asked): try run(asked, call) { [self] in try await judgeApp(asked, $0) }

        case .readAudit(let asked): try readAudit(asked, call)
        case .verifyAudit(let asked): try run(asked, call) { [self] in try await verifyAudit(asked.scope, $0) }

        case .pairCompanion(let asked): try run(asked, call) { [self] in try await pairCompanion(asked.wish, $0) }
        case .pairingFrame(let said): pairing?.put(said.frame)
        case .listCompanions(let asked): answer(asked, call) { () throws(KeychainFailure) in try listCompanions() }
        case .removeCompanion(let asked): try run(asked, call) { [self] in try await removeCompanion(asked.id, $0) }
        case .carryCompanions(let asked): carryCompanions(asked, call)
        case .carriedIn(let said): carried(said)
        case .companionLine(let said): line(said)
        case .getCompanionState: send(device.companionState(for: caller), call)

        case .listFingers(let asked): try run(asked, call) { [self] _ in try await listFingers() }
        case .enrollFinger(let asked): try run(asked, call) { [self] in try await enroll(asked.finger, $0) }
        case .forgetFinger(let asked): try run(asked, call) { [self] in try await forget(asked.finger, $0) }

        case .beginExport(let asked):
            let backup = try newBackup(.exported)
            try run(asked, call) { try await backup.beginExport(asked, $0) }
        case .beginImport(let asked):
            let backup = try newBackup(.imported)
            try run(asked, call) { try await backup.beginImport(asked, $0) }
        case .exportChunk(let asked): chunk(asked, call) { backup throws(BackupError) in try backup.exportChunk() }
        case .importChunk(let asked): chunk(asked, call) { backup throws(BackupError) in try backup.importChunk(asked) }
        }
    }

    // MARK: What is answered

    func send(_ word: some Word, _ call: UInt32) { session?.send(word, call) }
    func refuse(_ refusal: Refusal, _ call: UInt32) { session?.refuse(refusal, call: call) }

    /// Answers in this turn of the loop.
    func answer<Asked: Call>(_ asked: Asked, _ call: UInt32, _ body: () throws(KeychainFailure) -> Asked.Reply) {
        do throws(KeychainFailure) {
            send(try body(), call)
        } catch {
            send(error, call)
        }
    }

    /// Begins a call that takes more than this turn: `flow` may wait for the owner, the reader or a custodian. Everything it knew before it
    /// waited may have changed when it goes on.
    func run<Asked: Call>(
        _ asked: Asked, _ number: UInt32, context: UInt64? = nil,
        _ flow: @escaping @OnLoop (RunningCall) async throws -> Asked.Reply
    ) throws(Refusal) {
        let call = try calls.begin(number, self, context: context, length: length)
        call.task = EventLoop.shared.spawn { [self] in
            do {
                let reply = try await flow(call)
                if calls.end(call) { send(reply, number) }
            } catch {
                if calls.end(call) { fail(error, number) }
            }
        }
    }

    /// Reports why a call failed, with the word that fits.
    func fail(_ error: any Error, _ call: UInt32) {
        switch error {
        case let failure as KeychainFailure: send(failure, call)
        case BackupError.keychain(let failure): send(failure, call)
        case BackupError.backup(let failure): send(failure, call)
        case let failure as EnrollingFailure: send(EnrollingEnded(failure), call)
        case let failure as EvaluationFailure:
            send(EvaluationReply(result: .failure(failure), kind: device.parts.biometry.kind), call)
        case let refusal as Refusal: refuse(refusal, call)
        default:
            device.log("a call ended for a reason that no caller is told", of: client(in: call))
            send(KeychainFailure.internalFailure, call)
        }
    }

    /// Who calls, for the log.
    func client(in call: UInt32) -> LogClient { LogClient(uid: caller.uid, pid: caller.pid, call: call) }

    func offer(_ ticket: [UInt8], _ call: UInt32) { session?.offer(ticket, to: caller, call) }

    /// Notes in the audit what this caller did, if it isn't about one item.
    func note(_ event: AuditEvent, failure: KeychainFailure? = nil, factors: Set<Factor> = [], times: UInt64 = 1) {
        device.audit.note(
            AuditNote(
                date: device.parts.clock.date, event: event, by: caller, failure: failure, factors: factors,
                times: UInt32(clamping: times)))
    }

    // MARK: Who it is

    /// Whether there is nothing to ask about what the caller claims to be. This is checked once for each connection, and again after the
    /// owner's decisions changed.
    var isTied: Bool { caller.program.claim == nil || tiedAt == device.keychain.ties.revision }

    func noteTied() { tiedAt = device.keychain.ties.revision }

    /// What the caller may do under one of its contexts, or without any.
    func authority(_ context: UInt64? = nil) throws(KeychainFailure) -> Authority {
        let state = contexts[context]
        if state.isInvalidated { throw .authenticationFailed }
        return try device.authority(for: caller, context: state, applicationKey: contexts.applicationKey(of: context))
    }
}
