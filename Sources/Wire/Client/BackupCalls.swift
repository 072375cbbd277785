public import ThumbAccess
import ThumbConversation
public import ThumbSecrets

// Backups: blocking, on the caller's thread. One export or import at a time; the chunks of one follow each other.
extension DeviceClient {
    /// A piece of an export.
    public struct ExportedChunk: Sendable {
        public let box: [UInt8]
        public let isLast: Bool
        /// The count so far.
        public let tally: ExportTally
    }

    /// Has the daemon ask the owner and begin an export. Returns the head of the file and how many records the daemon will look at.
    public func beginExport(_ passphrase: SecretBytes) throws(BackupError) -> (head: [UInt8], items: UInt64) {
        let begun = try call(BeginExport(passphrase: passphrase))
        return (begun.head, begun.items)
    }

    /// The next chunk. Fails with `.notRunning` if no export runs, or if it has ended.
    public func exportChunk() throws(BackupError) -> ExportedChunk {
        let chunk = try callAgain(ExportChunk())
        return ExportedChunk(box: chunk.box, isLast: chunk.isLastChunk, tally: chunk.tally)
    }

    /// Has the daemon check the head and the passphrase, ask the owner, and begin an import.
    public func beginImport(
        head: [UInt8], _ passphrase: SecretBytes, replaces: Bool, countsOnly: Bool
    ) throws(BackupError) {
        _ = try call(BeginImport(head: head, passphrase: passphrase, replaces: replaces, countsOnly: countsOnly))
    }

    /// Imports the next chunk, all of it or nothing. Returns the count so far.
    public func importChunk(_ box: [UInt8], isLast: Bool) throws(BackupError) -> ImportTally {
        try callAgain(ImportChunk(box: box, isLastChunk: isLast))
    }
}
