extension Command {
    /// The program itself: everything it can do hangs below.
    static let program: Command = .init(
        name: "thumbturn",
        summary: "secrets that come out when their owner is there",
        discussion: [
            """
            Asks whether the owner of this machine is there, and keeps secrets that come out only then. The work is done by \
            thumbturnd, which is started when it is needed.
            """
        ],
        options: [.version],
        subcommands: [
            doctor, verify, secret, key, run, signIn, sshAgent, sshKey, passcode, fingers, enroll, forget, allow, apps, protect,
            log,
            export, importing, migrate, store, simulate, completions, help,
        ])

    static let secret: Command = .init(
        name: "secret", summary: "add, read, list and remove secrets",
        subcommands: [secretAdd, secretGet, secretList, secretRemove])

    static let key: Command = .init(
        name: "key", summary: "make and use keys that never leave this device",
        subcommands: [keyCreate, keyList, keyPublic, keySign, keyVerify, keyEncrypt, keyDecrypt, keyRemove])

    static let store: Command = .init(
        name: "store", summary: "mend a store that doesn't open",
        subcommands: [storeRecover, storeAcceptLosses])

    static let passcode: Command = .init(
        name: "passcode", summary: "set, change and recover the passcode",
        subcommands: [
            passcodeSet, passcodeUseAccountPassword, passcodeChange, passcodeRemove, passcodeStatus, passcodeRecovery,
            passcodeRecover,
        ])
}

extension Command.Option {
    static let version = Command.Option(name: "version", help: "print the version")
}

enum Version {
    static let current = "0.1.0"
}
