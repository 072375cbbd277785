internal import ThumbAccess
internal import ThumbAuthentication
internal import ThumbConversation
internal import ThumbKeychain
internal import ThumbLoop
internal import ThumbSecrets

/// One export or import, from the owner's word to its last chunk. What the owner shows for it counts for nothing else.
@OnLoop final class BackupRun {
    private enum Stage {
        case beginning
        case exporting(any BackupWriter, ExportRun)
        case importing(any BackupReader, ImportRun)
        case ended
    }

    private weak var calls: AppCalls?
    private let event: AuditEvent
    private var stage = Stage.beginning
    private var own = ContextState()
    /// Runs while the app is to ask for the next chunk.
    private var chunkTimer: LoopTimer?
    /// Runs from the first chunk that may be asked for to the end.
    private var wholeTimer: LoopTimer?

    init(_ calls: AppCalls, _ event: AuditEvent) {
        self.calls = calls
        self.event = event
    }

    // MARK: Beginning

    func beginExport(_ passphrase: SecretBytes, _ call: UInt32) throws(Refusal) {
        guard let calls, isPossible(passphrase, call) else { return }
        try askOwner("export the items of every program to a backup", call) { [weak self] in
            calls.device.parts.backups.make(passphrase) { self?.begun($0, call) }
        }
    }

    private func begun(_ writer: Result<any BackupWriter, BackupError>, _ call: UInt32) {
        guard let calls, case .beginning = stage else { return }
        switch writer {
        case .failure(let error): fail(error, call)
        case .success(let writer):
            stage = .exporting(writer, ExportRun())
            limitTime()
            calls.send(.exportBegun(head: writer.head, items: calls.device.items), call)
        }
    }

    func beginImport(_ head: [UInt8], _ passphrase: SecretBytes, _ run: ImportRun, _ call: UInt32) throws(Refusal) {
        guard let calls, isPossible(passphrase, call) else { return }
        // The owner is asked last: a wrong passphrase needs nobody.
        calls.device.parts.backups.open(head, passphrase) { [weak self] reader in
            guard let self, case .beginning = stage else { return }
            do throws(BackupError) {
                try permitImport(try reader.get(), run, call)
            } catch {
                fail(error, call)
            }
        }
    }

    private func permitImport(_ reader: any BackupReader, _ run: ImportRun, _ call: UInt32) throws(BackupError) {
        do throws(Refusal) {
            let reason =
                run.countsOnly ? "compare a backup with the items of every program" : "put a backup's items in for every program"
            try askOwner(reason, call) { [weak self] in
                guard let self, case .beginning = stage else { return }
                stage = .importing(reader, run)
                limitTime()
                calls?.send(.done, call)
            }
        } catch {
            calls?.refuse(error, call)
        }
    }

    /// Whether it can be begun at all; says why not.
    private func isPossible(_ passphrase: SecretBytes, _ call: UInt32) -> Bool {
        guard let calls else { return false }
        let failure: BackupFailure? =
            if !calls.device.parts.passcode.isSet {
                .noPasscode
            } else if !BackupLimit.passphrase.contains(passphrase.count) {
                .passphraseLength
            } else {
                nil
            }
        if let failure { fail(.backup(failure), call) }
        return failure == nil
    }

    private func askOwner(_ reason: String, _ call: UInt32, then: @escaping () -> Void) throws(Refusal) {
        guard let calls else { return }
        try calls.ask(
            Demands([[.passcode]]), PromptWords(ours: reason), interactionNotAllowed: false, order: .waits, call: call,
            context: nil
        ) { [weak self] outcome in
            guard let self, case .beginning = stage else { return }
            switch outcome {
            case .success(let given, let enrolment):
                own.remember(given, enrolment)
                // The one record with a count comes in the end; should the end not come, this one tells that it began.
                calls.note(.evaluated, factors: given)
                then()
            case .failure(let failure): fail(.keychain(failure.keychainFailure), call)
            }
        }
    }

    // MARK: Chunks

    func exportChunk(_ call: UInt32) {
        guard let calls, case .exporting(let writer, var run) = stage else { return notRunning(call) }
        do throws(BackupError) {
            let (items, isLast) = try keychain { keychain, authority throws(KeychainFailure) in
                try keychain.exportNext(&run, authority)
            }
            let box = try writer.seal(items, isLast: isLast)
            stage = .exporting(writer, run)
            limitChunk()
            calls.send(.exportChunk(box: box, isLast: isLast, run.tally), call)
            if isLast { end() }
        } catch {
            fail(error, call)
        }
    }

    func importChunk(_ box: [UInt8], _ isLast: Bool, _ call: UInt32) {
        guard let calls, case .importing(let reader, var run) = stage else { return notRunning(call) }
        do throws(BackupError) {
            let items = try reader.open(box, isLast: isLast)
            let authority = try keychain { $1 }
            try calls.device.keychain.importNext(items, &run, authority)
            stage = .importing(reader, run)
            limitChunk()
            calls.send(.imported(run.tally), call)
            if isLast { end() }
        } catch {
            fail(error, call)
        }
    }

    private func keychain<Value>(
        _ body: (Keychain, Authority) throws(KeychainFailure) -> Value
    ) throws(BackupError) -> Value {
        guard let calls else { throw .keychain(.deviceUnreachable) }
        do throws(KeychainFailure) {
            let authority = try calls.device.authority(for: calls.caller, context: own, applicationKey: nil)
            return try body(calls.device.keychain, authority)
        } catch {
            throw .keychain(error)
        }
    }

    // MARK: The end

    /// What the owner allowed is for now, not for as long as the app stays connected.
    private func limitTime() {
        guard let calls else { return }
        wholeTimer = EventLoop.shared.after(calls.device.meter.limits.secondsForBackup) { [weak self] in
            self?.end(.deviceUnreachable)
        }
        limitChunk()
    }

    private func limitChunk() {
        guard let calls else { return }
        chunkTimer?.cancel()
        chunkTimer = EventLoop.shared.after(calls.device.meter.limits.secondsBetweenChunks) { [weak self] in
            self?.end(.deviceUnreachable)
        }
    }

    private func notRunning(_ call: UInt32) { calls?.send(.backupFailed(.notRunning), call) }

    private func fail(_ error: BackupError, _ call: UInt32) {
        switch error {
        case .backup(let failure):
            calls?.send(.backupFailed(failure), call)
            end(failure.inAudit)
        case .keychain(let failure):
            calls?.send(.failed(failure), call)
            end(failure)
        }
    }

    /// Ends it, and has it in the audit: what was handed out or taken in, or why nothing was.
    func end(_ failure: KeychainFailure? = nil) {
        let items: UInt64?
        switch stage {
        case .ended: return
        case .beginning: items = 0
        case .exporting(_, let run): items = run.tally.exported
        // Counting takes nothing in; that the owner was asked is in the audit already.
        case .importing(_, let run): items = run.countsOnly ? nil : run.tally.added + run.tally.replaced
        }
        stage = .ended
        chunkTimer?.cancel()
        wholeTimer?.cancel()
        // At least one: a record of nothing would read as none.
        if let items { calls?.note(event, failure: failure, factors: own.given, times: max(1, items)) }
        calls?.ended(self)
    }
}

extension BackupFailure {
    /// The audit's word for it: who failed to be the owner, what was damaged, what was asked wrongly.
    fileprivate var inAudit: KeychainFailure {
        switch self {
        case .wrongPassphrase, .noPasscode: .authenticationFailed
        case .damaged: .damaged
        case .notABackup, .newer, .tooCostly, .passphraseLength, .notRunning: .parameter
        }
    }
}
