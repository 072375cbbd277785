import ThumbAccess

/// What a program that runs as the owner could still do even if everything is in order: the end of the threat model in the doctor's plain
/// words, one line each.
enum StillPossible {
    static func list(_ status: DeviceStatus) -> [String] {
        switch status.mode {
        case .user: userMode(status) + everywhere
        case .system: systemMode + everywhere
        case .simulated: ["get everything: a script answers in your place"]
        }
    }

    private static func userMode(_ status: DeviceStatus) -> [String] {
        let first = status.passcodeIsSet ? [] : ["choose the first passcode, and be the owner from then on"]
        let helper =
            status.passcodeSource == .account && status.passcodeIsSet
            ? ["take the place of the program that checks your account's password, and read it"] : []
        return first + [
            "trace the daemon before it protects itself, or replace its program",
            "show a prompt of its own making, and have you touch the reader for it",
            "remove the store, or put an old copy of all of it back",
        ] + helper
    }

    private static let systemMode = [
        "ask for another app's items (you are asked first, and can refuse)",
        "run a compositor in your session, and show a prompt where you don't see it",
    ]

    /// No daemon can keep a program from doing these.
    private static let everywhere = [
        "imitate a prompt, and read what you type into it",
        "read what you type in any window, if the session is X11",
        "run an app that isn't protected under its own control, and ask as that app",
        "read a released secret in an app's memory, unless the app is protected",
    ]
}
