import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbKeychain
import ThumbLoop
import ThumbSecrets

/// One export or import, from the owner's permission to its last chunk. What the owner shows for it counts for nothing else.
@OnLoop final class BackupRun {
    private enum Stage {
        case beginning
        case exporting(any BackupWriter, ExportRun)
        case importing(any BackupReader, ImportRun)
        case ended
    }

    private weak var app: App?
    private let device: Device
    private let caller: Caller
    private let event: AuditEvent
    private var stage = Stage.beginning
    private var own = ContextState()
    /// Limits how long the app may take to ask for the next chunk.
    private var chunkTimer: LoopTimer?
    /// Limits the whole run, from the first chunk that may be asked for.
    private var wholeTimer: LoopTimer?

    init(_ app: App, _ event: AuditEvent) {
        self.app = app
        device = app.device
        caller = app.caller
        self.event = event
    }

    // MARK: Beginning

    func beginExport(_ asked: BeginExport, _ call: RunningCall) async throws -> ExportBegun {
        try await begin { [self] in
            try checkPossible(asked.passphrase)
            try await askOwner("export the items of every program to a backup", call)
            let writer = try await call.wait { device.parts.backups.make(asked.passphrase, $0) }.get()
            try go(on: .exporting(writer, ExportRun()))
            return ExportBegun(head: writer.head, items: device.parts.census().items)
        }
    }

    func beginImport(_ asked: BeginImport, _ call: RunningCall) async throws -> Done {
        try await begin { [self] in
            try checkPossible(asked.passphrase)
            // The owner is asked last, because a wrong passphrase needs no owner.
            let reader = try await call.wait { device.parts.backups.open(asked.head, asked.passphrase, $0) }.get()
            try await askOwner(
                asked.countsOnly
                    ? "compare a backup with the items of every program" : "put a backup's items in for every program",
                call)
            try go(on: .importing(reader, ImportRun(replaces: asked.replaces, countsOnly: asked.countsOnly)))
            return Done()
        }
    }

    private func begin<Begun>(_ body: @OnLoop () async throws -> Begun) async throws -> Begun {
        do {
            return try await body()
        } catch {
            end(Self.inAudit(error))
            throw error
        }
    }

    private func checkPossible(_ passphrase: SecretBytes) throws(BackupError) {
        guard device.parts.passcode.isSet else { throw .backup(.noPasscode) }
        guard BackupLimit.passphrase.contains(passphrase.count) else { throw .backup(.passphraseLength) }
    }

    private func askOwner(_ reason: String, _ call: RunningCall) async throws {
        do {
            let given = try await call.ask(Demands([[.passcode]]), PromptWords(ours: reason))
            own.remember(given.factors, given.enrolment)
            // The one record with a count is written at the end. This one shows that the run began, in case the end never comes.
            app?.note(.evaluated, factors: given.factors)
        } catch let failure as EvaluationFailure {
            throw failure.keychainFailure
        }
    }

    /// The owner's permission is for now, not for as long as the app stays connected. If the run has ended meanwhile, nothing begins.
    private func go(on stage: Stage) throws(KeychainFailure) {
        guard case .beginning = self.stage else { throw .interactionNotAllowed }
        self.stage = stage
        wholeTimer = limit(device.meter.limits.secondsForBackup)
        limitChunk()
    }

    // MARK: Chunks

    func exportChunk() throws(BackupError) -> ExportedChunk {
        guard case .exporting(let writer, var run) = stage else { throw .backup(.notRunning) }
        let (items, isLast) = try keychain { (keychain, authority) throws(KeychainFailure) in
            try keychain.exportNext(&run, authority)
        }
        let box = try writer.seal(items, isLast: isLast)
        stage = .exporting(writer, run)
        limitChunk()
        if isLast { end() }
        return ExportedChunk(box: box, isLastChunk: isLast, run.tally)
    }

    func importChunk(_ asked: ImportChunk) throws(BackupError) -> ImportTally {
        guard case .importing(let reader, var run) = stage else { throw .backup(.notRunning) }
        let items = try reader.open(asked.box, isLast: asked.isLastChunk)
        let authority = try keychain { (_, authority) in authority }
        try device.keychain.importNext(items, &run, authority)
        stage = .importing(reader, run)
        limitChunk()
        if asked.isLastChunk { end() }
        return run.tally
    }

    private func keychain<Value>(
        _ body: (Keychain, Authority) throws(KeychainFailure) -> Value
    ) throws(BackupError) -> Value {
        do throws(KeychainFailure) {
            return try body(device.keychain, device.authority(for: caller, context: own, applicationKey: nil))
        } catch {
            throw .keychain(error)
        }
    }

    // MARK: The end

    private func limit(_ seconds: Double) -> LoopTimer {
        EventLoop.shared.after(seconds) { [weak self] in self?.end(.deviceUnreachable) }
    }

    private func limitChunk() {
        chunkTimer?.cancel()
        chunkTimer = limit(device.meter.limits.secondsBetweenChunks)
    }

    /// Ends the run and notes it in the audit: what was handed out or taken in, or why nothing was.
    func end(_ failure: KeychainFailure? = nil) {
        let items: UInt64?
        switch stage {
        case .ended: return
        case .beginning: items = 0
        case .exporting(_, let run): items = run.tally.exported
        // Counting takes nothing in, and the audit already says that the owner was asked.
        case .importing(_, let run): items = run.countsOnly ? nil : run.tally.added + run.tally.replaced
        }
        stage = .ended
        chunkTimer?.cancel()
        wholeTimer?.cancel()
        // The count is at least one, because a record with the count zero would read as if nothing had happened.
        if let items { app?.note(event, failure: failure, factors: own.given, times: max(1, items)) }
        if app?.backup === self { app?.backup = nil }
    }

    /// What the audit gives as the reason: the owner wasn't recognized, something was damaged, or the call was wrong.
    static func inAudit(_ error: any Error) -> KeychainFailure {
        switch error {
        case let failure as KeychainFailure: failure
        case BackupError.keychain(let failure): failure
        case BackupError.backup(.wrongPassphrase), BackupError.backup(.noPasscode): .authenticationFailed
        case BackupError.backup(.damaged): .damaged
        case is BackupError: .parameter
        default: .deviceUnreachable
        }
    }
}

extension App {
    func newBackup(_ event: AuditEvent) throws(Refusal) -> BackupRun {
        guard backup == nil else { throw .tooManyCalls }
        let new = BackupRun(self, event)
        backup = new
        return new
    }

    /// Answers with the next chunk. A failure ends the run, because no chunk may follow a gap.
    func chunk<Asked: Call>(_ asked: Asked, _ call: UInt32, _ body: (BackupRun) throws(BackupError) -> Asked.Reply) {
        do throws(BackupError) {
            guard let backup else { throw .backup(.notRunning) }
            send(try body(backup), call)
        } catch {
            fail(error, call)
            if error != .backup(.notRunning) { backup?.end(BackupRun.inAudit(error)) }
        }
    }
}
