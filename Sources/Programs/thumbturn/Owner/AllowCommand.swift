import ThumbAccess
import ThumbClient
import ThumbCommands

/// `thumbturn allow`
enum AllowCommand {
    static let command = Command(
        "allow", "allow weaker protection, or let a program read what another one keeps",
        discussion: [
            "software-keys: keys that belong in a TPM are held in software if there is none. Somebody with the disk and the "
                + "passcode then has these keys. Every command that shows a key says what holds it.",
            "weak-enrolment: if the daemon can't read the stored fingerprints, it binds items for the fingers enrolled now to "
                + "the fingers' names. Nobody then notices if a finger is replaced under the same name.",
            "With a program's path and an item, the program may read that password of your desktop's from now on, without "
                + "asking you. The item is a label or an ID of `thumbturn protect-item --list`. If somebody but root can change "
                + "the program's file, only this file is meant, and not a later version. For a tool that other programs start, "
                + "such as secret-tool, name with --for the one that starts it.",
            "Asks for the passcode. With --undo you forbid it again; existing keys can still be used, and you are asked about "
                + "the program again.",
        ],
        operands: [
            Operand(.file("WHAT"), "software-keys, weak-enrolment, or the whole path of a program"),
            Operand(.text("ITEM"), "what the program may read", .optional),
        ],
        options: [starter, undo],
        examples: [
            Example("Keep keys in software on a machine without a TPM", "thumbturn allow software-keys"),
            Example("Forbid it again", "thumbturn allow software-keys --undo"),
            Example("Let a program read another one's password", "thumbturn allow /usr/bin/git 'Mail password'"),
        ]
    ) { invocation throws(Failure) in
        let name = invocation.operands[0]
        let isAllowed = !invocation.has(undo)
        if invocation.operands.count > 1 {
            return try ReaderAllowance.perform(
                name, startedBy: invocation.value(starter), invocation.operands[1], isAllowed: isAllowed)
        }
        if name.hasPrefix("/") { throw .misuse(Misuse(.missing("ITEM"), invocation.path)) }
        if invocation.has(starter) { throw .misuse(Misuse(.missing("ITEM"), invocation.path)) }
        let names = chosen.map(\.name)
        guard let allowance = chosen.first(where: { $0.name == name }) else {
            throw .misuse(Misuse(.notAChoice("WHAT", names), invocation.path))
        }
        _ = try Daemon.statusWithPasscode()
        do throws(KeychainFailure) {
            try DeviceClient.shared.allow(allowance, isAllowed)
        } catch {
            throw Failure(changing: .allowance, error)
        }
        return Outcome(
            .allowed(name, isAllowed), json: .object([("allowance", .text(name)), ("isAllowed", .flag(isAllowed))]))
    }

    /// What is chosen here. `thumbturn login` has the other one.
    private static let chosen: [Allowance] = [.softwareKeys, .weakEnrolment]
    private static let undo = Option("undo", "forbid it again")
    private static let starter = Option("for", "the program that starts the tool, by its whole path", .file("PROGRAM"))
}
