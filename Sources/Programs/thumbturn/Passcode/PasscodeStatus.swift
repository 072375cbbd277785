internal import ThumbAccess

extension Command {
    static let passcodeStatus: Command = .init(
        name: "status", summary: "tell whether a passcode is set",
        discussion: ["Exit status: 0 if a passcode is set, 1 if not."]
    ) { _ throws(Failure) in
        let status = try Device.status()
        let lines =
            status.passcodeIsSet
            ? [
                status.passcodeSource == .account ? "The passcode is the account's password." : "A passcode is set.",
                status.passcodeWasGiven ? "It was given since the daemon started." : "It was not given since the daemon started.",
                status.hasRecoveryCode ? "There is a recovery code." : "There is no recovery code.",
            ] : ["No passcode is set."]
        return Outcome(
            lines,
            json: .object([
                (
                    "passcode",
                    .object([
                        ("isSet", .flag(status.passcodeIsSet)), ("wasGiven", .flag(status.passcodeWasGiven)),
                        ("hasRecoveryCode", .flag(status.hasRecoveryCode)),
                        ("isAccountPassword", .flag(status.passcodeSource == .account)),
                    ])
                )
            ]),
            exit: status.passcodeIsSet ? .done : .no)
    }
}
