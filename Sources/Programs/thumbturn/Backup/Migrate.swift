import ThumbAccess
import ThumbClient
import ThumbCommands
import ThumbSecrets

/// `thumbturn migrate`
enum Migrate {
    static let command = Command(
        "migrate", "copy the items of your own daemon to the system service",
        discussion: [
            "For a machine that got the system service after you began to use Thumbturn. Asks for the passcode twice: that of "
                + "your own daemon, to export the items, and that of the system service, to import them. On the way they are "
                + "sealed, and no file is written.",
            "Nothing is removed: your own daemon's store stays as it is. Items that the system service already has stay too, so "
                + "if a run is interrupted, run it again and it goes on. Items that can't be copied are counted with the reason; "
                + "make new keys in place of those that never leave.",
        ],
        options: [Import.dryRun],
        examples: [
            Example("See what would be copied, then copy it", "thumbturn migrate --dry-run", "thumbturn migrate")
        ]
    ) { invocation throws(Failure) in
        try Migration(countsOnly: invocation.has(Import.dryRun)).perform()
    }
}

/// Moves the items of one device to another, a chunk at a time. Each chunk is on the target's disk before the next one leaves.
private struct Migration {
    /// How many bytes the passphrase has that seals the chunks. Nobody ever types it.
    private static let passphraseBytes = 32

    let countsOnly: Bool
    private let source = DeviceClient.ofUserMode()
    private let target = DeviceClient.shared

    init(countsOnly: Bool) { self.countsOnly = countsOnly }

    func perform() throws(Failure) -> Outcome {
        guard try Daemon.status().mode == .system else { throw .noSystemService }
        try Daemon.requirePasscode()
        let own = try ownStatus()
        guard own.items > 0 else { return outcome(ExportTally(), ImportTally()) }
        guard own.passcodeIsSet else { throw .noPasscodeAtOwnDaemon }
        return try move(Int(clamping: own.items))
    }

    private func ownStatus() throws(Failure) -> DeviceStatus {
        do { return try source.status() } catch { throw .daemon(error) }
    }

    private func move(_ items: Int) throws(Failure) -> Outcome {
        guard let passphrase = try? SecretBytes.random(count: Self.passphraseBytes) else { throw .noLockedMemory }
        Output.say(Notice.twoQuestions.text)
        do throws(BackupError) {
            let head = try source.beginExport(passphrase).head
            try target.beginImport(head: head, passphrase, replaces: false, countsOnly: countsOnly)
        } catch {
            throw Failure(error, "copied")
        }
        // Not before this point: while a prompt is up, Ctrl-C belongs to the prompt.
        let interruption = Interruption()
        var progress = Progress("Copying")
        var done = ImportTally()
        while true {
            let chunk: DeviceClient.ExportedChunk
            do throws(BackupError) {
                chunk = try source.exportChunk()
                done = try target.importChunk(chunk.box, isLast: chunk.isLast)
            } catch {
                throw Failure(error, "copied")
            }
            if chunk.isLast { return outcome(chunk.tally, done) }
            if interruption.hasCome { throw .cancelled }
            let looked = Int(clamping: chunk.tally.looked)
            progress.show(looked, of: items, "\(looked) of \(items) items")
        }
    }

    private func outcome(_ exported: ExportTally, _ imported: ImportTally) -> Outcome {
        let staying = Export.staying(exported)
        var said: [Notice] = [countsOnly ? .wouldMove(imported.added) : .moved(imported.added)]
        if imported.present > 0 { said.append(.present(imported.present)) }
        return Outcome(
            lines: (said + staying.notices).map(\.text),
            json: .object([
                ("moved", .number(Int64(clamping: imported.added))), ("present", .number(Int64(clamping: imported.present))),
                ("stayedBehind", staying.json), ("dryRun", .flag(countsOnly)),
            ]))
    }
}
