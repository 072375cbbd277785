import ThumbAccess
import ThumbClient
import ThumbCommands
import ThumbSecrets

/// `thumbturn import`
enum Import {
    static let command = Command(
        "import", "bring back the items of a backup, or copy those of a desktop keyring",
        discussion: [
            "Asks for the backup's passphrase, or reads it from standard input; then for the passcode, because a backup has items of every "
                + "program. An item that you already have stays as it is, and is counted; with --replace the backup's takes its place.",
            "Each part of the backup is checked before its items are added. If an import is interrupted, run it again and it goes on.",
            "With `--from secret-service` there is no file. Everything that gnome-keyring, KWallet or another such service holds "
                + "is read and added as `thumbturn secret add` would, and nothing is changed there. Items that can't be copied "
                + "are listed with the reason.",
        ],
        operands: [Operand(.file("FILE"), "the backup to read", .optional)],
        options: [from, replace, dryRun, Protection.option, Protection.classOption, Protection.staysHereOption],
        examples: [Example("See what would be copied from your keyring", "thumbturn import --from secret-service --dry-run")]
    ) { invocation throws(Failure) in
        let path = invocation.path
        if invocation.has(from) {
            guard invocation.operands.isEmpty, !invocation.has(replace) else {
                throw .usage(.together("--from", with: "FILE or --replace"), path)
            }
            return try SecretServiceImport(invocation, try Daemon.status()).perform()
        }
        guard let file = invocation.operands.first else { throw .misuse(Misuse(.missing("FILE"), path)) }
        for option in [Protection.option, Protection.classOption, Protection.staysHereOption] where invocation.has(option) {
            throw .usage(.onlyWithFrom(option.flag), path)
        }
        try Daemon.requirePasscode()
        return try Importing(
            path: file, replaces: invocation.has(replace), countsOnly: invocation.has(dryRun)
        ).perform()
    }

    private static let from = Option("from", "copy the items of another store", .choice("STORE", ["secret-service"]))
    private static let replace = Option("replace", "replace items that you already have")
    static let dryRun = Option("dry-run", "count what would be done, and change nothing")
}

/// A backup that is being read into the keychain.
private struct Importing {
    let path: String
    let replaces: Bool
    let countsOnly: Bool

    func perform() throws(Failure) -> Outcome {
        let file = try BackupSource(path)
        let head = try file.readHead()
        let passphrase = try SecretInput.readCode(TypedQuestion.passphrase)
        do throws(BackupError) {
            try DeviceClient.shared.beginImport(head: head, passphrase, replaces: replaces, countsOnly: countsOnly)
        } catch {
            throw Failure(error, "imported")
        }
        var tally = ImportTally()
        do throws(Failure) {
            try read(file, &tally)
        } catch {
            throw told(error, tally)
        }
        return outcome(tally)
    }

    private func read(_ file: BackupSource, _ tally: inout ImportTally) throws(Failure) {
        var progress = Progress("Importing")
        while true {
            let (box, isLast) = try file.readChunk()
            // Somebody else must have put there what follows the end, so it isn't taken for a part.
            if isLast { try file.checkEnd() }
            do throws(BackupError) {
                tally = try DeviceClient.shared.importChunk(box, isLast: isLast)
            } catch {
                throw Failure(error, "imported")
            }
            if isLast { return }
            progress.show(file.place, of: file.size, Notice.items(tally.added + tally.replaced + tally.present))
        }
    }

    /// A failure in the middle, together with what has been done and stays.
    private func told(_ failure: Failure, _ tally: ImportTally) -> Failure {
        let done = tally.added + tally.replaced
        return done > 0 && !countsOnly ? .interrupted(failure, afterItems: Int(clamping: done)) : failure
    }

    private func outcome(_ tally: ImportTally) -> Outcome {
        var said: [Notice] = [countsOnly ? .wouldImport(tally.added) : .imported(tally.added)]
        if tally.replaced > 0 { said.append(countsOnly ? .wouldReplace(tally.replaced) : .importReplaced(tally.replaced)) }
        if tally.present > 0 { said.append(.present(tally.present)) }
        return Outcome(
            lines: said.map(\.text),
            json: .object([
                ("added", .number(Int64(clamping: tally.added))), ("replaced", .number(Int64(clamping: tally.replaced))),
                ("present", .number(Int64(clamping: tally.present))), ("dryRun", .flag(countsOnly)),
            ]))
    }
}
