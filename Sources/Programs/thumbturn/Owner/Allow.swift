internal import ThumbAccess
internal import ThumbClient

extension Command {
    static let allow: Command = .init(
        name: "allow", summary: "let the device do what protects less, where the better isn't there",
        discussion: [
            "software-keys: keys that belong into a TPM are held in software where there is none, so that whoever has the disk and the "
                + "passcode has them. What holds a key is always told.",
            "weak-enrolment: items for the fingers enrolled now are bound to the fingers' names where their templates can't be read. A "
                + "finger swapped under its name then goes unseen.",
            "Asks for the passcode. With --undo it is forbidden again; keys that are there already go on working.",
        ],
        operands: [
            Operand(name: "WHAT", help: "what is allowed", values: Allowance.allCases.map(\.name))
        ], options: [.allowNoLonger]
    ) { invocation throws(Failure) in
        let name = invocation.operands[0]
        // The table has let no other name through.
        guard let allowance = Allowance.allCases.first(where: { $0.name == name }) else {
            throw .usage("there is no such thing to allow", invocation.path)
        }
        let isAllowed = !invocation.has(.allowNoLonger)
        guard try Device.status().passcodeIsSet else { throw .noPasscode }
        do throws(KeychainFailure) {
            try DeviceClient.shared.allow(allowance, isAllowed)
        } catch .authenticationFailed {
            throw Failure("authenticationFailed", .no, "the owner was not recognized; nothing was changed")
        } catch {
            throw Failure(error, "it")
        }
        return Outcome(
            ["\(isAllowed ? "Allowed" : "No longer allowed"): \(name)"],
            json: .object([("allowance", .text(name)), ("isAllowed", .flag(isAllowed))]))
    }
}

extension Command.Option {
    static let allowNoLonger = Command.Option(name: "undo", help: "allow it no longer")
}
