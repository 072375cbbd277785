internal import CThumbLinux
internal import ThumbLoop

/// Starts `thumbturn-prompt` on this process's own terminal. The ticket goes through an inherited pipe: arguments and
/// environments can be read by every program of the user.
struct PromptStarter: Sendable {
    private let child: pid_t

    /// nil where there is no terminal, or no prompt to start.
    init?(ticket: [UInt8], socket: String) {
        guard let program = Installed.program("thumbturn-prompt") else { return nil }
        let terminal = unsafe thumb_open("/dev/tty", O_RDWR | O_CLOEXEC, 0)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        var ends: [Int32] = [-1, -1]
        guard unsafe thumb_pipe2(&ends, O_CLOEXEC) == 0 else { return nil }
        defer { for end in ends { close(end) } }
        let message = ticket + Array(socket.utf8)
        let written = unsafe message.withUnsafeBytes { unsafe write(ends[1], $0.baseAddress, $0.count) }
        guard written == message.count else { return nil }
        let kept = ["TERM", "LANG", "LC_ALL", "LC_MESSAGES", "LC_CTYPE"].compactMap { name in
            Finding.environment(name).map { "\(name)=\($0)" }
        }
        let started = Spawn.run(
            program, ["thumbturn-prompt"], environment: kept, descriptors: [terminal, terminal, terminal, ends[0]])
        guard let started else { return nil }
        child = started
    }

    /// Waits until the prompt has left the terminal as it found it.
    func wait() { _ = Spawn.wait(for: child) }
}
