import ThumbCommands
import ThumbDaemonProcess
import ThumbLogging

/// What the agent is told to do.
struct Arguments: Sendable {
    /// The bus of a test; nil for the system's own.
    let bus: String?
    /// As whom a test's polkit and login manager run.
    let busOwner: UInt32?
    /// A test's helper in place of polkit's.
    let helper: String?
    /// A test's device.
    let socket: String?
    let logForm: LogForm
    let readyDescriptor: Int32?

    init(_ given: Invocation) throws(LineProblem) {
        bus = given.value(Self.bus)
        busOwner = given.number(Self.busOwner).map { UInt32($0) }
        helper = given.value(Self.helper)
        socket = given.value(Self.socket)
        logForm = given.logForm
        readyDescriptor = given.readyDescriptor
    }

    static let program = Program(
        Command<Arguments, LineProblem>(
            "thumbturn-polkit", "ask for polkit in this session, for a finger or the password",
            discussion: [
                "The user's service manager starts it through thumbturn-window-launcher, whose group root vouches with: you rarely run it by "
                    + "hand. `thumbturn polkit on` switches it on.",
                "It registers as polkit's authentication agent for the session, which has only one. Under a desktop that brings its own, as "
                    + "GNOME and KDE do, it ends.",
            ],
            options: [bus, busOwner, helper, socket, ProcessLine.logForm, ProcessLine.readyDescriptor],
            examples: [Example("See what it says", "journalctl --user -u thumbturn-polkit")]
        ) { given throws(LineProblem) in try Arguments(given) },
        exits: [
            ExitStatus(0, "it ended on request"), ExitStatus(64, "the command line was not understood"),
            ExitStatus(69, "the daemon, the system's bus, polkit or its helper isn't there, or went away"),
            ExitStatus(75, "the session has another agent"), ExitStatus(78, "you have no session in front of a display"),
        ],
        manual: ManualFacts(section: 8, seeAlso: ["thumbturn(1)", "thumbturnd(8)"]))

    private static let bus = Option("bus", "for tests: another bus than the system's", .text("ADDRESS"))
    private static let busOwner = Option(
        "bus-owner", "for tests: the user as whom polkit runs on that bus", .number("UID", 0...Int(UInt32.max)))
    private static let helper = Option("helper", "for tests: another program than polkit's helper", .file("PROGRAM"))
    private static let socket = Option("socket", "for tests: another daemon's socket", .file("PATH"))
}
