import ThumbClient
import ThumbCommands

/// `thumbturn sign-in`
enum SignInCommands {
    static let command = Command(
        "sign-in", "sign in to a server with your finger",
        discussion: [
            "You give the account's password once, to `enable`: a key is made on this device and registered at the server. From "
                + "then on the server accepts the key's signature, which only you can release. When the enrolled fingers change, "
                + "you need the password again."
        ],
        examples: [
            Example(
                "Register this device, then sign in with your finger", "thumbturn sign-in enable https://bank.example anna",
                "thumbturn sign-in now https://bank.example anna")
        ],
        subcommands: [
            enable, now, status, token, out, disable, sessions, endSessions, devices, revokeDevice, changePassword,
            removePassword,
            deleteAccount,
        ])

    // MARK: Signing in

    private static let enable = Command(
        "enable", "make a key for an account and register it",
        discussion: [
            "Asks for the account's password, hidden as you type, or reads it from standard input; then for your finger or what "
                + "--protect says, because registering needs the new key's signature. If the account was enabled before, a key "
                + "that is still good is registered again, and one that isn't is replaced."
        ],
        operands: account, options: [deviceName, protect],
        examples: [
            Example("Register this device under a name", "thumbturn sign-in enable https://bank.example anna --name laptop"),
            Example(
                "Let the passcode do too, as on a machine without a reader",
                "thumbturn sign-in enable https://bank.example anna --protect presence"),
        ]
    ) { invocation throws(Failure) in
        let protection = invocation.value(protect) ?? "current-biometry"
        let rule = try Protection.keyRule(protection, "when-unlocked")
        let objection = Protection.objection(rule, try Daemon.status(), .key, orAnotherRule: !invocation.has(protect))
        if let objection { throw objection }
        let password = try SecretInput.readCode(TypedQuestion.password(of: invocation.operands[1]))
        let name = invocation.value(deviceName) ?? MachineName.own
        try SignInProgram.become(invocation, [name, protection], [password])
    }

    private static let now = Command(
        "now", "sign in, even if you are already signed in", operands: account,
        examples: [Example("Sign in with your finger", "thumbturn sign-in now https://bank.example anna")]
    ) { invocation throws(Failure) in try SignInProgram.become(invocation) }

    private static let status = Command(
        "status", "show whether you are signed in, without asking you", operands: account,
        exits: [ExitStatus(0, "you are signed in, or your finger is enough"), ExitStatus(1, "the password is needed first")],
        examples: [
            Example(
                "Enable the device where it isn't",
                "thumbturn sign-in status https://bank.example anna || thumbturn sign-in enable https://bank.example anna")
        ]
    ) { invocation throws(Failure) in try SignInProgram.become(invocation) }

    private static let token = Command(
        "token", "print a session's token, signing in if there is no session",
        discussion: [
            "For programs that talk to the server, as in `Authorization: Bearer TOKEN`. Until the session ends, anybody who has "
                + "its token can act as you."
        ],
        operands: account,
        examples: [
            Example(
                "Ask the server for something",
                "TOKEN=$(thumbturn sign-in token https://bank.example anna)",
                "printf 'Authorization: Bearer %s' \"$TOKEN\" |",
                "    curl -H @- https://bank.example/accounts")
        ]
    ) { invocation throws(Failure) in try SignInProgram.become(invocation) }

    private static let out = Command(
        "out", "end the session; this device stays enabled", operands: account,
        examples: [Example("End your session", "thumbturn sign-in out https://bank.example anna")]
    ) { invocation throws(Failure) in try SignInProgram.become(invocation) }

    private static let disable = Command(
        "disable", "revoke this device at the server, and remove its key and token here",
        discussion: [
            "You are asked, because a token alone revokes nothing. If the server can't be told, the key and the token are removed here all the "
                + "same, and you are told what is left there. The last device of an account without a password isn't revoked, because nobody "
                + "could sign in any more."
        ],
        operands: account, options: [byPassword],
        examples: [Example("Give up signing in from here", "thumbturn sign-in disable https://bank.example anna")]
    ) { invocation throws(Failure) in try SignInProgram.act(invocation) }

