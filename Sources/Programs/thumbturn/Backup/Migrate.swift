internal import ThumbAccess
internal import ThumbClient
internal import ThumbSecrets

extension Command {
    static let migrate: Command = .init(
        name: "migrate", summary: "bring the items of your own daemon to the system's",
        discussion: [
            "For a machine that has got the system service since you first used Thumbturn. Asks for the passcode twice: your own daemon's, "
                + "to hand the items out, and the system service's, to take them in. On the way they are sealed, and no file is written.",
            "Nothing is removed: your own daemon's store stays as it is. What is at the system service already stays too, so a run that was "
                + "interrupted goes on when it is run again. What can't come along is counted, with the reason; keys that never leave "
                + "are made anew.",
        ],
        options: [.dryRun]
    ) { invocation throws(Failure) in
        try Migration(countsOnly: invocation.has(.dryRun)).perform()
    }
}

/// The items of one device on their way to another, a chunk at a time: each is on the target's disk before the next leaves.
private struct Migration {
    /// Of the passphrase that seals what is under way; nobody ever types it.
    private static let passphraseBytes = 32

    let countsOnly: Bool
    private let source = DeviceClient.ofUserMode()
    private let target = DeviceClient.shared

    init(countsOnly: Bool) { self.countsOnly = countsOnly }

    func perform() throws(Failure) -> Outcome {
        guard try Device.status().mode == .system else {
            throw Failure(
                "noSystemService", .couldNotAsk, "this machine has no system service to bring items to",
                advice: "install it first; until then your own daemon keeps them")
        }
        try Device.requirePasscode()
        let own = try ownStatus()
        guard own.items > 0 else { return outcome(ExportTally(), ImportTally()) }
        guard own.passcodeIsSet else {
            throw Failure(
                "noPasscodeThere", .couldNotAsk, "your own daemon has no passcode, so the owner can't be known to it",
                advice: "THUMBTURN_SOCKET=$XDG_RUNTIME_DIR/thumbturn/socket thumbturn passcode set")
        }
        return try move(Int(clamping: own.items))
    }

    private func ownStatus() throws(Failure) -> DeviceStatus {
        do { return try source.status() } catch { throw Failure(error) }
    }

    private func move(_ items: Int) throws(Failure) -> Outcome {
        guard let passphrase = try? SecretBytes.random(count: Self.passphraseBytes) else { throw .noLockedMemory }
        Output.say("Your own daemon asks first, then the system service.")
        do throws(BackupError) {
            let head = try source.beginExport(passphrase).head
            try target.beginImport(head: head, passphrase, replaces: false, countsOnly: countsOnly)
        } catch {
            throw Failure(error, "moved")
        }
        // Not before: a prompt's Ctrl-C is the prompt's.
        let interruption = Interruption()
        var progress = Progress("Moving")
        var done = ImportTally()
        while true {
            let chunk: DeviceClient.ExportedChunk
            do throws(BackupError) {
                chunk = try source.exportChunk()
                done = try target.importChunk(chunk.box, isLast: chunk.isLast)
            } catch {
                throw Failure(error, "moved")
            }
            if chunk.isLast { return outcome(chunk.tally, done) }
            if interruption.hasCome { throw .cancelled }
            let looked = Int(clamping: chunk.tally.looked)
            progress.show(looked, of: items, "\(looked) of \(items) items")
        }
    }

    private func outcome(_ exported: ExportTally, _ imported: ImportTally) -> Outcome {
        let left = StayingBehind.allCases.compactMap { reason in
            exported.left[reason].map { (reason: reason, count: $0) }
        }
        var lines = ["\(countsOnly ? "Would be moved" : "Moved"): \(BackupTexts.items(imported.added))"]
        if imported.present > 0 { lines.append("There already: \(imported.present)") }
        lines += left.map { "Stayed behind: \($0.count) \(BackupTexts.reason($0.reason))" }
        return Outcome(
            lines,
            json: .object([
                ("moved", .number(Int64(clamping: imported.added))), ("present", .number(Int64(clamping: imported.present))),
                ("stayedBehind", .object(left.map { (BackupTexts.code($0.reason), .number(Int64(clamping: $0.count))) })),
                ("dryRun", .flag(countsOnly)),
            ]))
    }
}
