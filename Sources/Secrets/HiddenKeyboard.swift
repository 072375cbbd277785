import CThumbLinux
import ThumbSystem

/// The terminal at standard input while something is typed unseen. Nothing is echoed, and Ctrl-C is a key like any other. At the end the
/// terminal is as it was before.
public final class HiddenKeyboard {
    /// Why there is no line.
    public enum Ending: Error, Sendable, Equatable {
        /// The person cancelled, or the terminal is gone.
        case cancelled
        /// The arena has no room for it.
        case noMemory
    }

    private static let interrupt: UInt8 = 0x03
    private static let endOfText: UInt8 = 0x04
    private static let escape: UInt8 = 0x1b
    private static let eraseLine: UInt8 = 0x15

    private var before = termios()

    /// nil if standard input isn't a terminal that can be read this way.
    public init?() {
        guard unsafe tcgetattr(0, &before) == 0 else { return nil }
        var now = before
        now.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
        now.c_iflag &= ~tcflag_t(IXON)
        unsafe withUnsafeMutableBytes(of: &now.c_cc) {
            unsafe $0[Int(VMIN)] = 1
            unsafe $0[Int(VTIME)] = 0
        }
        // Drop what was typed before the question appeared; it wasn't meant for it.
        guard unsafe tcsetattr(0, TCSAFLUSH, &now) == 0 else { return nil }
    }

    deinit { unsafe tcsetattr(0, TCSAFLUSH, &before) }

    /// Reads one line that isn't empty. `label` is written to standard error, because standard output may be a pipe.
    ///
    /// - Parameter waits: waits for a key; false if the program is to end before one comes.
    public func line(_ label: String, capacity: Int, waits: () -> Bool = { true }) throws(Ending) -> SecretBytes {
        let field: SecretField
        do { field = try SecretField(capacity: capacity) } catch { throw .noMemory }
        // Even if the question can't be shown, it can be answered or cancelled.
        Transfer.say(label, to: 2)
        // Whatever ends the line, the cursor goes to the next one.
        defer { Transfer.say("\n", to: 2) }
        while true {
            guard waits() else { throw .cancelled }
            switch field.readKey(from: 0) {
            case .text, .nothingYet: break
            case .full: Transfer.say("\u{7}", to: 2)
            case .ended, .control(Self.interrupt), .control(Self.endOfText), .control(Self.escape): throw .cancelled
            case .control(0x0d), .control(0x0a):
                if field.count == 0 { continue }
                do { return try field.take() } catch { throw .noMemory }
            case .control(0x7f), .control(0x08): field.removeLast()
            case .control(Self.eraseLine): field.clear()
            case .control: break
            }
        }
    }
}
