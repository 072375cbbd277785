import CThumbLinux

/// The terminal, set so that nothing is echoed and Ctrl-C is a key like others, and put back as it was.
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
        // What was typed before the prompt stood there wasn't meant for it.
        guard unsafe tcsetattr(fd, TCSAFLUSH, &now) == 0 else { return nil }
        isChanged = true
    }

    func restore() {
        guard isChanged else { return }
        unsafe tcsetattr(fd, TCSAFLUSH, &before)
        isChanged = false
    }

    /// Waits until what was written has gone to the terminal.
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
