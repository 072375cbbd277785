import ThumbBrokers
import ThumbCommands
import ThumbCustody

/// What the TPM's keeper is told to do.
struct Arguments: Sendable {
    let settings: BrokerProcess.Settings
    /// Where the ledger is, instead of the folder that systemd names.
    let state: String?
    /// How to reach the TPM; nil if there is none.
    let route: TPMRoute?

    init(_ given: Invocation) throws(LineProblem) {
        settings = BrokerProcess.Settings(given)
        state = given.value(Line.state)
        switch given.value(Line.tpm) {
        case nil: route = .found
        case "none"?: route = nil
        case let word?:
            guard let named = TPMRoute(word) else {
                throw LineProblem("--tpm must be none, device, tabrmd or swtpm:SOCKET.")
            }
            route = named
        }
    }

    /// What a command line can ask for.
    enum Line {
        static let program = Program(
            Command<Arguments, LineProblem>(
                "thumbturn-tpm", "let every user's device use the machine's TPM, in turns",
                discussion: [
                    "systemd starts it as thumbturn-tpm.service: you rarely run it by hand.",
                    "It is the one process of system mode that speaks with the TPM. It accepts connections from root alone; the "
                        + "first message names the user. It keeps any user from using up the guesses that the TPM forgives.",
                ],
                options: BrokerProcess.Settings.options + [state, tpm],
                examples: [Example("See what it says", "journalctl -u thumbturn-tpm")]
            ) { given throws(LineProblem) in try Arguments(given) },
            exits: [
                ExitStatus(0, "it ended on request"), ExitStatus(64, "the command line was not understood"),
                ExitStatus(73, "the socket can't be made, or the folder isn't its own"),
                ExitStatus(74, "the ledger can't be read"), ExitStatus(78, "there is no folder for the ledger"),
            ],
            manual: ManualFacts(
                section: 8,
                files: [
                    ("/run/thumbturn/tpm", "Where the front connects for a device."),
                    ("/var/lib/thumbturn-tpm/ledger", "Which user each counter and guess belongs to."),
                ], seeAlso: ["thumbturnd(8)", "thumbturn(1)"]))

        static let state = Option(
            "state", "where the ledger is; by default the folder that systemd made", .folder("FOLDER", isAbsolute: true))
        static let tpm = Option(
            "tpm", "the TPM: none, device, tabrmd or swtpm:SOCKET; by default the device, if it can be opened", .text("WHERE"))
        static let peer = Option(
            "peer", "for tests: accept connections from the user who runs it, instead of root", .choice("WHOSE", ["own"]))
    }
}
