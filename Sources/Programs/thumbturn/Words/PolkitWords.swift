extension PolkitFailure {
    /// Why polkit's questions are asked as before.
    var words: Words {
        switch self {
        case .eachUsersOwn:
            Words("eachUsersOwn", .failed, "Who asks for polkit is each user's own choice.", "Run this command as yourself.")
        case .noManager:
            Words(
                "noManager", .failed, "No service manager of yours is running.",
                "Log in to a graphical session that systemd knows, and run this command there.")
        case .notTaken:
            Words(
                "notTaken", .failed, "Polkit doesn't take Thumbturn's window in this session.",
                "Run 'journalctl --user -b -u thumbturn-polkit' to see why. If your desktop has a window of its own for this, run "
                    + "'thumbturn polkit off'.")
        case .notEnded:
            Words(
                "notEnded", .failed, "The unit thumbturn-polkit.service can't be switched off.",
                "Read the message above, mend the cause, and run the command again.")
        }
    }
}
