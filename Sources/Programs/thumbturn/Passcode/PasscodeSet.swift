internal import ThumbAccess
internal import ThumbClient

extension Command {
    static let passcodeSet: Command = .init(
        name: "set", summary: "choose a passcode where none is set, or in place of the account's password",
        discussion: [
            "Asks for the new passcode on this terminal, twice. It protects the secrets on the disk: choose one that somebody who "
                + "has the disk and time doesn't guess.",
            "The system service asks for the account's password before the first passcode.",
            "Secrets that are there already stay as they are protected; 'thumbturn passcode recovery' should come next.",
        ]
    ) { invocation throws(Failure) in
        let status = try Device.status()
        if status.passcodeIsSet, status.passcodeSource == .own {
            throw Failure(
                "passcodeIsSet", .exists, "a passcode is set already", advice: "run 'thumbturn passcode change'")
        }
        return try PasscodeChoice.outcome("set")
    }

    static let passcodeChange: Command = .init(
        name: "change", summary: "change the passcode",
        discussion: ["Asks for the passcode there is, then for the new one, twice, on this terminal."]
    ) { invocation throws(Failure) in
        let status = try Device.status()
        guard status.passcodeIsSet else { throw .noPasscode }
        guard status.passcodeSource == .own else {
            throw Failure(
                "passcodeIsAccountPassword", .exists, "the passcode is the account's password",
                advice: "change that with 'passwd', or choose a passcode of its own with 'thumbturn passcode set'")
        }
        return try PasscodeChoice.outcome("changed")
    }
}

/// Choosing a passcode: the daemon's prompt does the asking, this program never sees it.
enum PasscodeChoice {
    static func outcome(_ verb: String) throws(Failure) -> Outcome {
        do throws(KeychainFailure) {
            try DeviceClient.shared.setPasscode()
        } catch {
            throw Failure(passcode: error)
        }
        let advice =
            try Device.status().hasRecoveryCode ? [] : ["Next: 'thumbturn passcode recovery', for the day it is forgotten."]
        return Outcome(
            ["The passcode is \(verb)."], json: .object([("passcode", .object([("isSet", .flag(true))]))]), notices: advice)
    }
}

extension Failure {
    static let noPasscode = Failure(
        "passcodeNotSet", .notFound, "no passcode is set", advice: "run 'thumbturn passcode set'")

    /// A call that changes what protects the owner said no.
    init(passcode failure: KeychainFailure) {
        switch failure {
        case .authenticationFailed:
            self.init("authenticationFailed", .no, "the owner was not recognized; nothing was changed")
        default: self.init(failure, "passcode")
        }
    }
}
