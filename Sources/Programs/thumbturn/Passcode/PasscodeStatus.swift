import ThumbAccess
import ThumbCommands

/// `thumbturn passcode status`
enum PasscodeStatus {
    static let command = Command(
        "status", "show whether a passcode is set",
        exits: [ExitStatus(0, "a passcode is set"), ExitStatus(1, "no passcode is set")],
        examples: [Example("Set one where there is none", "thumbturn passcode status || thumbturn passcode set")]
    ) { _ throws(Failure) in
        let status = try Daemon.status()
        let json = JSON.object([
            (
                "passcode",
                .object([
                    ("isSet", .flag(status.passcodeIsSet)), ("wasGiven", .flag(status.passcodeWasGiven)),
                    ("hasRecoveryCode", .flag(status.hasRecoveryCode)),
                    ("isAccountPassword", .flag(status.passcodeSource == .account)),
                ])
            )
        ])
        guard status.passcodeIsSet else { return Outcome(.noPasscode, json: json, exit: .no) }
        return Outcome(
            status.passcodeSource == .account ? .passcodeIsAccountPassword : .passcodeIsSet,
            status.passcodeWasGiven ? .passcodeWasGiven : .passcodeWasNotGiven,
            status.hasRecoveryCode ? .hasRecoveryCode : .hasNoRecoveryCode, json: json)
    }
}
