import CThumbLinux
import ThumbSystem

/// The file that the keeper's ledger is in, in a folder of the keeper's own.
final class LedgerFile: Sendable {
    private static let name = "ledger"
    private static let draft = "ledger.new"
    private static let damaged = "ledger.damaged"

    private let folder: Descriptor

    /// Takes a folder of the keeper's own.
    init(_ folder: consuming Descriptor) { self.folder = folder }

    /// What is kept: nothing yet in a folder that is new. Fails where it can't be read just now.
    ///
    /// One that is damaged is put aside under another name, and the ledger begins anew: then nobody's guesses stand in it, and the TPM's
    /// own count is what is left to go by.
    func read(log: (String) -> Void) throws(SystemError) -> KeeperLedger {
        let file: Descriptor
        do throws(SystemError) {
            file = try Descriptor(opening: Self.name, in: folder.number, O_RDONLY | O_NOFOLLOW)
        } catch  where error.number == ENOENT {
            return KeeperLedger()
        }
        if let bytes = try Transfer.all(from: file.number, atMost: KeeperLedger.mostBytes), let ledger = KeeperLedger(bytes) {
            return ledger
        }
        guard unsafe renameat(folder.number, Self.name, folder.number, Self.damaged) == 0 else { throw .last }
        log("the ledger was damaged and is kept as \(Self.damaged)")
        return KeeperLedger()
    }

    /// Returns when it is on the disk.
    func write(_ ledger: KeeperLedger) throws(ReplacedFile.Setback) {
        let file = try ReplacedFile(draft: Self.draft, in: folder.number)
        try file.write(Array(ledger.text.utf8))
        try file.take(placeOf: Self.name)
    }
}
