extension SystemModeFailure {
    /// The machine's mode isn't switched.
    var words: Words {
        switch self {
        case .notRoot(let command):
            Words("onlyRoot", .failed, "Only root can switch system mode.", "Run 'sudo \(command)'.")
        case .noSystemd:
            failed(
                "noSystemd", "No systemd runs on this machine, and system mode is started by it.",
                "Stay in user mode, or use --root to prepare a system that systemd will run.")
        case .noUnits:
            failed(
                "noUnits", "There are no units of Thumbturn's where systemd looks.",
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
            failed("noSystemctl", "The program that tells systemd can't be run: systemctl.", "Install the package 'systemd'.")
        case .notEnabled:
            failed(
                "notEnabled", "The units weren't taken by systemd.",
                "Read above what it said, mend that, and run the command again.")
        case .notStarted:
            failed(
                "notStarted", "The sockets weren't started by systemd, so the machine is in the mode that it was in.",
                "Run 'journalctl -b -u thumbturn.socket' to see why.")
        case .notStopped:
            failed(
                "notStopped", "The daemon wasn't stopped by systemd, so system mode is still on.",
                "Run 'systemctl status thumbturn.service' to see why.")
        }
    }

    private func failed(_ code: String, _ message: String, _ next: String) -> Words { Words(code, .failed, message, next) }
}
