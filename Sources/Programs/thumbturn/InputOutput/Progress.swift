import CThumbLinux
import ThumbSystem

/// Shows progress on standard error: a bar in a terminal that can draw one, otherwise a line for each tenth. The bar disappears at the end.
struct Progress: ~Copyable {
    private static let width = 30

    private let label: String
    private let isBar = isatty(2) == 1 && TerminalAbility.users.rewritesLines
    /// The line that the terminal shows now, and the last tenth that was reported.
    private var shown = ""
    private var tenth = 0

    init(_ label: String) { self.label = label }

    deinit { if isBar && !shown.isEmpty { Self.write("\r" + String(repeating: " ", count: shown.count) + "\r") } }

    /// - Parameter words: the amount, in words for a person.
    mutating func show(_ done: Int, of all: Int, _ words: String) {
        guard all > 0 else { return }
        let part = Double(min(done, all)) / Double(all)
        isBar ? draw(part, words) : tell(part, words)
    }

    private mutating func draw(_ part: Double, _ words: String) {
        let filled = Int(part * Double(Self.width))
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: Self.width - filled)
        let line = "\(label) [\(bar)] \(words)"
        guard line != shown else { return }
        // Blanks overwrite the rest of a longer line before.
        Self.write("\r" + line + String(repeating: " ", count: max(0, shown.count - line.count)))
        shown = line
    }

    private mutating func tell(_ part: Double, _ words: String) {
        let reached = Int(part * 10)
        guard reached > tenth, reached < 10 else { return }
        tenth = reached
        Self.write("\(label): \(words)\n")
    }

    private static func write(_ text: String) { try? Output.write([.text(text)], to: 2) }
}
