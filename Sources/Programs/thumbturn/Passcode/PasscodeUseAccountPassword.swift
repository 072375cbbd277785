internal import ThumbAccess
internal import ThumbClient

extension Command {
    static let passcodeUseAccountPassword: Command = .init(
        name: "use-account-password", summary: "make the account's password the passcode",
        discussion: [
            "Asks for the passcode there is, if there is one, then for the password of your account, which the system judges. From "
                + "then on it is right only if the system agrees and it opens the secrets on the disk.",
            "Where the password is changed by other means, the previous one is asked for once. 'thumbturn passcode set' chooses a "
                + "passcode of its own again.",
        ]
    ) { _ throws(Failure) in
        if try Device.status().passcodeSource == .account {
            throw Failure("passcodeIsAccountPassword", .exists, "the passcode is the account's password already")
        }
        do throws(KeychainFailure) {
            try DeviceClient.shared.useAccountPassword()
        } catch .unsupported, .internalFailure {
            throw Failure(
                "accountNotJudged", .couldNotAsk, "the system can't judge the account's password here",
                advice: "see that there is /etc/pam.d/thumbturn")
        } catch {
            throw Failure(passcode: error)
        }
        let advice =
            try Device.status().hasRecoveryCode ? [] : ["Next: 'thumbturn passcode recovery', for the day it is lost."]
        return Outcome(
            ["The passcode is the account's password."],
            json: .object([("passcode", .object([("isSet", .flag(true)), ("isAccountPassword", .flag(true))]))]), notices: advice)
    }
}
