import ThumbAccess
import ThumbClient
import ThumbCommands

/// `thumbturn companion`
enum CompanionCommands {
    static let command = Command(
        "companion", "pair another machine of yours that says yes for this one",
        discussion: [
            "A companion is another machine of yours that runs Thumbturn. A program here that accepts one asks there, with the name of "
                + "this machine, the program and what it is for, and you answer there with finger or passcode.",
            "Both machines are on the same network, and on both `thumbturn-companion` runs: `systemctl --user enable --now "
                + "thumbturn-companion`. It carries what the two say to each other and can't read it.",
        ],
        examples: [
            Example("On the machine that will say yes", "thumbturn companion wait"),
            Example("On the machine that will ask", "thumbturn companion pair laptop.local"),
        ],
        subcommands: [pair, wait, list, remove])

    private static let pair = Command(
        "pair", "have another machine say yes for this one",
        discussion: [
            "The other machine runs `thumbturn companion wait`. Both show a code of six digits. If the two are the same, type each "
                + "machine's passcode; if they aren't, somebody is between the two: cancel."
        ],
        operands: [Operand(.text("HOST"), "the other machine's name or address in your network")], options: [name, port],
        examples: [
            Example("Ask at the laptop from now on", "thumbturn companion pair laptop.local"),
            Example("The same, under another name here", "thumbturn companion pair 192.168.1.20 --name laptop"),
        ]
    ) { invocation throws(Failure) in
        try paired(.asks, "pair", invocation.operands[0], invocation)
    }

    private static let wait = Command(
        "wait", "wait for another machine, to say yes for it here",
        discussion: ["Waits for one machine that runs `thumbturn companion pair` and names this one, then shows the code."],
        options: [name, port], examples: [Example("Say yes here for a machine that pairs now", "thumbturn companion wait")]
    ) { invocation throws(Failure) in
        try paired(.answers, "wait", nil, invocation)
    }

    private static func paired(
        _ side: PairingSide, _ verb: String, _ host: String?, _ invocation: Invocation
    ) throws(Failure) -> Outcome {
        var words = [verb, "--as=" + MachineName.own]
        if let name = invocation.value(name) {
            guard PairingWish.isName(name) else {
                throw .usage(.machineName(longest: PairingWish.longestName), invocation.path)
            }
            words.append("--name=" + name)
        }
        if let port = invocation.number(port) { words.append("--port=\(port)") }
        if let host { words += ["--", host] }
        _ = try Daemon.statusWithPasscode()
        let other = try PairingProgram.run(words, to: host)
        return Outcome(
            .companionPaired(other, side), json: .object([("name", .text(other)), ("answers", .text(answers(side)))]),
            asides: [.runCarrier])
    }

    private static let list = Command(
        "list", "list the paired machines, and which of them are near",
        discussion: ["ANSWERS says which side says yes: `there` for this machine, or `here` for the other one."],
        examples: [Example("See which are near", "thumbturn companion list")]
    ) { _ throws(Failure) in
        let all = try paired()
        let heads = ["NAME", "ANSWERS", "PLACE", "NEAR", "PAIRED"]
        let rows = all.map { facts in
            [
                SafeText(facts.name).description, answers(facts.side), SafeText(facts.place).description,
                facts.isNear ? "yes" : "no",
                Dates.local(facts.date),
            ]
        }
        return Outcome(
            lines: all.isEmpty ? [] : Columns.lines([heads] + rows),
            json: .object([("companions", .list(all.map(json)))]), asides: all.isEmpty ? [.noCompanions] : [])
    }

    private static let remove = Command(
        "remove", "remove a pairing, as when the other machine is lost",
        discussion: [
            "Asks for the passcode first. From then on nothing that the other machine says counts here, and nobody asks here for it. Remove "
                + "the pairing there too."
        ],
        operands: [Operand(.text("NAME"), "the machine, as `thumbturn companion list` shows it")],
        examples: [Example("Have a lost laptop's yes count for nothing", "thumbturn companion remove laptop")]
    ) { invocation throws(Failure) in
        let name = invocation.operands[0]
        guard let facts = try paired().first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
            throw .companionNotFound(name)
        }
        do throws(KeychainFailure) {
            try DeviceClient.shared.removeCompanion(facts.id)
        } catch {
            throw Failure(changing: .companions, error)
        }
        return Outcome(.companionRemoved(name), json: .object([("name", .text(name)), ("removed", .flag(true))]))
    }

    private static func paired() throws(Failure) -> [CompanionFacts] {
        try Daemon.connect()
        do throws(KeychainFailure) {
            return try DeviceClient.shared.companions()
        } catch {
            throw Failure(error, about: .companions)
        }
    }

    private static func json(_ facts: CompanionFacts) -> JSON {
        .object([
            ("name", .text(facts.name)), ("answers", .text(answers(facts.side))), ("place", .text(facts.place)),
            ("near", .flag(facts.isNear)), ("paired", .text(Dates.universal(facts.date))),
        ])
    }

    private static func answers(_ side: PairingSide) -> String {
        switch side {
        case .asks: "there"
        case .answers: "here"
        }
    }

    private static let name = Option("name", "the other machine's name here, instead of the one it gives itself", .text("NAME"))
    private static let port = Option(
        "port", "the companion's port; 8876 by default, and one more for pairing", .number("PORT", 1...65534))
}
