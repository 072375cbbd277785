import ThumbAccess
import ThumbClient
import ThumbCommands

/// `thumbturn allow`
enum AllowCommand {
    static let command = Command(
        "allow", "allow weaker protection where nothing better is available",
        discussion: [
            "software-keys: keys that belong in a TPM are held in software if there is none. Somebody with the disk and the "
                + "passcode then has these keys. Every command that shows a key says what holds it.",
            "weak-enrolment: if the daemon can't read the stored fingerprints, it binds items for the fingers enrolled now to "
                + "the fingers' names. Nobody then notices if a finger is replaced under the same name.",
            "Asks for the passcode. With --undo you forbid it again; existing keys can still be used.",
        ],
        operands: [Operand(.choice("WHAT", Allowance.allCases.map(\.name)), "what to allow")], options: [undo],
        examples: [
            Example("Keep keys in software on a machine without a TPM", "thumbturn allow software-keys"),
            Example("Forbid it again", "thumbturn allow software-keys --undo"),
        ]
    ) { invocation throws(Failure) in
        let name = invocation.operands[0]
        // The parser of the line accepts no other names.
        guard let allowance = Allowance.allCases.first(where: { $0.name == name }) else {
            throw .keychain(.parameter, about: .allowance)
        }
        let isAllowed = !invocation.has(undo)
        _ = try Daemon.statusWithPasscode()
        do throws(KeychainFailure) {
            try DeviceClient.shared.allow(allowance, isAllowed)
        } catch {
            throw Failure(changing: .allowance, error)
        }
        return Outcome(
            .allowed(name, isAllowed), json: .object([("allowance", .text(name)), ("isAllowed", .flag(isAllowed))]))
    }

    private static let undo = Option("undo", "forbid it again")
}
