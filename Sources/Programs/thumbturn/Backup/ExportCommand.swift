internal import ThumbAccess
internal import ThumbClient
internal import ThumbSecrets

extension Command {
    static let export: Command = .init(
        name: "export", summary: "write a backup of every secret, sealed with a passphrase",
        discussion: [
            "Asks for a new passphrase, twice and unseen, or reads it from standard input; then for the passcode. What goes along are "
                + "the items of all your programs, sealed by the daemon: this program never sees one. Whoever has the file can guess at the "
                + "passphrase as fast as machines allow, so make it a long one.",
            "What stays behind is counted, with the reason: items made for this device alone or bound to who is enrolled here, items "
                + "locked with an app's own password or wanting more than the passcode, and what is damaged.",
        ],
        operands: [Operand(name: "FILE", help: "where the backup goes; FILE.part until it is whole")], options: [.force]
    ) { invocation throws(Failure) in
        try Device.requirePasscode()
        return try Export(path: invocation.operands[0], replaces: invocation.has(.force)).perform()
    }
}

extension Command.Option {
    static let force = Command.Option(name: "force", help: "replace a file that is there")
}

/// A backup on its way into a file.
private struct Export {
    let path: String
    let replaces: Bool

    func perform() throws(Failure) -> Outcome {
        try BackupFile.checkRoom(for: path, replaces: replaces)
        let passphrase = try SecretInput.readNewPassphrase()
        let begun: (head: [UInt8], items: UInt64)
        do throws(BackupError) {
            begun = try DeviceClient.shared.beginExport(passphrase)
        } catch {
            throw Failure(error, "exported")
        }
        return outcome(try write(begun.head, Int(clamping: begun.items)))
    }

    private func write(_ head: [UInt8], _ items: Int) throws(Failure) -> ExportTally {
        let interruption = Interruption()
        let file = try BackupFile(path, replaces: replaces)
        try file.write(head)
        var progress = Progress("Exporting")
        while true {
            let chunk: DeviceClient.ExportedChunk
            do throws(BackupError) {
                chunk = try DeviceClient.shared.exportChunk()
            } catch {
                throw Failure(error, "exported")
            }
            try file.write(BackupChunk.head(of: chunk.box, isLast: chunk.isLast) + chunk.box)
            if interruption.hasCome { throw .cancelled }
            if chunk.isLast {
                try file.finish()
                return chunk.tally
            }
            let looked = Int(clamping: chunk.tally.looked)
            progress.show(looked, of: items, "\(looked) of \(items) items")
        }
    }

    private func outcome(_ tally: ExportTally) -> Outcome {
        let left = StayingBehind.allCases.compactMap { reason in
            tally.left[reason].map { (reason: reason, count: $0) }
        }
        let exported = BackupTexts.items(tally.exported)
        return Outcome(
            ["Exported: \(exported) to \(SafeText(path, limit: 200))"]
                + left.map { "Stayed behind: \($0.count) \(BackupTexts.reason($0.reason))" },
            json: .object([
                ("file", .text(path)), ("exported", .number(Int64(clamping: tally.exported))),
                (
                    "stayedBehind",
                    .object(left.map { (BackupTexts.code($0.reason), .number(Int64(clamping: $0.count))) })
                ),
            ]))
    }
}
