import ThumbCommands

/// `thumbturn simulate`
enum Simulate {
    static let command = Command(
        "simulate", "run a program on a simulated device of its own",
        discussion: [
            "Starts a device whose sensor, owner and clock follow a script, in a temporary folder; runs the program with it instead of this "
                + "machine's device; and removes everything afterwards. The program needs no change. No real device is touched, and none can "
                + "become a simulated one.",
            "Without --answers every prompt is approved. With it, prompts take the answers in turn: match, no-match, cancel, fallback, "
                + "passcode:TEXT, system-cancel, companion, no-companion, nothing. A prompt that finds none left is taken back by the system and reported on "
                + "standard error.",
            "Such a device is lenient: nobody is asked about programs, every change of the fingers is noticed, and keys need no TPM. With "
                + "--as it is as strict as a machine: laptop-with-reader (in user mode, without a TPM), server-without-sensor, "
                + "iphone, or this-machine: as strict as the Thumbturn that runs here, which is asked how strict it is.",
            "`thumbturn simulate control` changes the device while the program runs.",
            "The exit code is the program's, or 128 and the number of the signal that ended it. What it prints is left as it is, so --json has "
                + "an effect only if the program could not be run to its end.",
        ],
        operands: [Operand(.text("PROGRAM"), "the program to run, and its arguments", .program)], options: options,
        exits: [Exit.cannotRun.status, Exit.noProgram.status],
        examples: [
            Example("Run a project's tests with a finger that matches", "thumbturn simulate -- swift test"),
            Example(
                "Run them as they would run on a laptop on its first day",
                "thumbturn simulate --as laptop-with-reader -- swift test"),
            Example("See what an app does about a stranger", "thumbturn simulate --answers no-match,no-match,no-match -- ./app"),
        ],
        subcommands: [SimulateControl.command]
    ) { invocation throws(Failure) in
        var settings: [String] = []
        for option in options {
            if let value = invocation.value(option) { settings += [option.flag, value] }
        }
        let simulator = try Simulator(settings)
        return Outcome(handedOn: try simulator.run(invocation.operands))
    }

    /// Where to find its help.
    static let path = ["thumbturn", "simulate"]

    /// All of these are the simulated device's own options.
    private static let options = [
        Option(
            "as", "the machine that it is as strict as",
            .choice("MACHINE", ["this-machine", "laptop-with-reader", "server-without-sensor", "iphone"])),
        Option("biometry", "the sensor it has", .choice("KIND", ["touch-id", "face-id", "none"])),
        Option("enrolled", "the fingers or faces that it knows, separated by commas; `me` by default", .text("NAMES")),
        Option("passcode", "its passcode, `1234` by default; if empty, none is set", .text("TEXT")),
        Option("answers", "what its owner does at each prompt, separated by commas", .text("ANSWERS")),
        Option("access-groups", "the access groups that programs have on it, separated by commas", .text("GROUPS")),
        Option("bundle-id", "what programs are called on it, instead of by their own bundle identifiers", .text("ID")),
    ]
}
