import ThumbCommands

typealias Command = ThumbCommands.Command<Outcome, Failure>

/// The program: its description, and how it gets from a command line to an outcome.
enum Thumbturn {
    static let program = Program(
        Command(
            "thumbturn", "keep secrets and keys for their owner alone",
            discussion: [
                "Asks whether you, the owner of this machine, are there: by finger, by face or by passcode. Releases secrets and "
                    + "uses keys only then. The daemon thumbturnd(8) does the work; it starts when it is needed.",
                "Begin with `thumbturn passcode set`. `thumbturn doctor` shows what protects you on this machine.",
            ],
            examples: [
                Example(
                    "Choose a passcode, keep a secret, and read it again", "thumbturn passcode set", "thumbturn secret add mail",
                    "thumbturn secret get mail"),
                Example(
                    "Run a program that reads a secret from a file in memory", "thumbturn run --secret PGPASSFILE=pgpass -- psql"),
            ],
            subcommands: [
                Doctor.command, Verify.command, Secrets.command, Keys.command, Run.command, Inject.command,
                SignInCommands.command, Helpers.command,
                SSHAgent.command, SSHKeys.command, PasscodeCommands.command, Fingers.command, Enroll.command, Forget.command,
                AllowCommand.command, CompanionCommands.command, AppsCommands.command, ProtectItem.command, Protect.command,
                SystemModeCommands.command, SudoCommands.command, LoginCommands.command, PolkitCommands.command,
                SecretsServiceCommands.command,
                LogCommand.command,
                Export.command, Import.command, Migrate.command,
                StoreCommands.command, Simulate.command, Names.command, ClipboardKeeper.command,
            ]),
        everywhere: [.json], exits: Exit.allCases.map(\.status),
        manual: ManualFacts(
            section: 1,
            environment: [
                ("THUMBTURN_SOCKET", "The socket of the daemon to ask, instead of the system's or your own."),
                ("THUMBTURN_PROMPT", "`window` or `terminal`: where you want to be asked, if both are possible."),
                ("THUMBTURN_STATE", "The folder of the store, for the daemon that is started and for `thumbturn store`."),
                ("THUMBTURN_LIBEXEC", "The folder of Thumbturn's other programs."),
                ("VISUAL, EDITOR", "The editor of `thumbturn secret edit`, the first before the second."),
                (
                    "XDG_RUNTIME_DIR",
                    "Where the daemon's socket is, and where a secret is edited; a folder of your own, in memory."
                ),
            ] + StoringTerms.variables + [
                ("SSH_AUTH_SOCK", "Where ssh(1) and git(1) find the agent that `thumbturn ssh-agent` runs.")
            ],
            files: [
                ("~/.local/share/thumbturn", "Your own daemon's store."),
                ("/var/lib/thumbturn", "The system service's stores, one for each user."),
                ("/etc/thumbturn/system-mode", "If this file exists, programs ask the system service and nothing else."),
                (
                    "/etc/thumbturn/fprintd-was-asking",
                    "`thumbturn sudo off` and `thumbturn login off` take fprintd's PAM profile into use again."
                ),
                ("/etc/thumbturn/protected", "The registry of protected programs."),
            ],
            seeAlso: [
                "thumbturnd(8)", "thumbturn-server(8)", "thumbturn-store(5)", "thumbturn-backup(5)", "thumbturn-protected(5)",
            ],
            further: FilePages.all))

    static func run(_ words: [String]) throws(Failure) -> Outcome {
        let reading: Program<Outcome, Failure>.Reading
        do throws(Misuse) {
            reading = try program.read(words)
        } catch {
            throw .misuse(error)
        }
        return switch reading {
        case .work(let action, let invocation): try action(invocation)
        case .about(let about):
            Outcome(text: [.text(program.overview.text(about))], json: AboutJSON.of(about, in: program.overview))
        }
    }
}

extension Option {
    static let json = Option("json", "print one JSON object instead of text")
}

extension Invocation {
    var wantsJSON: Bool { has(.json) }
}
