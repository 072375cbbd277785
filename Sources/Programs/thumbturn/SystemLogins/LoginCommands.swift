import CThumbLinux
import ThumbAccess
import ThumbClient
import ThumbCommands

/// `thumbturn login`
enum LoginCommands {
    static let command = Command(
        "login", "log in at a text console by finger or by password, and open your secrets with it",
        discussion: [
            "The login at a text console then asks for both at once, and whichever comes first counts. So does vlock, which locks one. It "
                + "takes system mode. Graphical logins ask as before; the page on logins says what to write for GNOME.",
            "If your passcode is your account's password, a login by password opens your secrets from then on, and your passcode follows when "
                + "you change the password.",
            "A finger counts once you have given your passcode, as long as your store is open: it closes when the machine restarts, and ten "
                + "minutes after your last program has disconnected. If a login by finger is to open your secrets by itself, run "
                + "`thumbturn login on --open-by-finger` as yourself. It asks for your passcode.",
            "That has a price. A TPM can't check a finger, so this machine's own word is then enough for your secrets, except those of the "
                + "class when-passcode-set. Somebody who takes the whole machine can read them, unless its disk is encrypted and asks for "
                + "something that they don't know: they start another system on it, or change how yours starts.",
        ],
        examples: [
            Example(
                "Switch it on for everybody, then open your own secrets by it", "sudo thumbturn login on",
                "thumbturn login on --open-by-finger"),
            Example("Go back", "thumbturn login off", "sudo thumbturn login off"),
        ],
        subcommands: [on, off, status])

    private static let on = Command(
        "on", "ask for a finger beside the password (as root), or have it open your secrets (as yourself)",
        discussion: [
            "As root it shows which lines of PAM's files change, and asks you first. pam-auth-update(8) makes the change, with the profiles "
                + "thumbturn-login and thumbturn-password. If fprintd's profile is in use, it is switched off.",
            "With --open-by-finger, as yourself, it makes a key in the TPM that a login by finger uses. It is bound to whom the machine "
                + "trusts to start it: after an update of Secure Boot's keys or of its list of revoked ones, run the command again.",
        ],
        options: [openByFinger, ProfileSwitch.root, Confirmation.force],
        examples: [Example("Open your secrets when you log in by finger", "thumbturn login on --open-by-finger")]
    ) { invocation throws(Failure) in
        if invocation.has(openByFinger) { return try opens(true, invocation) }
        return try ProfileSwitch.turn(.login, on: true, invocation)
    }

    private static let off = Command(
        "off", "no longer ask for a finger (as root), or have it open no secrets (as yourself)",
        discussion: [
            "As root it takes back what `on` changed in PAM's files. As yourself it erases the key that --open-by-finger made; it asks for "
                + "your passcode."
        ],
        options: [ProfileSwitch.root, Confirmation.force],
        examples: [Example("Switch it off for everybody", "sudo thumbturn login off")]
    ) { invocation throws(Failure) in
        if geteuid() != 0 { return try opens(false, invocation) }
        return try ProfileSwitch.turn(.login, on: false, invocation)
    }

    private static let status = Command(
        "status", "show whether a login takes a finger", options: [ProfileSwitch.root],
        exits: [
            ExitStatus(0, "a login at a text console takes a finger or the password"),
            ExitStatus(1, "it takes the password alone, or waits for fprintd"),
        ],
        examples: [Example("Switch it on where it is off", "thumbturn login status || sudo thumbturn login on")]
    ) { invocation throws(Failure) in
        let machine = try ProfileSwitch(.login, invocation)
        // Root has no secrets here, and a system in a folder has no daemon.
        guard machine.isInForce, geteuid() != 0, invocation.value(ProfileSwitch.root) == nil else {
            return machine.outcome(machine.state, exit: machine.isInForce ? .done : .no)
        }
        let opens = try Daemon.status().opensAtLogin
        return machine.outcome(machine.state, opens ? .loginsOpen : .loginsOpenNothing, facts: [("opensSecrets", .flag(opens))])
    }

    private static let openByFinger = Option("open-by-finger", "have a login by finger open your own secrets")

    /// The owner's own choice, with the passcode.
    private static func opens(_ opens: Bool, _ invocation: Invocation) throws(Failure) -> Outcome {
        if geteuid() == 0 { throw .profile(.eachUsersOwn) }
        let machine = try ProfileSwitch(.login, invocation)
        if opens, !machine.isInForce { throw .profile(.loginIsOff) }
        _ = try Daemon.statusWithPasscode()
        do throws(KeychainFailure) {
            try DeviceClient.shared.allow(.openByFinger, opens)
        } catch {
            throw Failure(changing: .allowance, error)
        }
        let notices: [Notice] = opens ? [.loginsOpen] + (SecureBoot.isOn ? [] : [.startIsOpen]) : [.loginsOpenNothing]
        return machine.outcome(notices, facts: [("opensSecrets", .flag(opens))])
    }
}
