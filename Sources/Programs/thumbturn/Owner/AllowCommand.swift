import ThumbAccess
import ThumbClient
import ThumbCommands

/// `thumbturn allow`
enum AllowCommand {
    static let command = Command(
        "allow", "allow what protects less, if nothing better is there",
        discussion: [
            "software-keys: keys that belong in a TPM are held in software if there is none. Whoever has the disk and the passcode then has "
                + "them. Every command that shows a key also tells what holds it.",
            "weak-enrolment: items for the fingers enrolled now are bound to the fingers' names if their templates can't be read. If a finger "
                + "is replaced under the same name, nobody asides.",
            "Asks for the passcode. With --undo it is forbidden again; keys that exist by then can still be used.",
        ],
        operands: [Operand(.choice("WHAT", Allowance.allCases.map(\.name)), "what to allow")], options: [undo]
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
