import ThumbCommands
import ThumbDaemonProcess
import ThumbLogging

/// What the provider is told to do.
struct Arguments: Sendable {
    /// The bus of a test; nil for the user's own.
    let bus: String?
    /// The registry of a test; nil for the machine's.
    let protected: String?
    let isReplacing: Bool
    let idleSeconds: Double
    let logForm: LogForm
    let readyDescriptor: Int32?

    init(_ given: Invocation) throws(LineProblem) {
        bus = given.value(Self.bus)
        protected = given.value(Self.protected)
        isReplacing = given.has(Self.replace)
        idleSeconds = given.seconds(Self.idle) ?? ProcessLine.usualIdleSeconds
        logForm = given.logForm
        readyDescriptor = given.readyDescriptor
        if bus != nil || protected != nil, RunningProvider.testDevice == nil {
            throw LineProblem("--bus and --protected are for tests: they need a device of the test's own in THUMBTURN_SOCKET.")
        }
    }

    static let program = Program(
        Command<Arguments, LineProblem>(
            "thumbturn-secrets", "keep the passwords of this desktop's programs",
            discussion: [
                "The session bus starts it when a program asks for its passwords: you rarely run it by hand. It answers as "
                    + "org.freedesktop.secrets and keeps everything at Thumbturn's daemon, for each program apart.",
                "It ends when the bus does, and after ten minutes in which nobody used it if the bus can start it again.",
            ],
            options: [replace, idle, bus, protected, ProcessLine.logForm, ProcessLine.readyDescriptor],
            examples: [Example("See what it says", "journalctl --user -u thumbturn-secrets")]
        ) { given throws(LineProblem) in try Arguments(given) },
        exits: [
            ExitStatus(0, "it ended on request, or nobody needed it"), ExitStatus(64, "the command line was not understood"),
            ExitStatus(69, "there is no session bus, or it went away"),
            ExitStatus(75, "another one runs, or its name was taken"),
        ],
        manual: ManualFacts(section: 8, seeAlso: ["thumbturn(1)", "thumbturnd(8)"]))

    private static let replace = Option("replace", "take the place of the program that answers now, if it lets go")
    private static let idle = Option(
        "idle", "end after this many seconds in which nobody used it; 600 by default, 0 for never", .seconds("SECONDS"))
    private static let bus = Option("bus", "for tests: another bus than the session's", .text("ADDRESS"))
    private static let protected = Option(
        "protected", "for tests: another registry of protected programs than /etc/thumbturn/protected", .text("FILE"))
}
