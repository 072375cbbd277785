extension SystemModeFailure {
    /// The machine's mode isn't switched.
    var words: Words {
        switch self {
        case .notRoot(let command):
            Words("onlyRoot", .failed, "Only root can switch system mode.", "Run 'sudo \(command)'.")
        case .noSystemd:
            failed(
                "noSystemd", "System mode needs systemd, which doesn't run on this machine.",
                "Stay in user mode, or use --root to prepare a system that systemd will run.")
        case .noUnits:
            failed(
                "noUnits", "systemd finds no Thumbturn units.",
                "Install the package 'thumbturn', or run 'sudo make install' with a PREFIX that systemd looks into.")
        case .noPrompt:
            failed(
                "noPrompt", "The program that asks in a terminal, thumbturn-prompt, isn't installed.",
                "Install Thumbturn again, with 'sudo make install' or the package 'thumbturn'.")
        case .protection(let failure): failure.words
        case .markerNotWritten:
            failed("marker", "The file \(ModeSwitch.marker) can't be written.", "Check whether the disk is full or read-only.")
        case .markerNotRemoved:
            failed("marker", "The file \(ModeSwitch.marker) can't be removed.", "Check whether the disk is read-only.")
        case .noSystemctl:
            failed("noSystemctl", "systemctl can't be run.", "Install the package 'systemd'.")
        case .notEnabled:
            failed(
                "notEnabled", "systemd didn't enable the units.",
                "Read its message above, mend the cause, and run the command again.")
        case .notStarted:
            failed(
                "notStarted", "systemd didn't start the sockets, so the mode is unchanged.",
                "Run 'journalctl -b -u thumbturn.socket' to see why.")
        case .notStopped:
            failed(
                "notStopped", "systemd didn't stop the daemon, so system mode is still on.",
                "Run 'systemctl status thumbturn.service' to see why.")
        }
    }

    private func failed(_ code: String, _ message: String, _ next: String) -> Words { Words(code, .failed, message, next) }
}
