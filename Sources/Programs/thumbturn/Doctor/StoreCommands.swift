internal import ThumbClient

extension Command {
    static let storeRecover: Command = .init(
        name: "recover", summary: "open a store whose TPM is gone, with the recovery code",
        discussion: [
            "For a machine whose TPM was cleared or exchanged, and for a store that was brought to another machine. Asks for the recovery "
                + "code, unseen, or reads it from standard input.",
            "What only the passcode could open stays closed in the old TPM; 'thumbturn passcode recover' then chooses a new one.",
        ]
    ) { _ throws(Failure) in
        let code = try SecretInput.readCode("Recovery code: ")
        let outcome = try mending { () throws(ClientError) in try StoreMender.recover(with: code) }
        switch outcome {
        case .wrongCode:
            throw Failure("wrongRecoveryCode", .no, "that is not the recovery code", advice: "the one made last counts, no other")
        case .mistyped:
            throw Failure(
                "mistyped", .no, "that code was mistyped", advice: "look at the paper again: it has seven groups of four")
        default: return try mended(outcome)
        }
    }

    static let storeAcceptLosses: Command = .init(
        name: "accept-losses", summary: "go on with a store that something is missing from",
        discussion: [
            "For a store that refuses to open because its last writes are gone, records don't add up, or an old copy was put back. "
                + "What is missing is then given up, and the sensor counts again only after the passcode.",
            "Whoever puts an old copy back may want exactly this. If it wasn't you, restore a backup instead.",
        ]
    ) { _ throws(Failure) in
        try mended(try mending { () throws(ClientError) in try StoreMender.acceptLosses() })
    }

    private static func mending(
        _ body: () throws(ClientError) -> StoreMender.Outcome
    ) throws(Failure) -> StoreMender.Outcome {
        do throws(ClientError) { return try body() } catch { throw Failure(error) }
    }

    private static func mended(_ outcome: StoreMender.Outcome) throws(Failure) -> Outcome {
        switch outcome {
        case .mended: return Outcome(["The store opens again."], json: .object([("mended", .flag(true))]))
        case .isServed:
            throw Failure(
                "storeIsOpen", .no, "a daemon has the store open", advice: "there is nothing to mend; see 'thumbturn doctor'")
        default: throw Failure("storeNotMended", .failed, "the store still doesn't open", advice: "thumbturnd said why, above")
        }
    }
}
