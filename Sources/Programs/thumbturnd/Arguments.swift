import ThumbAssembly
import ThumbCommands
import ThumbDaemonProcess
import ThumbLogging

/// What the daemon is told to do, and with what.
struct Arguments: Sendable {
    enum Job: Sendable { case serve, launch, recover, acceptLosses }

    let job: Job
    /// The user whose device it is in system mode, where the front brings its clients; nil for this process's own user.
    let device: UInt32?
    /// The device's line to the front, if no socket is passed in.
    let frontDescriptor: Int32?
    let socket: String?
    let state: String?
    /// The registry of protected programs, if it isn't in its usual place.
    let protected: String?
    /// Where the TPM is, in the word that was given.
    let tpm: String?
    /// A descriptor that gets one byte when the daemon listens.
    let readyDescriptor: Int32?
    /// The daemon ends after this many seconds without a connection, which also takes its keys out of memory.
    let idleSeconds: Double
    /// Where to find an fprintd other than the machine's. For tests with a store of their own; "none" means that there is no reader.
    let bus: String?
    let busOwner: UInt32?
    let templates: String?
    /// How the log is written.
    let logForm: LogForm
    /// Whether the owner counts as seated before every prompt. For tests with a store of their own.
    let isSeatOpen: Bool

    /// Whether anything other than this machine's own reader and login manager is trusted.
    var believesTests: Bool {
        let hasOtherReader = bus != nil || busOwner != nil || templates != nil || isSeatOpen
        return hasOtherReader && (bus != "none" || isSeatOpen)
    }

    init(_ given: Invocation) throws(LineProblem) {
        let jobs: [(option: Option, job: Job)] = [
            (Line.serve, .serve), (Line.launch, .launch), (Line.recover, .recover), (Line.acceptLosses, .acceptLosses),
        ]
        let wanted = jobs.filter { given.has($0.option) }
        guard wanted.count < 2 else {
            throw LineProblem("Use only one of --serve, --launch, --recover and --accept-losses.")
        }
        job = wanted.first?.job ?? .serve
        device = given.number(Line.device).map { UInt32($0) }
        frontDescriptor = given.number(Line.frontDescriptor).map { Int32($0) }
        socket = given.value(Line.socket)
        state = given.value(Line.state)
        protected = given.value(Line.protected)
        templates = given.value(Line.templates)
        tpm = try given.value(Line.tpm, ifIt: { TPMSetting($0) != nil }, else: "none, device, tabrmd or swtpm:SOCKET")
        bus = try given.value(Line.bus, ifIt: { $0 == "none" || $0.hasPrefix("unix:path=/") }, else: "none or unix:path=/PATH")
        idleSeconds = given.seconds(ProcessLine.idle) ?? ProcessLine.usualIdleSeconds
        busOwner = given.number(Line.busOwner).map { UInt32($0) }
        readyDescriptor = given.readyDescriptor
        logForm = given.logForm
        isSeatOpen = given.has(Line.seat)
        // This is checked before anything is made. Whether the folder is the user's own after all is checked once it exists.
        if believesTests, state == nil { throw Readers.otherReader }
        if device != nil {
            guard job == .serve else { throw LineProblem("--device can only serve.") }
            let own = [
                Line.socket, Line.tpm, Line.bus, Line.busOwner, Line.templates, ProcessLine.idle, ProcessLine.readyDescriptor,
            ]
            if let odd = own.first(where: { given.has($0) }) {
                throw LineProblem("\(odd.flag) can't be used with --device, because the front gives a device its connections.")
            }
        } else if frontDescriptor != nil {
            throw LineProblem("--front-fd needs --device.")
        }
    }

