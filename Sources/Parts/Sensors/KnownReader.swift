import CThumbLinux
import ThumbAccess
public import ThumbLoop
import ThumbSystem

/// The reader that knew the user when it was last here. If fprintd has no reader now, it was unplugged, which is another answer to an app
/// than that this machine has none.
///
/// Its name is kept beside the store (docs/STORE.md), because a daemon mostly starts after the reader was unplugged. Nothing is released or
/// refused by it.
@OnLoop public final class KnownReader {
    /// Longest file that is read: a name of that many characters of four bytes.
    private static let fileBytes = 4 * SensorFacts.longestName + 16

    private let path: String
    private let log: (String) -> Void
    /// The reader's name; nil if no reader knows the user.
    public private(set) var name: String?

    /// Reads what is kept in a state folder.
    public init(in state: String, log: @escaping (String) -> Void) {
        path = state + "/reader"
        self.log = log
        name = Transfer.file(path, atMost: Self.fileBytes).flatMap(Self.name(in:))
    }

    /// The name in a file: its one line. nil for a file in another form.
    nonisolated static func name(in file: [UInt8]) -> String? {
        guard file.last == UInt8(ascii: "\n"), let line = String(validating: file.dropLast(), as: UTF8.self) else { return nil }
        // What changes when it is made safe to show, wasn't written here.
        let safe = SensorFacts(name: line).name
        return safe.utf8.elementsEqual(line.utf8) ? safe : nil
    }

    /// Takes in what was found out about the reader.
    func learn(_ presence: ReaderPresence) {
        guard case .here(let found, let isEnrolled) = presence else { return }
        let known = isEnrolled ? SensorFacts(name: found).name : nil
        guard known != name else { return }
        name = known
        guard let known else {
            unsafe unlink(path)
            return
        }
        do throws(ReplacedFile.Setback) {
            try ReplacedFile.put(known + "\n", at: path)
        } catch {
            log("which reader is in use could not be kept (error \(error.error.number))")
        }
    }
}
