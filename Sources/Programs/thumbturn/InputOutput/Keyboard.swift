import ThumbSecrets

/// Reads hidden input from the terminal at standard input, and reports problems in this program's words.
final class Keyboard {
    private let hidden: HiddenKeyboard
    /// A signal that ends the program mustn't leave the terminal without its echo.
    private let interruption = Interruption()

    init() throws(Failure) {
        guard let hidden = HiddenKeyboard() else { throw .terminalUnreadable }
        self.hidden = hidden
    }

    /// Reads one line that isn't empty.
    func line(_ label: String, capacity: Int) throws(Failure) -> SecretBytes {
        do throws(HiddenKeyboard.Ending) {
            return try hidden.line(label, capacity: capacity) { interruption.waitForInput() }
        } catch {
            switch error {
            case .cancelled: throw .cancelled
            case .noMemory: throw .noLockedMemory
            }
        }
    }
}
