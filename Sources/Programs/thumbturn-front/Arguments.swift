import ThumbCommands
import ThumbDaemonProcess
import ThumbLogging

/// What the front is told to do.
struct Arguments: Sendable {
    let socket: String?
    let idleSeconds: Double
    let readyDescriptor: Int32?
    let logForm: LogForm
    /// For tests: devices are child processes, with their stores below this folder.
    let devices: String?
    let bus: String?
    let busOwner: UInt32
    let isSeatOpen: Bool
    let protected: String?

    init(_ given: Invocation) throws(LineProblem) {
        socket = given.value(Line.socket)
        devices = given.value(Line.devices)
        protected = given.value(Line.protected)
        bus = given.value(Line.bus)
        busOwner = UInt32(given.number(Line.busOwner) ?? 0)
        isSeatOpen = given.has(Line.seat)
        readyDescriptor = given.readyDescriptor
        logForm = given.logForm
        idleSeconds = given.seconds(Line.idle) ?? ProcessLine.usualIdleSeconds
        if devices == nil, bus != nil || isSeatOpen || protected != nil || given.has(Line.busOwner) {
            throw LineProblem("--bus, --bus-owner, --seat and --protected are for tests: they need --devices.")
        }
    }

    /// What a command line can ask for.
    enum Line {
        static let program = Program(
            Command<Arguments, LineProblem>(
                "thumbturn-front", "pass each program on to its user's device",
                discussion: [
                    "systemd starts it as thumbturn.service: you rarely run it by hand.",
                    "It accepts programs' connections, finds out which program each is, and passes each on to the device of its "
                        + "user, which systemd starts as thumbturn-device@UID.service.",
                ],
                options: [
                    socket, idle, ProcessLine.logForm, devices, bus, busOwner, seat, protected, ProcessLine.readyDescriptor,
                ],
                examples: [Example("See who is served", "systemctl list-units 'thumbturn-device@*'")]
            ) { given throws(LineProblem) in try Arguments(given) },
            exits: [
                ExitStatus(0, "it ended on request"), ExitStatus(64, "the command line was not understood"),
                ExitStatus(73, "the socket can't be made"),
            ],
            manual: ManualFacts(
                section: 8,
                files: [
                    ("/run/thumbturn/socket", "Where programs connect."),
                    ("/run/thumbturn/login", "Where the system's login connects."),
                    ("/run/thumbturn/devices", "Where the devices listen, for the front alone."),
                ], seeAlso: ["thumbturnd(8)", "thumbturn(1)"]))

        static let socket = Option("socket", "where to listen; by default /run/thumbturn/socket", .file("PATH", isAbsolute: true))
        static let idle = Option(
            "idle", "end a device that nobody has used for this many seconds; 600 by default, 0 for never", .seconds("SECONDS"))
        static let devices = Option(
            "devices", "for tests: start devices as children, with their stores below this folder",
            .folder("FOLDER", isAbsolute: true))
        static let bus = Option("bus", "for tests: the bus of another login manager", .text("ADDRESS"))
        static let busOwner = Option("bus-owner", "for tests: the user who runs it", .number("UID", 0...Int(UInt32.max)))
        static let seat = Option(
            "seat", "for tests: owners count as sitting at the machine for every prompt", .choice("STATE", ["open"]))
        static let protected = Option(
            "protected", "for tests: another registry of protected programs", .file("FILE", isAbsolute: true))
    }
}
