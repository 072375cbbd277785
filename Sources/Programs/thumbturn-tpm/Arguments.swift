import CThumbLinux
import ThumbBrokers
import ThumbCommands
import ThumbCustody

/// What the TPM's keeper is to do.
struct Arguments: Sendable {
    /// Why it can't do that: a sentence.
    struct Problem: Error { let message: String }

    let settings: BrokerProcess.Settings
    /// Where the ledger is, in place of the folder that systemd names.
    let state: String?
    /// The way to the TPM; nil: there is none.
    let route: TPMRoute?
    /// Whose connections it takes: root's, or in a test this process's own user's.
    let peer: UInt32

    init(_ given: Invocation) throws(Problem) {
        for option in [Line.socket, Line.state] {
            guard given.value(option)?.hasPrefix("/") ?? true else {
                throw Problem(message: "\(option.flag) must be an absolute path.")
            }
        }
        var idle = 600.0
        if let text = given.value(Line.idle) {
            guard let seconds = Double(text), seconds.isFinite, seconds >= 0 else {
                throw Problem(message: "--idle must be a number of seconds.")
            }
            idle = seconds
        }
        settings = BrokerProcess.Settings(
            socket: given.value(Line.socket), idleSeconds: idle,
            readyDescriptor: given.number(Line.readyDescriptor).map { Int32($0) })
        state = given.value(Line.state)
        peer = given.has(Line.peer) ? getuid() : 0
        switch given.value(Line.tpm) {
        case nil: route = .found
        case "none"?: route = nil
        case let word?:
            guard let named = TPMRoute(word) else {
                throw Problem(message: "--tpm must be none, device, tabrmd or swtpm:SOCKET.")
            }
            route = named
        }
    }

    /// What a command line may say.
    enum Line {
        static let program = Program(
            Command<Arguments, Problem>(
                "thumbturn-tpm", "let every user's device use the machine's TPM, in turns",
                discussion: [
                    "systemd starts it as thumbturn-tpm.service: you rarely run it by hand.",
                    "It is the one process of system mode that speaks with the TPM. It takes connections of root's alone, each for the "
                        + "user that is named first, and sees to it that no user uses up the guesses that the TPM forgives.",
                ],
                options: [socket, state, tpm, idle, peer, readyDescriptor],
                examples: [Example("See what it says", "journalctl -u thumbturn-tpm")]
            ) { given throws(Problem) in try Arguments(given) },
            exits: [
                ExitStatus(0, "it ended as it was asked to"), ExitStatus(64, "the command line was not understood"),
                ExitStatus(73, "the socket can't be made, or the folder isn't its own"),
                ExitStatus(74, "the ledger can't be read"), ExitStatus(78, "there is no folder for the ledger"),
            ],
            manual: ManualFacts(
                section: 8,
                files: [
                    ("/run/thumbturn/tpm", "Where the front connects for a device."),
                    ("/var/lib/thumbturn-tpm/ledger", "Whose the TPM's counters and guesses are."),
                ], seeAlso: ["thumbturnd(8)", "thumbturn(1)"]))

        static let socket = Option("socket", "where to listen if systemd holds no socket", .file("PATH"))
        static let state = Option("state", "where the ledger is; by default the folder that systemd made", .folder("FOLDER"))
        static let tpm = Option(
            "tpm", "the TPM: none, device, tabrmd or swtpm:SOCKET; by default the device, if it can be opened", .text("WHERE"))
        static let idle = Option(
            "idle", "end after this many seconds without a connection, 600 by default, never if 0", .text("SECONDS"))
        static let peer = Option(
            "peer", "for tests: take connections of the user who runs it, in place of root's", .choice("WHOSE", ["own"]))
        static let readyDescriptor = Option(
            "ready-fd", "a descriptor that gets one byte when it listens", .number("NUMBER", 3...Int(Int32.max)), isHidden: true)
    }
}
