internal import CThumbLinux
internal import ThumbClient

extension Command {
    static let simulate: Command = .init(
        name: "simulate", summary: "run a program on a simulated device of its own",
        discussion: [
            """
            Starts a device whose sensor, owner and clock are a script, in a temporary folder; runs the program with it in place \
            of this machine's; and removes everything afterwards. The program needs no change: 'thumbturn simulate -- swift test'. \
            No real device is touched, and none can become a simulated one.
            """,
            """
            Without --answers every prompt is approved. With it, prompts take the answers in turn: match, no-match, cancel, \
            fallback, passcode:TEXT, system-cancel, nothing. A prompt that finds none left is taken back by the system and told \
            on standard error.
            """,
            "'thumbturn simulate control' changes the device while the program runs.",
            """
            The exit status is the program's, or 128 and the signal that ended it; 126 and 127 if it couldn't be started. What it \
            prints is left as it is, so --json speaks only where the program couldn't be run to its end.
            """,
        ],
        operands: [
            Operand(name: "PROGRAM", help: "the program to run, and its arguments", takesAll: true, isProgram: true)
        ],
        options: [.biometry, .enrolled, .scriptedPasscode, .answers, .accessGroups, .bundleID],
        subcommands: [simulateControl]
    ) { invocation throws(Failure) in
        var settings: [String] = []
        for option in simulatedOptions {
            if let value = invocation.value(option) { settings += [option.flag, value] }
        }
        let simulator = try Simulator(settings)
        return Outcome(handedOn: try simulator.run(invocation.operands))
    }

    private static var simulatedOptions: [Option] {
        [.biometry, .enrolled, .scriptedPasscode, .answers, .accessGroups, .bundleID]
    }
}

extension Outcome {
    init(handedOn status: Int32) {
        self.init(text: [], json: .object([("exitStatus", .number(Int64(status)))]))
        handedOn = status
    }
}

extension Command.Option {
    static let biometry = Command.Option(
        name: "biometry", help: "the sensor it has", value: .choice("KIND", ["touch-id", "face-id", "none"]))
    static let enrolled = Command.Option(
        name: "enrolled", help: "the fingers or faces that it knows, with commas between; 'me' unless told",
        value: .text("NAMES"))
    static let scriptedPasscode = Command.Option(
        name: "passcode", help: "its passcode, '1234' unless told; empty: none is set", value: .text("TEXT"))
    static let answers = Command.Option(
        name: "answers", help: "what its owner does at each prompt, with commas between", value: .text("ANSWERS"))
    static let accessGroups = Command.Option(
        name: "access-groups", help: "the access groups that programs have on it, with commas between", value: .text("GROUPS"))
    static let bundleID = Command.Option(
        name: "bundle-id", help: "what programs are called on it, in place of their own bundle identifiers", value: .text("ID"))
}
