import CThumbLinux
import ThumbAccess
import ThumbSystem

/// Shows how far an enrolment has come: in one line that is written over or, where the terminal can't do that, in a line for each touch.
/// Only in a terminal.
final class StageBar {
    private static let width = 20
    private let isTerminal = isatty(2) == 1
    private var isShown = false

    func show(_ progress: EnrollingProgress) {
        guard isTerminal else { return }
        guard TerminalAbility.users.rewritesLines else { return write(Self.line(progress) + "\n") }
        isShown = true
        write("\r\u{1b}[K" + Self.line(progress))
    }

    func end() {
        if isShown { write("\n") }
        isShown = false
    }

    static func line(_ progress: EnrollingProgress) -> String {
        let stages = max(1, progress.stages)
        let filled = min(width, width * progress.done / stages)
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
        return "[\(bar)] \(progress.done) of \(stages)  \(words(progress))"
    }

    private static func words(_ progress: EnrollingProgress) -> String {
        switch progress.hint {
        case nil where progress.done >= progress.stages: "done"
        case nil where progress.done == 0: "lay your finger on the reader"
        case nil: "lift it, and lay it on again"
        case .again: "it was not read well: once more"
        case .tooShort: "that was too short: swipe longer"
        case .centre: "put it in the middle"
        case .liftAndRepeat: "lift it, and lay it on again"
        }
    }

    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe CThumbLinux.write(2, $0.baseAddress, $0.count) }
    }
}
