import ThumbAccess

extension ProfileFailure {
    /// What the system's own questions take isn't changed.
    var words: Words {
        switch self {
        case .notRoot(let command):
            Words("onlyRoot", .failed, "Only root can change what the system asks for.", "Run 'sudo \(command)'.")
        case .eachUsersOwn:
            failed(
                "eachUsersOwn", "--open-by-finger is each user's own choice.",
                "Run 'thumbturn login on --open-by-finger' as yourself.")
        case .loginIsOff:
            failed(
                "loginIsOff", "A login takes no finger on this machine.",
                "Run 'sudo thumbturn login on' first, then this command again.")
        case .userMode:
            failed(
                "userMode",
                "The system takes a finger in system mode only. In user mode a program of yours could show you a false question.",
                "Run 'sudo thumbturn system-mode on' first.")
        case .noTool:
            failed(
                "noPamAuthUpdate", "The program pam-auth-update, which writes PAM's files, isn't here or can't be run.",
                "On Debian, install the package 'libpam-runtime'. Elsewhere, docs/administrators/sudo.md says which line to write."
            )
        case .noProfile:
            failed(
                "noProfile", "Thumbturn's module for PAM isn't installed.",
                "Install the package 'thumbturn', or run 'sudo make install'.")
        case .stranger(let service):
            failed(
                "notIncluded", "/etc/pam.d/\(service) doesn't include common-auth, so a change there wouldn't reach it.",
                "Put '@include common-auth' into it, or write our line there as docs/administrators/sudo.md says.")
        case .noCopy:
            failed(
                "noCopy", "The change can't be tried in a copy of PAM's files, so nothing was changed.",
                "Check whether /tmp is full, and whether all of the system is there.")
        case .toolFailed:
            failed(
                "pamAuthUpdate", "The program pam-auth-update failed.",
                "Read its message above, mend the cause, and run the command again.")
        case .notUpdated(let isUsed):
            failed(
                "editedByHand",
                "PAM's files stay as they are. Most likely somebody has edited them, which pam-auth-update respects.",
                isUsed
                    ? "Write our line yourself, as docs/administrators/sudo.md says."
                    : "Remove the line with pam_thumbturn.so from /etc/pam.d/common-auth yourself.")
        case .writtenByHand(let service):
            failed(
                "writtenByHand", "A line in /etc/pam.d/\(service) asks for a finger already.",
                "Remove the line with pam_thumbturn.so from the file, then run this command again.")
        case .fprintdByHand(let service):
            failed(
                "writtenByHand", "A line in /etc/pam.d/\(service) waits for fprintd before you can type.",
                "Remove the line with pam_fprintd.so from the file, then run this command again.")
        case .recordNotWritten:
            failed(
                "record", "Whether fprintd's profile was in use can't be noted in /etc/thumbturn, so nothing was changed.",
                "Check whether the disk is full or read-only.")
        case .recordNotRemoved:
            failed(
                "record", "The file /etc/thumbturn/fprintd-was-asking can't be removed.", "Check whether the disk is read-only.")
        }
    }

    private func failed(_ code: String, _ message: String, _ next: String) -> Words { Words(code, .failed, message, next) }
}

extension PAMProfile {
    /// For what somebody is asked.
    private var askers: String {
        switch self {
        case .sudo: "sudo and su"
        case .login: "logins at a text console"
        }
    }

    var takesFingers: String { "A finger or the password is enough for \(askers)." }
    var takesNoFingers: String { "Only the password counts for \(askers)." }
    var needsSystemMode: String {
        "Only the password counts for \(askers), because system mode is off. Run 'sudo thumbturn system-mode on' to switch it on."
    }
    var waitsForFprintd: String {
        "Before anybody can type the password for \(askers), fprintd waits for a finger. Run 'sudo thumbturn \(self) on' to be asked for "
            + "both at once."
    }
    var trial: String {
        switch self {
        case .sudo: "Try it: 'sudo -k true'. If it doesn't work, run 'thumbturn sudo off' in the root shell that you kept open."
        case .login:
            "Try it at another console. If it doesn't work, run 'thumbturn login off' in the root shell that you kept open."
        }
    }
}
