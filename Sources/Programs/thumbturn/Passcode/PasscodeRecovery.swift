import ThumbAccess
import ThumbClient
import ThumbCommands
import ThumbSecrets

/// `thumbturn passcode recovery` and `thumbturn passcode recover`
enum PasscodeRecovery {
    static let make = Command(
        "recovery", "make a recovery code, in case you forget the passcode",
        discussion: [
            "Asks for the passcode, makes a recovery code and prints it. An earlier code no longer works.",
            "Anybody who has the code and this machine's disk has your secrets. Write the code on paper, and keep that away from "
                + "the machine.",
        ],
        examples: [Example("Print a code, and nothing else on the paper", "thumbturn passcode recovery | lp")]
    ) { _ throws(Failure) in
        _ = try Daemon.statusWithPasscode()
        guard Output.isOpen else { throw .outputNotWritten }
        let code: SecretBytes
        do throws(KeychainFailure) {
            code = try DeviceClient.shared.makeRecoveryCode()
        } catch {
            throw Failure(changing: .passcode, error)
        }
        var outcome = Outcome(
            text: [.secret(code, .raw), .text("\n")], json: .object([("recoveryCode", .secret(code, .jsonText))]),
            asides: [.writeRecoveryCode, .useRecoveryCode])
        outcome.lost = .recoveryCodeNotShown
        return outcome
    }

    static let recover = Command(
        "recover", "choose a new passcode with the recovery code",
        discussion: [
            "Asks for the recovery code, hidden as you type, or reads it from standard input; then you choose a new passcode. If "
                + "the passcode is your account's password, you are asked for that instead, because it may have changed."
        ],
        examples: [Example("Type the code, and choose a new passcode", "thumbturn passcode recover")]
    ) { _ throws(Failure) in
        guard try Daemon.status().hasRecoveryCode else { throw .noRecoveryCode }
        let code = try SecretInput.readCode(TypedQuestion.recoveryCode)
        do throws(KeychainFailure) {
            try DeviceClient.shared.recover(with: code)
        } catch .authenticationFailed {
            throw .wrongRecoveryCode
        } catch {
            throw Failure(changing: .passcode, error)
        }
        return Outcome(.passcodeChanged, json: PasscodeCommands.isSet(true))
    }
}
