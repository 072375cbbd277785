import ThumbAccess
import ThumbClient
import ThumbCommands
import ThumbSecrets

/// `thumbturn export`
enum Export {
    static let command = Command(
        "export", "write a backup of all your items, sealed with a passphrase",
        discussion: [
            "Asks for a new passphrase, twice and hidden, or reads it from standard input; then for the passcode. The backup has "
                + "the items of all your programs. The daemon seals them, so this program never sees one. Somebody who has the "
                + "file can try passphrases as fast as machines allow, so choose a long one.",
            "Some items stay behind, and are counted with the reason: those made for this device alone or bound to the fingers or faces enrolled "
                + "here, those locked with an app's own password or needing more than the passcode, and damaged ones.",
        ],
        operands: [Operand(.file("FILE"), "the backup to write; it is called FILE.part until it is complete")], options: [force],
        examples: [
            Example(
                "Back up everything, and bring it back on another machine", "thumbturn export vault.backup",
                "thumbturn import vault.backup")
        ]
    ) { invocation throws(Failure) in
        try Daemon.requirePasscode()
        return try Exporting(path: invocation.operands[0], replaces: invocation.has(force)).perform()
    }

    private static let force = Option("force", "replace the file if it exists")

    /// What was left out, for people and for programs.
    static func staying(_ tally: ExportTally) -> (notices: [Notice], json: JSON) {
        let left = StayingBehind.allCases.compactMap { reason in tally.left[reason].map { (reason: reason, count: $0) } }
        return (
            left.map { .stayedBehind($0.count, $0.reason) },
            .object(left.map { ($0.reason.code, .number(Int64(clamping: $0.count))) })
        )
    }
}

/// A backup that is being written to a file.
private struct Exporting {
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
        let staying = Export.staying(tally)
        return Outcome(
            lines: ([.exported(tally.exported, to: path)] + staying.notices).map(\.text),
            json: .object([
                ("file", .text(path)), ("exported", .number(Int64(clamping: tally.exported))), ("stayedBehind", staying.json),
            ]))
    }
}

extension Daemon {
    /// A backup belongs to the owner, and only the passcode proves that somebody is the owner.
    static func requirePasscode() throws(Failure) {
        guard try status().passcodeIsSet else { throw .evaluation(.passcodeNotSet) }
    }
}
