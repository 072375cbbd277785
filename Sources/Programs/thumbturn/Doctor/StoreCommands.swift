import ThumbClient
import ThumbCommands

/// `thumbturn store`
enum StoreCommands {
    static let command = Command(
        "store", "mend a store that doesn't open",
        examples: [
            Example(
                "See why it doesn't open, and mend it after the TPM was cleared", "thumbturn doctor", "thumbturn store recover")
        ],
        subcommands: [recover, acceptLosses])

    private static let recover = Command(
        "recover", "open a store whose TPM is gone, with the recovery code",
        discussion: [
            "For a machine whose TPM was cleared or replaced, and for a store that was brought to another machine. Asks for the "
                + "recovery code, hidden as you type, or reads it from standard input.",
            "Secrets that only the passcode could open stay locked by the old TPM; `thumbturn passcode recover` then chooses a new passcode.",
        ],
        examples: [
            Example(
                "Open the store with the code from the paper, and choose a new passcode", "thumbturn store recover",
                "thumbturn passcode recover")
        ]
    ) { _ throws(Failure) in
        let code = try SecretInput.readCode(TypedQuestion.recoveryCode)
        return try mended(try mending { () throws(ClientError) in try StoreMender.recover(with: code) })
    }

    private static let acceptLosses = Command(
        "accept-losses", "use a store although something is missing from it",
        discussion: [
            "For a store that refuses to open because its last changes are gone, its records don't add up, or an old copy was "
                + "put back. You lose what is missing, and the sensor doesn't count until you give the passcode.",
            "Somebody who put an old copy back may want you to do exactly this. If it wasn't you, restore a backup instead.",
        ],
        examples: [Example("Go on without what the disk lost", "thumbturn store accept-losses")]
    ) { _ throws(Failure) in
        try mended(try mending { () throws(ClientError) in try StoreMender.acceptLosses() })
    }

    private static func mending(
        _ body: () throws(ClientError) -> StoreMender.Outcome
    ) throws(Failure) -> StoreMender.Outcome {
        do throws(ClientError) { return try body() } catch { throw .daemon(error) }
    }

    private static func mended(_ outcome: StoreMender.Outcome) throws(Failure) -> Outcome {
        switch outcome {
        case .mended: return Outcome(.storeMended, json: .object([("mended", .flag(true))]))
        case .isServed: throw .storeIsOpen
        case .wrongCode: throw .wrongRecoveryCode
        case .mistyped: throw .mistypedRecoveryCode
        case .failed: throw .storeNotMended
        }
    }
}
