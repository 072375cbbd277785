import ThumbAccess

extension SecretsServiceFailure {
    /// The passwords of other programs aren't taken over, or not given back.
    var words: Words {
        switch self {
        case .noHome:
            Words("noHome", .couldNotAsk, "The environment names no home folder.", "Run the command in your desktop session.")
        case .notProtected:
            Words(
                "notProtected", .couldNotAsk, "The system service doesn't know the program thumbturn-secrets.",
                "Run 'sudo thumbturn system-mode on' once more, then this command again.")
        case .unknownKeyring(let name):
            Words(
                "unknownKeyring", .couldNotAsk,
                "'\(SafeText(name, limit: 60))' answers, and Thumbturn doesn't know how to take over from it.",
                "Switch its Secret Service off, then run this command again.")
        case .visibleKeyring(let name):
            Words(
                "unknownKeyring", .couldNotAsk, "\(name) answers, and it is a program that you use.",
                "Switch off 'Secret Service Integration' in its settings, then run this command again.")
        case .notStarted:
            Words(
                "notStarted", .failed, "The program thumbturn-secrets doesn't start, so nothing was taken over.",
                "Run 'journalctl --user -b -u thumbturn-secrets' to see why.")
        case .notEnded:
            Words(
                "notEnded", .failed, "The program that answers now didn't end.",
                "Log out and in again; then run 'thumbturn secrets-service status'.")
        case .notAnswering(let name):
            Words(
                "notAnswering", .failed,
                "\(name.map { "'\(SafeText($0, limit: 60))'" } ?? "Nobody") answers on the session bus, not Thumbturn.",
                "Log out and in again, then run this command once more. 'thumbturn secrets-service off' goes back.")
        case .notChanged(let path):
            Words(
                "notChanged", .failed, "\(SafeText(path, limit: 200)) can't be changed.",
                "Check that you may write there and that nothing ending in .before-thumbturn is in the way; then run the command again."
            )
        case .recordUnreadable(let path):
            Words(
                "recordUnreadable", .failed, "\(SafeText(path, limit: 200)), which says what was changed, can't be read.",
                "Mend or remove the file. docs/users/desktop.md says what was changed.")
        case .notReloaded:
            Words(
                "notReloaded", .failed, "Your systemd didn't read its units again.",
                "Read its message above, mend the cause, and run the command again.")
        }
    }
}
