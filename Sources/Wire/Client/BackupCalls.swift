public import ThumbAccess
internal import ThumbConversation
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
        try backup(.beginExport(passphrase: passphrase)) {
            if case .exportBegun(let head, let items) = $0 { (head, items) } else { nil }
        }
    }

    /// The next chunk; `.notRunning` where there is no export, or not any more.
    public func exportChunk() throws(BackupError) -> ExportedChunk {
        try chunk(.exportChunk) {
            if case .exportChunk(let box, let isLast, let tally) = $0 {
                ExportedChunk(box: box, isLast: isLast, tally: tally)
            } else {
                nil
            }
        }
    }

    /// Has the head and the passphrase looked at, the owner asked, and an import begun.
    public func beginImport(
        head: [UInt8], _ passphrase: SecretBytes, replaces: Bool, countsOnly: Bool
    ) throws(BackupError) {
        try backup(.beginImport(head: head, passphrase: passphrase, replaces: replaces, countsOnly: countsOnly)) {
            if case .done = $0 { () } else { nil }
        }
    }

    /// Takes the next chunk in, all of it or nothing: what came of the import so far.
    public func importChunk(_ box: [UInt8], isLast: Bool) throws(BackupError) -> ImportTally {
        try chunk(.importChunk(box: box, isLast: isLast)) { if case .imported(let tally) = $0 { tally } else { nil } }
    }

    private func backup<Value>(_ request: Request, _ take: (Answer) -> Value?) throws(BackupError) -> Value {
        try settle { () throws(ClientError) in try ask(request) { Self.result(of: $0, take) } }
    }

    /// A chunk belongs to the connection on which its export or import was begun; another one would know nothing of it, and
    /// another daemon isn't started for it.
    private func chunk<Value>(_ request: Request, _ take: (Answer) -> Value?) throws(BackupError) -> Value {
        guard let connection = existing() else { throw .keychain(.deviceUnreachable) }
        return try settle { () throws(ClientError) in
            try connection.call(request) { (answer, _) throws(ClientError) in Self.result(of: answer, take) }
        }
    }

    private static func result<Value>(of answer: Answer, _ take: (Answer) -> Value?) -> Result<Value, BackupError>? {
        switch answer {
        case .failed(let failure): .failure(.keychain(failure))
        case .backupFailed(let failure): .failure(.backup(failure))
        default: take(answer).map { .success($0) }
        }
    }

    private func settle<Value>(
        _ body: () throws(ClientError) -> Result<Value, BackupError>
    ) throws(BackupError) -> Value {
        let result: Result<Value, BackupError>
        do throws(ClientError) {
            result = try body()
        } catch {
            throw .keychain(error.keychainFailure)
        }
        return try result.get()
    }
}
