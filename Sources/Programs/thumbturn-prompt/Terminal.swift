import CThumbLinux

/// The terminal without echo, and with Ctrl-C as an ordinary key. It is restored afterwards.
final class Terminal {
    let fd: Int32 = 0
    private var before = termios()
    private var isChanged = false

    init?() {
        guard isatty(fd) == 1, unsafe tcgetattr(fd, &before) == 0 else { return nil }
        var now = before
        now.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
        now.c_iflag &= ~tcflag_t(IXON)
        unsafe withUnsafeMutableBytes(of: &now.c_cc) {
            unsafe $0[Int(VMIN)] = 1
            unsafe $0[Int(VTIME)] = 0
        }
        // Drop what was typed before the prompt was there; it wasn't meant for it.
        guard unsafe tcsetattr(fd, TCSAFLUSH, &now) == 0 else { return nil }
        isChanged = true
    }

    func restore() {
        guard isChanged else { return }
        unsafe tcsetattr(fd, TCSAFLUSH, &before)
        isChanged = false
    }

    /// Waits until everything written has reached the terminal.
    func drain() { tcdrain(1) }

    func write(_ text: String) {
        let bytes = Array(text.utf8)
        unsafe bytes.withUnsafeBytes { buffer in
            var place = 0
            while place < buffer.count {
                let count = unsafe CThumbLinux.write(1, buffer.baseAddress! + place, buffer.count - place)
                if count <= 0 { return }
                place += count
            }
        }
    }
}
