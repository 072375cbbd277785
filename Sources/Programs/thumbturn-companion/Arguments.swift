import ThumbAccess
import ThumbCarrying
import ThumbCommands
import ThumbDaemonProcess

/// What the carrier is told to do.
enum Task: Sendable {
    /// Carry for the paired machines, for ever.
    case carry(address: String?, port: UInt16)
    /// Pair a machine that waits at that place, which will say yes for this one.
    case pair(LinkPlace, PairingWish)
    /// Wait for a machine that is to be paired, for which this one will say yes.
    case wait(port: UInt16, PairingWish)
}

enum Arguments {
    static let program = Program(
        Command<Task, LineProblem>(
            "thumbturn-companion", "carry sealed frames between your paired machines",
            discussion: [
                "systemd starts it as your own thumbturn-companion.service: you rarely run it by hand. `thumbturn companion` pairs "
                    + "machines and lists them.",
                "It connects to the machines that say yes for this one, and listens for those that this one says yes for. It can't "
                    + "read what it carries, and nothing that it does is a yes. Machines beyond a router aren't reached.",
            ],
            options: [listen, port],
            examples: [Example("See what it says", "journalctl --user -u thumbturn-companion")],
            subcommands: [pair, wait]
        ) { given throws(LineProblem) in
            .carry(address: given.value(listen), port: given.linkPort)
        },
        exits: [
            ExitStatus(0, "the pairing is made"), ExitStatus(1, "it isn't; standard output says why"),
            ExitStatus(64, "the command line was not understood"), ExitStatus(75, "another carrier runs"),
        ],
        manual: ManualFacts(section: 8, seeAlso: ["thumbturn(1)", "thumbturnd(8)"]))

    private static let pair = Command<Task, LineProblem>(
        "pair", "for `thumbturn companion pair`: says on standard output what became of it",
        operands: [Operand(.text("HOST"), "where the other machine waits")], options: [port, name, own], isHidden: true
    ) { given throws(LineProblem) in
        let place = LinkPlace(host: given.operands[0], port: given.linkPort)
        guard place.text.utf8.count <= PairingWish.longestPlace else { throw LineProblem("HOST is too long.") }
        return .pair(place, try wish(.asks, given, place: place.text))
    }

    private static let wait = Command<Task, LineProblem>(
        "wait", "for `thumbturn companion wait`: says on standard output what became of it", options: [port, name, own],
        isHidden: true
    ) { given throws(LineProblem) in
        .wait(port: given.linkPort, try wish(.answers, given, place: ""))
    }

    private static func wish(_ side: PairingSide, _ given: Invocation, place: String) throws(LineProblem) -> PairingWish {
        let (own, name) = (given.value(own) ?? "", given.value(name))
        guard PairingWish.isName(own), name.map(PairingWish.isName) ?? true else {
            throw LineProblem("A machine's name is one line of 1 to \(PairingWish.longestName) bytes.")
        }
        return PairingWish(side: side, ownName: own, otherName: name, place: place)
    }

    private static let listen = Option("listen", "the address to listen at, instead of all of this machine's", .text("ADDRESS"))
    private static let port = Option(
        "port", "the companion's port; \(CarryingLimit.defaultPort) by default, and one more while machines are paired",
        .number("PORT", 1...65534))
    private static let name = Option("name", "the other machine's name here", .text("NAME"))
    private static let own = Option("as", "what this machine calls itself", .text("NAME"))

    fileprivate static let portOption = port
}

extension Invocation {
    fileprivate var linkPort: UInt16 { number(Arguments.portOption).map { UInt16($0) } ?? CarryingLimit.defaultPort }
}
