import CThumbLinux
import ThumbSystem

/// The file of the keeper's ledger, in the keeper's own folder.
final class LedgerFile: Sendable {
    private static let name = "ledger"
    private static let draft = "ledger.new"
    private static let damaged = "ledger.damaged"

    private let folder: Descriptor

    /// Takes the keeper's folder.
    init(_ folder: consuming Descriptor) { self.folder = folder }

    /// The stored ledger, or an empty one in a new folder. Fails if it can't be read just now.
    ///
    /// A damaged ledger is put aside under another name, and an empty one takes its place. It then holds nobody's guesses, and only the
    /// TPM's own count is left.
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

    /// Returns once it is on the disk.
    func write(_ ledger: KeeperLedger) throws(ReplacedFile.Setback) {
        let file = try ReplacedFile(draft: Self.draft, in: folder.number)
        try file.write(Array(ledger.text.utf8))
        try file.take(placeOf: Self.name)
    }
}