    // MARK: The account

    private static let sessions = Command(
        "sessions", "list the account's sessions, without asking you", operands: account,
        examples: [Example("See where you are signed in", "thumbturn sign-in sessions https://bank.example anna")]
    ) { invocation throws(Failure) in try SignInProgram.become(invocation) }

    private static let endSessions = Command(
        "end-sessions", "end all other sessions of the account, or one of them",
        discussion: ["Your own session goes on under a new token, so a copy of the old token ends with the others."],
        operands: account, options: [session, byPassword],
        examples: [Example("End every session but this one", "thumbturn sign-in end-sessions https://bank.example anna")]
    ) { invocation throws(Failure) in
        try SignInProgram.act(invocation, [invocation.value(session) ?? "others"])
    }

    private static let devices = Command(
        "devices", "list the account's devices, without asking you", operands: account,
        examples: [Example("See which devices sign in", "thumbturn sign-in devices https://bank.example anna")]
    ) { invocation throws(Failure) in try SignInProgram.become(invocation) }

    private static let revokeDevice = Command(
        "revoke-device", "keep a lost device from signing in",
        discussion: ["The device's sessions end as well. If it is this device, its key and token are removed here too."],
        operands: account + [Operand(.text("DEVICE"), "the device, by the name that `devices` lists first")],
        options: [byPassword],
        examples: [
            Example(
                "Find the lost device, and revoke it", "thumbturn sign-in devices https://bank.example anna",
                "thumbturn sign-in revoke-device https://bank.example anna DEVICE")
        ]
    ) { invocation throws(Failure) in try SignInProgram.act(invocation) }

    private static let changePassword = Command(
        "change-password", "change the account's password, or set one if it has none",
        discussion: [
            "Asks for the new password, twice and hidden, or reads it as a line of standard input; with --by-password the "
                + "present one comes first. Other sessions end, unless you use --keep-sessions."
        ],
        operands: account, options: [keepSessions, byPassword],
        examples: [
            Example(
                "Choose another one, and prove it is you with the old one",
                "thumbturn sign-in change-password https://bank.example anna --by-password")
        ]
    ) { invocation throws(Failure) in
        try SignInProgram.act(invocation, [otherSessions(invocation)], asksForNew: true)
    }

    private static let removePassword = Command(
        "remove-password", "remove the account's password, so that only its devices sign in",
        discussion: [
            "Refused if no device is registered. Another device can be enabled once `change-password` has set a password again. "
                + "If you lose all your devices, only the server's operator can help you."
        ],
        operands: account, options: [keepSessions, byPassword],
        examples: [Example("Let only your devices sign in", "thumbturn sign-in remove-password https://bank.example anna")]
    ) { invocation throws(Failure) in try SignInProgram.act(invocation, [otherSessions(invocation)]) }

    private static let deleteAccount = Command(
        "delete-account", "delete the account at the server, with its key and token here", operands: account,
        options: [byPassword],
        examples: [Example("Leave the server", "thumbturn sign-in delete-account https://bank.example anna")]
    ) { invocation throws(Failure) in try SignInProgram.act(invocation) }

    // MARK: Words of the line

    private static let account = [
        Operand(.text("SERVER"), "the server's origin, such as https://bank.example"),
        Operand(.text("ACCOUNT"), "who you are there"),
    ]
    private static let deviceName = Option(
        "name", "what the account's list of devices calls this one; the machine's name by default", .text("NAME"))
    private static let protect = Option(
        "protect", "what you show to sign in; a finger that is enrolled now by default",
        .choice("WHAT", ["current-biometry", "biometry", "presence", "passcode"]))
    static let byPassword = Option("by-password", "prove who you are with the account's password, not with your finger")
    private static let keepSessions = Option("keep-sessions", "let other sessions go on")
    private static let session = Option("session", "end only this one, by its name in `sessions`", .text("SESSION"))

    /// What happens to the account's other sessions.
    private static func otherSessions(_ invocation: Invocation) -> String { invocation.has(keepSessions) ? "keep" : "end" }
}
