internal import CThumbLinux
internal import ThumbSecrets

/// The terminal at standard input while something unseen is typed: nothing is echoed, Ctrl-C is a key like others, and in the
/// end it is as it was before.
final class Keyboard {
    private static let interrupt: UInt8 = 0x03
    private static let endOfText: UInt8 = 0x04
    private static let escape: UInt8 = 0x1b
    private static let eraseLine: UInt8 = 0x15

    private var before = termios()

    init() throws(Failure) {
        guard unsafe tcgetattr(0, &before) == 0 else { throw Failure("noInput", .input, "the terminal can't be read") }
        var now = before
        now.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
        now.c_iflag &= ~tcflag_t(IXON)
        unsafe withUnsafeMutableBytes(of: &now.c_cc) {
            unsafe $0[Int(VMIN)] = 1
            unsafe $0[Int(VTIME)] = 0
        }
        // What was typed before the question stood there wasn't meant for it.
        guard unsafe tcsetattr(0, TCSAFLUSH, &now) == 0 else { throw Failure("noInput", .input, "the terminal can't be read") }
    }

    deinit { unsafe tcsetattr(0, TCSAFLUSH, &before) }

    /// One line that isn't empty.
    func line(_ label: String, capacity: Int) throws(Failure) -> SecretBytes {
        guard let field = try? SecretField(capacity: capacity) else { throw .noLockedMemory }
        write(label)
        // Whatever ends the line, the cursor goes to the next one.
        defer { write("\n") }
        while true {
            switch field.readKey(from: 0) {
            case .text, .nothingYet: break
            case .full: write("\u{7}")
            case .ended, .control(Self.interrupt), .control(Self.endOfText), .control(Self.escape): throw .cancelled
            case .control(0x0d), .control(0x0a):
                if field.count == 0 { continue }
                guard let line = try? field.take() else { throw .noLockedMemory }
                return line
            case .control(0x7f), .control(0x08): field.removeLast()
            case .control(Self.eraseLine): field.clear()
            case .control: break
            }
        }
    }

    // Standard output may be a pipe that must get nothing but the result.
    private func write(_ text: String) { try? Output.write([.text(text)], to: 2) }
}
