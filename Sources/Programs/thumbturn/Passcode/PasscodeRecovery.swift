internal import ThumbAccess
internal import ThumbClient
internal import ThumbSecrets

extension Command {
    static let passcodeRecovery: Command = .init(
        name: "recovery", summary: "make a recovery code for a forgotten passcode",
        discussion: [
            "Asks for the passcode, makes a recovery code and prints it. An earlier code is void from then on.",
            "Who has the code and this machine's disk has the secrets: write it on paper and keep that away from the machine.",
        ]
    ) { _ throws(Failure) in
        guard try Device.status().passcodeIsSet else { throw .noPasscode }
        let code: SecretBytes
        do throws(KeychainFailure) {
            code = try DeviceClient.shared.makeRecoveryCode()
        } catch {
            throw Failure(passcode: error)
        }
        return Outcome(
            text: [.secret(code, .raw), .text("\n")], json: .object([("recoveryCode", .secret(code, .jsonText))]),
            notices: [
                "Write this code on paper and keep it away from the machine. It is shown this once, and earlier codes are void.",
                "With it, 'thumbturn passcode recover' chooses a new passcode without the old one.",
            ])
    }

    static let passcodeRecover: Command = .init(
        name: "recover", summary: "choose a new passcode with the recovery code",
        discussion: [
            "Asks for the recovery code, unseen, or reads it from standard input; then a new passcode is chosen on this terminal. "
                + "Where the passcode is the account's password, that is asked for instead: it may have changed meanwhile."
        ]
    ) { _ throws(Failure) in
        guard try Device.status().hasRecoveryCode else {
            throw Failure("noRecoveryCode", .notFound, "no recovery code was made")
        }
        let code = try SecretInput.readCode("Recovery code: ")
        do throws(KeychainFailure) {
            try DeviceClient.shared.recover(with: code)
        } catch .authenticationFailed {
            throw Failure(
                "wrongRecoveryCode", .no, "that is not the recovery code", advice: "the one made last counts, no other")
        } catch {
            throw Failure(passcode: error)
        }
        return Outcome(
            ["The passcode is changed."], json: .object([("passcode", .object([("isSet", .flag(true))]))]))
    }
}
