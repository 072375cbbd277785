import ThumbCommands

/// `thumbturn secrets-service`
enum SecretsServiceCommands {
    static let command = Command(
        "secrets-service", "keep the passwords of every program on your desktop",
        discussion: [
            "Programs of a Linux desktop, such as browsers, mail programs and git, keep their passwords in the Secret Service: "
                + "gnome-keyring, KWallet or another keyring. There, any program of yours can read those of all others. Switch this on, "
                + "and the programs find Thumbturn in its place, without a change: a program has what it stored itself, and you are asked "
                + "before another one gets it.",
            "It is each user's own setting. `thumbturn apps` lists which program may read what.",
        ],
        examples: [
            Example("Switch it on, and off again", "thumbturn secrets-service on", "thumbturn secrets-service off"),
            Example("See who answers now", "thumbturn secrets-service status"),
        ],
        subcommands: [on, off, status])

    private static let on = Command(
        "on", "take over from gnome-keyring, KWallet or oo7",
        discussion: [
            "Says what it will change and asks you first. It copies the items of the keyring that answers now, keeps that keyring from "
                + "starting, ends it, and answers in its place. Its files stay as they are. Unlock it first: what is locked can't be copied.",
            "An item that was copied belongs to no program yet: you are asked the first time that a program reads it, and your passcode "
                + "lets that program have it from then on.",
            "If it is interrupted, run it again. It goes on, and copies nothing twice.",
        ],
        options: [leaveItems, Confirmation.force],
        examples: [
            Example("Switch it on", "thumbturn secrets-service on"),
            Example("Begin with an empty keyring", "thumbturn secrets-service on --leave-items"),
        ]
    ) { invocation throws(Failure) in
        try TakeOver(leavesItems: invocation.has(leaveItems), isSure: invocation.has(Confirmation.force)).perform()
    }

    private static let off = Command(
        "off", "let the keyring that was there before answer again",
        discussion: [
            "Takes back everything that `on` changed. What programs have stored since stays in Thumbturn and is there again when you "
                + "switch it on. With --with-items it is copied to the other keyring, where every program of yours can read it; you are "
                + "asked for it."
        ],
        options: [withItems],
        examples: [
            Example("Switch it off", "thumbturn secrets-service off"),
            Example("Take the items along", "thumbturn secrets-service off --with-items"),
        ]
    ) { invocation throws(Failure) in
        try HandBack(takesItems: invocation.has(withItems)).perform()
    }

    private static let status = Command(
        "status", "show who keeps the passwords of your programs",
        exits: [
            ExitStatus(0, "it is Thumbturn, which answers or starts when a program asks"),
            ExitStatus(1, "it is another keyring, or nobody"),
        ],
        examples: [Example("Switch it on where it is off", "thumbturn secrets-service status || thumbturn secrets-service on")]
    ) { _ throws(Failure) in
        let (isOn, answering) = (SecretsServiceStatus.isOn, try KeyringProgram.who())
        let isOurs = answering == .ours || isOn && answering == .nobody
        return Outcome(
            isOn ? .secretsServiceIsOn : .secretsServiceIsOff, SecretsServiceStatus.notice(answering, isOn: isOn),
            json: .object([("isOn", .flag(isOn)), ("answering", SecretsServiceStatus.json(answering))]),
            exit: isOurs ? .done : .no)
    }

    private static let leaveItems = Option("leave-items", "don't copy what the other keyring has")
    private static let withItems = Option("with-items", "copy what programs keep here to the other keyring")
}
