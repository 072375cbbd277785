import ThumbBrokers
import ThumbCommands
import ThumbSensors

/// What the reader's broker is told to do.
struct Arguments: Sendable {
    let settings: BrokerProcess.Settings
    /// Where fprintd is: the machine's, or one that a test names.
    let place: Fingerprint.Place

    init(_ given: Invocation) throws(LineProblem) {
        guard given.value(Line.bus)?.hasPrefix("unix:path=/") ?? true else {
            throw LineProblem("--bus must be unix:path=/PATH.")
        }
        let isTest = given.has(Line.bus) || given.has(Line.busOwner) || given.has(Line.templates)
        // If systemd starts it, the socket comes from systemd, and only the machine's own fprintd may be used.
        if isTest, !given.has(BrokerProcess.Settings.socketOption) {
            throw LineProblem("--bus, --bus-owner and --templates are for tests: they need --socket.")
        }
        settings = BrokerProcess.Settings(given)
        var place = Fingerprint.Place.machines
        if let bus = given.value(Line.bus) { place.bus = bus }
        if let owner = given.number(Line.busOwner) { place.ownerUser = UInt32(owner) }
        if let templates = given.value(Line.templates) { place.templates = templates }
        self.place = place
    }

    /// What a command line can ask for.
    enum Line {
        static let program = Program(
            Command<Arguments, LineProblem>(
                "thumbturn-reader", "let every user's device use the machine's fingerprint reader, in turns",
                discussion: [
                    "systemd starts it as thumbturn-reader.service: you rarely run it by hand.",
                    "It is the one process of system mode that speaks with fprintd and reads its templates, and the files in which a "
                        + "camera's module keeps faces. It accepts connections from root alone; the first message names the user.",
                    "With --bus, --bus-owner or --templates it believes another fprintd than the machine's. These are for tests, and need "
                        + "--socket.",
                ],
                options: BrokerProcess.Settings.options + [bus, busOwner, templates],
                examples: [Example("See what it says", "journalctl -u thumbturn-reader")]
            ) { given throws(LineProblem) in try Arguments(given) },
            exits: [
                ExitStatus(0, "it ended on request"), ExitStatus(64, "the command line was not understood"),
                ExitStatus(73, "the socket can't be made"),
            ],
            manual: ManualFacts(
                section: 8,
                files: [
                    ("/run/thumbturn/reader", "Where the front connects for a device."),
                    ("/var/lib/fprint", "fprintd's templates."),
                    ("/etc/thumbturn/face-models", "Where a camera's module keeps faces."),
                ], seeAlso: ["thumbturnd(8)", "thumbturn(1)", "thumbturn-face-models(5)"]))

        static let bus = Option("bus", "for tests: the bus of another fprintd", .text("ADDRESS"))
        static let busOwner = Option(
            "bus-owner", "for tests: the user who runs that fprintd", .number("UID", 0...Int(UInt32.max)))
        static let templates = Option(
            "templates", "for tests: the folder of that fprintd's templates", .folder("FOLDER", isAbsolute: true))
        static let readyDescriptor = Option(
            "ready-fd", "a descriptor that gets one byte when it listens", .number("NUMBER", 3...Int(Int32.max)), isHidden: true)
    }
}
