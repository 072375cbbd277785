public import ThumbAccess
import ThumbConversation
public import ThumbSecrets

// Backups: blocking, on the caller's thread. One export or import at a time; the chunks of one follow each other.
extension DeviceClient {
    /// A piece of an export.
    public struct ExportedChunk: Sendable {
        public let box: [UInt8]
        public let isLast: Bool
        /// What came of it so far.
        public let tally: ExportTally
    }

    /// Has the owner asked and an export begun: what the file begins with, and how many records will be looked at.
    public func beginExport(_ passphrase: SecretBytes) throws(BackupError) -> (head: [UInt8], items: UInt64) {
        let begun = try call(BeginExport(passphrase: passphrase))
        return (begun.head, begun.items)
    }

    /// The next chunk; `.notRunning` where there is no export, or not any more.
    public func exportChunk() throws(BackupError) -> ExportedChunk {
        let chunk = try callAgain(ExportChunk())
        return ExportedChunk(box: chunk.box, isLast: chunk.isLastChunk, tally: chunk.tally)
    }

    /// Has the head and the passphrase looked at, the owner asked, and an import begun.
    public func beginImport(
        head: [UInt8], _ passphrase: SecretBytes, replaces: Bool, countsOnly: Bool
    ) throws(BackupError) {
        _ = try call(BeginImport(head: head, passphrase: passphrase, replaces: replaces, countsOnly: countsOnly))
    }

    /// Takes the next chunk in, all of it or nothing: what came of the import so far.
    public func importChunk(_ box: [UInt8], isLast: Bool) throws(BackupError) -> ImportTally {
        try callAgain(ImportChunk(box: box, isLastChunk: isLast))
    }
}
