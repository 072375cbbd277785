import ThumbSecrets

/// The terminal at standard input while something unseen is typed, with this program's words for what may go wrong.
final class Keyboard {
    private let hidden: HiddenKeyboard

    init() throws(Failure) {
        guard let hidden = HiddenKeyboard() else { throw .terminalUnreadable }
        self.hidden = hidden
    }

    /// One line that isn't empty.
    func line(_ label: String, capacity: Int) throws(Failure) -> SecretBytes {
        do throws(HiddenKeyboard.Ending) {
            return try hidden.line(label, capacity: capacity)
        } catch {
            switch error {
            case .cancelled: throw .cancelled
            case .noMemory: throw .noLockedMemory
            }
        }
    }
}
