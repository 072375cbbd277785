import ThumbCommands
import ThumbLogging
import ThumbSignIn
import ThumbSignInServer

/// What a command line can ask for.
enum Line {
    private typealias Command = ThumbCommands.Command<Arguments, LineProblem>

    static let program = Program(
        Command(
            "thumbturn-server", "let people sign in with a finger",
            discussion: [
                "Without a command it runs the server. With one it manages accounts, sessions and devices in the database, "
                    + "whether or not a server runs on it.",
                "SIGTERM ends the server, and SIGHUP has it read its certificate again.",
                "The routes and the form of what a device signs are documented in docs/developers/sign-in.md.",
            ],
            options: [listen, origin, signUp, passwordLength, clientRate, batch, chain, key, behindProxy, quiet, logForm],
            examples: [
                Example(
                    "Make an account and serve on this machine", "thumbturn-server account add anna", "thumbturn-server"),
                Example(
                    "Serve behind a proxy that speaks TLS",
                    "thumbturn-server --origin https://bank.example --behind-proxy --database postgresql:///bank"),
            ],
            subcommands: [account, session, device]
        ) { given throws(LineProblem) in try Arguments(given, .serve(Arguments.Serving(given))) },
        everywhere: [database, settings],
        settings: SettingPlaces(file: settings, usualFile: usualSettings, prefix: "THUMBTURN_SERVER_"),
        exits: [
            ExitStatus(0, "it was done, or the server was asked to end"),
            ExitStatus(64, "the command line or a setting was not understood"),
            ExitStatus(65, "there is no such account, session or device, or the database can't be used"),
            ExitStatus(73, "the data folder or the database can't be made"), ExitStatus(75, "the database is busy or away"),
            ExitStatus(78, "the server can't be set up as asked, or the settings can't be read"),
        ],
        manual: ManualFacts(
            section: 8,
            files: [
                ("sign-in.db", "The database, in the folder of systemd's $STATE_DIRECTORY or in the user's data folder."),
                (usualSettings, "The settings, a line for each."),
                (
                    "/etc/thumbturn/server",
                    "The service's environment. It may set ARGUMENTS, which follow the program's name, and any variable above. Root alone "
                        + "should read it if it has a password for a database."
                ),
            ],
            seeAlso: ["thumbturn(1)"]))

    // MARK: Serving

    static let usualAddress = "127.0.0.1:8470"
    static let usualRate = 100
    static let usualSettings = "/etc/thumbturn/server.conf"

    static let listen = Option(
        "listen", "where to listen, \(usualAddress) by default; port 0 lets the system choose", .text("ADDRESS:PORT"))
    static let origin = Option(
        "origin", "the origin that signatures must name; http:// and the address by default", .text("ORIGIN"))
    static let database = Option(
        "database", "a file of SQLite or postgresql://…; sign-in.db in the data folder by default", .file("WHERE"))
    static let settings = Option(
        "settings", "read the settings in this file; \(usualSettings) by default, if it is there", .file("FILE"))
    static let signUp = Option("sign-up", "let anybody make an account over HTTP")
    static let passwordLength = Option(
        "password-length",
        "the fewest characters of a new password, \(PasswordRule.usualLength) by default",
        .number("NUMBER", PasswordRule.lengths))
    static let clientRate = Option(
        "client-rate",
        "requests per second for each client, with bursts of twice as many; \(usualRate) by default, 0 for no limit",
        .number("NUMBER", 0...1_000_000))
    static let batch = Option(
        "batch",
        "how many operations may share a commit, \(SignInLimit.batch) by default; 1 commits each by itself, which is slower",
        .number("NUMBER", 1...SignInLimit.batch))
    static let chain = Option("tls-certificate", "the chain of certificates for TLS, in PEM", .file("FILE"))
    static let key = Option("tls-key", "the certificate's key, in PEM", .file("FILE"))
    static let behindProxy = Option("behind-proxy", "trust X-Forwarded-For; use it only if nobody but a proxy can connect")
    static let quiet = Option("quiet", "don't log requests")
    static let logForm = Option(
        "log-format", "how the log is written; logfmt by default", .choice("FORM", LogForm.allCases.map(\.rawValue)))

    // MARK: Keeping

    private static let name = Operand(.text("NAME"), "the account's name")

    private static let account = Command(
        "account", "make, change, list and remove accounts",
        subcommands: [
            keeping(
                "add", "make an account; type its password, hidden, or give it as a line of standard input",
                options: [passwordLength]
            ) { .add($0[0]) },
            keeping(
                "passwd", "give an account another password, read in the same way; its sessions end", options: [passwordLength]
            ) { .setPassword($0[0]) },
            keeping("lock", "keep an account from signing in, and end its sessions; its password and devices stay") {
                .setLocked($0[0], true)
            },
            keeping("unlock", "let a locked account sign in again") { .setLocked($0[0], false) },
            keeping("remove", "remove an account with its devices and sessions") { .remove($0[0]) },
            keeping("list", "list every account", []) { _ in .list },
            keeping("devices", "list an account's devices, as `device list` does") { .listDevices($0[0]) },
        ])

    private static let session = Command(
        "session", "list and end an account's sessions",
        subcommands: [
            keeping("list", "list an account's sessions, the newest first") { .listSessions($0[0]) },
            keeping(
                "end", "end all sessions of an account, or one of them",
                [name, Operand(.text("SESSION"), "the session, as `session list` names it", .optional)]
            ) { .endSessions($0[0], $0.dropFirst().first) },
        ])

    private static let device = Command(
        "device", "list and revoke an account's devices",
        subcommands: [
            keeping("list", "list an account's devices") { .listDevices($0[0]) },
            keeping(
                "revoke", "revoke a device, even the last one",
                [name, Operand(.text("DEVICE"), "the device, as `device list` names it")]
            ) { .revoke($0[0], device: $0[1]) },
        ])

    private static func keeping(
        _ verb: String, _ summary: String, _ operands: [Operand] = [name], options: [Option] = [],
        _ errand: @escaping @Sendable (_ words: [String]) -> Errand
    ) -> Command {
        Command(verb, summary, operands: operands, options: options) { given throws(LineProblem) in
            try Arguments(given, .keep(errand(given.operands)))
        }
    }
}
