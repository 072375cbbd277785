import ThumbCommands

/// `thumbturn sudo`
enum SudoCommands {
    static let command = Command(
        "sudo", "let sudo and su take your finger or your password",
        discussion: [
            "sudo and su then ask for both at once, and whichever comes first counts. A password is judged as before. A touch counts only "
                + "where the question is shown to you: in the window of your session, or on its text console. It takes system mode.",
            "Five fingers that aren't yours lock the sensor, for sudo and for apps alike, until you give your passcode.",
        ],
        examples: [
            Example("Switch it on, and try it in another terminal", "sudo thumbturn sudo on", "sudo -k true"),
            Example("Go back", "sudo thumbturn sudo off"),
        ],
        subcommands: [on, off, status])

    private static let on = Command(
        "on", "ask for a finger beside the password (as root)",
        discussion: [
            "Shows which lines of PAM's files change, and asks you first. pam-auth-update(8) makes the change, with the profile "
                + "thumbturn-sudo. If fprintd's profile is in use, it is switched off, because its module waits for a finger before you can "
                + "type.",
            "Open a root shell in another terminal first, with `sudo -i`, and keep it open until you have tried the result: a mistake in "
                + "these files can keep you from becoming root. `thumbturn sudo off` in that shell goes back.",
        ],
        options: [ProfileSwitch.root, Confirmation.force], examples: [Example("Switch it on", "sudo thumbturn sudo on")]
    ) { invocation throws(Failure) in
        try ProfileSwitch.turn(.sudo, on: true, invocation)
    }

    private static let off = Command(
        "off", "ask for the password alone again (as root)",
        discussion: ["Takes back what `on` changed. If fprintd's profile was in use before, it is again."],
        options: [ProfileSwitch.root, Confirmation.force], examples: [Example("Switch it off", "sudo thumbturn sudo off")]
    ) { invocation throws(Failure) in
        try ProfileSwitch.turn(.sudo, on: false, invocation)
    }

    private static let status = Command(
        "status", "show whether sudo takes a finger", options: [ProfileSwitch.root],
        exits: [
            ExitStatus(0, "sudo takes a finger or the password"),
            ExitStatus(1, "it takes the password alone, or waits for fprintd"),
        ],
        examples: [Example("Switch it on where it is off", "thumbturn sudo status || sudo thumbturn sudo on")]
    ) { invocation throws(Failure) in
        let machine = try ProfileSwitch(.sudo, invocation)
        return machine.outcome(machine.state, exit: machine.isInForce ? .done : .no)
    }
}
