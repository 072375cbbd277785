import CThumbLinux
import ThumbCommands

/// `thumbturn polkit`
enum PolkitCommands {
    static let command = Command(
        "polkit", "answer polkit's questions with your finger or your password",
        discussion: [
            "Programs ask polkit before they do what takes root's rights: pkexec, systemctl, the installation of a package. Polkit then asks "
                + "in a window. Switch this on, and that window is Thumbturn's, which shows all that polkit says and takes your finger or the "
                + "password.",
            "It is each user's own setting, for desktops that bring no window of their own for this, such as sway. GNOME and KDE bring one, "
                + "and polkit takes one for each session. It takes system mode, and a finger counts once `sudo thumbturn sudo on` was run.",
        ],
        examples: [
            Example("Switch it on, and try it", "thumbturn polkit on", "pkexec true"), Example("Go back", "thumbturn polkit off"),
        ],
        subcommands: [on, off, status])

    private static let unit = "thumbturn-polkit.service"

    private static let on = Command(
        "on", "have Thumbturn's window ask for polkit, now and in your later sessions",
        discussion: [
            "It starts the unit thumbturn-polkit.service of your own service manager, and each graphical session starts it again."
        ],
        examples: [Example("Switch it on", "thumbturn polkit on")]
    ) { _ throws(Failure) in
        if geteuid() == 0 { throw .polkit(.eachUsersOwn) }
        guard try ModeSwitch(root: nil).isOn else { throw .profile(.userMode) }
        try tell("enable", "--now", orElse: .notTaken)
        return try outcome()
    }

    private static let off = Command(
        "off", "leave polkit's questions to others",
        examples: [Example("Switch it off", "thumbturn polkit off")]
    ) { _ throws(Failure) in
        if geteuid() == 0 { throw .polkit(.eachUsersOwn) }
        try tell("disable", "--now", orElse: .notEnded)
        return try outcome()
    }

    private static let status = Command(
        "status", "show whether Thumbturn's window asks for polkit",
        exits: [ExitStatus(0, "it does"), ExitStatus(1, "it doesn't")],
        examples: [Example("Switch it on where it is off", "thumbturn polkit status || thumbturn polkit on")]
    ) { _ throws(Failure) in try outcome(isQuestion: true) }

    /// How it is now.
    private static func outcome(isQuestion: Bool = false) throws(Failure) -> Outcome {
        let isOn = UserManager.isActive(unit)
        let machine = try ProfileSwitch(.sudo, root: nil, command: "thumbturn sudo")
        var notices: [Notice] = [isOn ? .polkitAsksHere : .polkitAsksElsewhere]
        if isOn, !machine.isInForce { notices.append(.polkitTakesNoFingers) }
        if isOn, !UserManager.isActive("graphical-session.target") { notices.append(.polkitStartsByHand) }
        return Outcome(
            lines: notices.map(\.text),
            json: .object([("polkit", .object([("isOn", .flag(isOn)), ("takesFingers", .flag(isOn && machine.isInForce))]))]),
            exit: isOn || !isQuestion ? .done : .no)
    }

    private static func tell(_ verb: String, _ option: String, orElse failure: PolkitFailure) throws(Failure) {
        guard UserManager.isRunning else { throw .polkit(.noManager) }
        guard UserManager.does([verb, option, unit]) else { throw .polkit(failure) }
    }
}

/// Why polkit's questions aren't asked by Thumbturn.
enum PolkitFailure: Error, Sendable {
    /// Root has no session of its own.
    case eachUsersOwn
    case noManager
    case notTaken, notEnded
}
