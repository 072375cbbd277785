import ThumbMetering

/// What the TPM's keeper remembers of its users: who owns the counters that it has seen, and whose guesses the TPM still counts.
/// docs/STORE.md, *The ledger of the TPM's keeper*, has its form.
struct KeeperLedger: Equatable {
    /// How many counters the keeper makes for one user. A store has one, and a store that was begun again has another.
    static let countersPerUser = 8
    /// Longest file that is read. It has room for all users of a machine with all of their counters.
    static let mostBytes = 1 << 20
    private static let firstLine = "thumbturn-tpm 1"
    private static let lastLine = "end"

    /// The users, by the TPM's number of their counter.
    var counters: [UInt32: UInt32] = [:]
    var guesses = GuessShares<UInt32>()

    /// A user's counters.
    func counters(of uid: UInt32) -> [UInt32] { counters.filter { $0.value == uid }.map(\.key).sorted() }

    var text: String {
        let lines =
            [Self.firstLine]
            + counters.sorted { $0.key < $1.key }.map { "counter \($0.value) \(String($0.key, radix: 16))" }
            + guesses.guesses.map { "guess \($0)" } + [Self.lastLine]
        return lines.joined(separator: "\n") + "\n"
    }

    init() {}

    /// Reads it; nil for anything but exactly this form.
    init?(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self), text.hasSuffix("\n") else { return nil }
        var lines = text.dropLast().split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 2, lines.removeFirst() == Self.firstLine, lines.removeLast() == Self.lastLine else { return nil }
        var made: [UInt32] = []
        for line in lines {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            switch words.first {
            case "counter" where words.count == 3:
                guard made.isEmpty, let uid = UInt32(words[1]), let index = UInt32(words[2], radix: 16),
                    counters.updateValue(uid, forKey: index) == nil
                else { return nil }
            case "guess" where words.count == 2:
                guard let uid = UInt32(words[1]) else { return nil }
                made.append(uid)
            default: return nil
            }
        }
        guesses = GuessShares(made)
        // Each ledger has exactly one form.
        guard self.text == text else { return nil }
    }

    static func == (one: KeeperLedger, other: KeeperLedger) -> Bool {
        one.counters == other.counters && one.guesses.guesses == other.guesses.guesses
    }
}
