internal import ThumbAccess
internal import ThumbClient
internal import ThumbSecrets

extension Command {
    static let importing: Command = .init(
        name: "import", summary: "take in the items of a backup, or of the desktop's keyring",
        discussion: [
            "Asks for the backup's passphrase, or reads it from standard input; then for the passcode: a backup brings items for every "
                + "program. What is there already stays as it is, and is counted; --replace puts the backup's in its place.",
            "Each part of the backup is checked before its items go in. An import that was interrupted goes on when it is run again.",
            "With --from secret-service there is no file: what gnome-keyring, KWallet or another such service holds is read and added, as "
                + "'thumbturn secret add' would, and nothing is changed there. What is there already is left as it is, what can't be "
                + "taken along is told.",
        ],
        operands: [Operand(name: "FILE", help: "the backup", isOptional: true)],
        options: [.from, .replaceItems, .dryRun, .protect, .itemClass, .staysHere]
    ) { invocation throws(Failure) in
        if invocation.has(.from) {
            guard invocation.operands.isEmpty, !invocation.has(.replaceItems) else {
                throw .usage("--from goes with neither FILE nor --replace", invocation.path)
            }
            return try SecretServiceImport(invocation, try Device.status()).perform()
        }
        guard let path = invocation.operands.first else { throw .usage("FILE is missing", invocation.path) }
        for option in [Option.protect, .itemClass, .staysHere] where invocation.has(option) {
            throw .usage("\(option.flag) goes with --from: a backup's items keep their protection", invocation.path)
        }
        try Device.requirePasscode()
        return try Import(
            path: path, replaces: invocation.has(.replaceItems), countsOnly: invocation.has(.dryRun)
        ).perform()
    }
}

extension Command.Option {
    static let from = Command.Option(
        name: "from", help: "take in what another store holds", value: .choice("STORE", ["secret-service"]))
    static let replaceItems = Command.Option(name: "replace", help: "put the backup's items in the place of those that are there")
    static let dryRun = Command.Option(name: "dry-run", help: "count what would be done, and change nothing")
}

/// A backup on its way into the keychain.
private struct Import {
    let path: String
    let replaces: Bool
    let countsOnly: Bool

    func perform() throws(Failure) -> Outcome {
        let file = try BackupSource(path)
        let head = try file.readHead()
        let passphrase = try SecretInput.readCode("Passphrase: ")
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
            // What stands behind the end was put there by somebody else, and nothing of it is taken for a part.
            if isLast { try file.checkEnd() }
            do throws(BackupError) {
                tally = try DeviceClient.shared.importChunk(box, isLast: isLast)
            } catch {
                throw Failure(error, "imported")
            }
            if isLast { return }
            progress.show(file.place, of: file.size, BackupTexts.items(tally.added + tally.replaced + tally.present))
        }
    }

    /// A failure in the middle, with what is done and stays.
    private func told(_ failure: Failure, _ tally: ImportTally) -> Failure {
        let done = tally.added + tally.replaced
        guard done > 0, !countsOnly else { return failure }
        var told = failure
        told.advice = "before that, \(BackupTexts.items(done)) went in" + (failure.advice.map { "; " + $0 } ?? "")
        return told
    }

    private func outcome(_ tally: ImportTally) -> Outcome {
        let would = countsOnly ? "Would be " : ""
        func line(_ word: String, _ count: UInt64) -> String {
            (countsOnly ? would + word : word.prefix(1).uppercased() + word.dropFirst()) + ": \(count)"
        }
        var lines = [line("added", tally.added)]
        if tally.replaced > 0 { lines.append(line("replaced", tally.replaced)) }
        if tally.present > 0 { lines.append("There already: \(tally.present)") }
        return Outcome(
            lines,
            json: .object([
                ("added", .number(Int64(clamping: tally.added))), ("replaced", .number(Int64(clamping: tally.replaced))),
                ("present", .number(Int64(clamping: tally.present))), ("dryRun", .flag(countsOnly)),
            ]))
    }
}