    /// What a command line can ask for.
    enum Line {
        static let program = Program(
            Command<Arguments, LineProblem>(
                "thumbturnd", "keep secrets and keys for their owner alone",
                discussion: [
                    "Programs that use Thumbturn start the daemon by themselves, and systemd starts it as a service: you rarely run it by hand.",
                    "Without an option that says otherwise it serves the user who runs it, in the foreground.",
                    "With --bus, --bus-owner, --templates or --seat the daemon believes another fprintd than the machine's, or "
                        + "that its owner sits at the machine. These are for tests: they need --state, and never work with a "
                        + "user's own store.",
                ],
                options: [
                    serve, launch, device, recover, acceptLosses, socket, state, protected, ProcessLine.idle, tpm,
                    ProcessLine.logForm, bus, busOwner, templates, seat, ProcessLine.readyDescriptor, frontDescriptor,
                ],
                examples: [Example("Open a store whose TPM is gone", "thumbturnd --recover")]
            ) { given throws(LineProblem) in try Arguments(given) },
            exits: [
                ExitStatus(0, "it ended on request; with --launch, the daemon listens"),
                ExitStatus(1, "with --recover, the code is not the recovery code"),
                ExitStatus(64, "the command line was not understood"),
                ExitStatus(65, "with --recover, the code has a typing mistake"),
                ExitStatus(66, "with --recover, standard input has no code"),
                ExitStatus(70, "with --recover or --accept-losses, the store still doesn't open"),
                ExitStatus(71, "it could not be started in the background"),
                ExitStatus(73, "the socket or the state folder can't be made"),
                ExitStatus(75, "another daemon has the store"), ExitStatus(78, "there is no place for the socket or the store"),
            ],
            manual: ManualFacts(
                section: 8,
                environment: [
                    ("XDG_DATA_HOME", "The folder in which a user's own daemon keeps its store, in a folder thumbturn."),
                    (
                        "HOME",
                        "Without XDG_DATA_HOME, .local/share in this folder is used; without HOME, that of the account's home."
                    ),
                    ("XDG_RUNTIME_DIR", "The folder in which a user's own daemon listens, at thumbturn/socket."),
                ],
                files: [
                    ("~/.local/share/thumbturn", "The store of a user's own daemon."),
                    ("/var/lib/thumbturn", "The stores of system mode, in a folder for each user."),
                    ("/etc/thumbturn/protected", "The registry of protected programs."),
                    ("/etc/thumbturn/face-models", "Where a camera's module keeps faces."),
                    ("/run/thumbturn/devices", "Where devices of system mode listen, for the front alone."),
                ], seeAlso: ["thumbturn(1)", "thumbturn-front(8)", "thumbturn-store(5)"], further: HelperPages.all))

        static let serve = Option("serve", "serve in the foreground (the default)")
        static let launch = Option("launch", "start a daemon in the background, and end when it or another one listens")
        static let device = Option(
            "device", "serve this user in system mode; thumbturn-front passes the clients on",
            .number("UID", 0...Int(UInt32.max)))
        static let recover = Option(
            "recover", "open a store whose TPM is gone, with the recovery code on standard input; then end")
        static let acceptLosses = Option(
            "accept-losses", "use a store although something is missing from it, or although it is an old copy; then end")
        static let socket = Option(
            "socket", "where to listen; by default thumbturn/socket in the user's runtime folder",
            .file("PATH", isAbsolute: true))
        static let state = Option(
            "state",
            "where the store is; by default thumbturn in $XDG_DATA_HOME or in .local/share of the user's home, or with --device "
                + "the folder that systemd gives",
            .folder("FOLDER", isAbsolute: true))
        static let protected = Option(
            "protected", "the registry of protected programs; by default /etc/thumbturn/protected",
            .file("FILE", isAbsolute: true))
        static let tpm = Option(
            "tpm", "the TPM that holds keys: none, device, tabrmd or swtpm:SOCKET; by default the device, if it can be opened",
            .text("WHERE"))
        static let bus = Option("bus", "the bus of another fprintd, or none for no reader at all", .text("ADDRESS"))
        static let busOwner = Option("bus-owner", "the user who runs that fprintd", .number("UID", 0...Int(UInt32.max)))
        static let templates = Option("templates", "the folder of that fprintd's templates", .folder("FOLDER", isAbsolute: true))
        static let seat = Option(
            "seat", "for tests: the owner counts as sitting at the machine for every prompt", .choice("STATE", ["open"]))
        static let frontDescriptor = Option(
            "front-fd", "the descriptor of a device's connection to the front", .number("NUMBER", 3...Int(Int32.max)),
            isHidden: true)
    }
}

extension Invocation {
    /// An option's value, which must meet a condition.
    fileprivate func value(
        _ option: Option, ifIt holds: (String) -> Bool, else wanted: String
    ) throws(LineProblem) -> String? {
        guard let value = value(option) else { return nil }
        guard holds(value) else { throw LineProblem("\(option.flag) must be \(wanted).") }
        return value
    }
}
