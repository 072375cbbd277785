import CThumbLinux
import ThumbAccess
import ThumbClient
import ThumbCommands

/// `thumbturn passcode`
enum PasscodeCommands {
    static let command = Command(
        "passcode", "set, change and recover the passcode",
        examples: [
            Example(
                "Choose a passcode, and make a code in case you forget it", "thumbturn passcode set",
                "thumbturn passcode recovery")
        ],
        subcommands: [
            set, useAccountPassword, change, remove, PasscodeStatus.command, PasscodeRecovery.make, PasscodeRecovery.recover,
        ])

    private static let set = Command(
        "set", "choose a passcode, or replace the account's password by one",
        discussion: [
            "Asks for the new passcode twice. It protects your secrets on the disk, so choose one that somebody who has your disk and "
                + "plenty of time can't guess.",
            "The system service asks for your account's password before your first passcode.",
            "Secrets that you already have stay protected as they are. Run `thumbturn passcode recovery` next.",
        ],
        examples: [Example("Choose one", "thumbturn passcode set")]
    ) { _ throws(Failure) in
        let status = try Daemon.status()
        if status.passcodeIsSet, status.passcodeSource == .own { throw .passcodeIsSet }
        return try choose(.passcodeChosen)
    }

    private static let change = Command(
        "change", "change the passcode", discussion: ["Asks for the present passcode, then for the new one, twice."],
        examples: [Example("Choose another one", "thumbturn passcode change")]
    ) { _ throws(Failure) in
        guard try Daemon.statusWithPasscode().passcodeSource == .own else { throw .passcodeIsAccountPassword }
        return try choose(.passcodeChanged)
    }

    private static let useAccountPassword = Command(
        "use-account-password", "use the account's password as the passcode",
        discussion: [
            "Asks for the present passcode, if there is one, then for the password of your account, which the system checks. From then on a "
                + "password counts only if the system accepts it and it opens your secrets on the disk.",
            "When the password has been changed by other means, you are asked for the previous one once. `thumbturn passcode set` chooses a "
                + "separate passcode again.",
        ],
        examples: [
            Example("Have one password for both", "thumbturn passcode use-account-password")
        ]
    ) { _ throws(Failure) in
        if try Daemon.status().passcodeSource == .account { throw .passcodeIsAccountPasswordAlready }
        // Without the service, as after an installation without root, every answer would count as not checked.
        guard services.contains(where: { unsafe access($0, F_OK) == 0 }) else { throw .accountNotJudged }
        do throws(KeychainFailure) {
            try DeviceClient.shared.useAccountPassword()
        } catch .unsupported, .internalFailure {
            throw .accountNotJudged
        } catch {
            throw Failure(changing: .passcode, error)
        }
        return Outcome(
            .accountPasswordChosen,
            json: .object([("passcode", .object([("isSet", .flag(true)), ("isAccountPassword", .flag(true))]))]),
            asides: try nextSteps())
    }

    /// Where PAM looks for the service that judges the password.
    private static let services = ["/etc/pam.d/thumbturn", "/usr/lib/pam.d/thumbturn"]

    private static let remove = Command(
        "remove", "remove the passcode, and what lives only while there is one",
        discussion: [
            "Asks for the passcode, then removes it. Items of the class when-passcode-set are removed with it, for good, whichever program they "
                + "belong to, and so are the pairings with other machines. If there are any, you are told how many and asked whether you mean it. "
                + "Without a terminal that takes --force.",
            "All other items stay. Those that ask for a finger, a face or the passcode stay closed until you set a passcode again; "
                + "that needn't be the same one.",
        ],
        options: [Confirmation.force], examples: [Example("Do without a passcode", "thumbturn passcode remove")]
    ) { invocation throws(Failure) in
        _ = try Daemon.statusWithPasscode()
        let hold: PasscodeHold
        do throws(KeychainFailure) {
            hold = try DeviceClient.shared.countBehindPasscode()
        } catch {
            throw Failure(error, about: .passcode)
        }
        if hold.erased > 0 || hold.pairings > 0, !invocation.has(Confirmation.force) {
            try Confirmation.ask(.passcodeTakes(items: hold.erased, pairings: hold.pairings))
        }
        do throws(KeychainFailure) {
            try DeviceClient.shared.removePasscode()
        } catch {
            throw Failure(changing: .passcode, error)
        }
        return Outcome(
            .passcodeRemoved,
            json: .object([
                (
                    "passcode",
                    .object([
                        ("isSet", .flag(false)), ("removedItems", .number(Int64(clamping: hold.erased))),
                        ("closedItems", .number(Int64(clamping: hold.closed))),
                        ("removedPairings", .number(Int64(clamping: hold.pairings))),
                    ])
                )
            ]), asides: hold.closed > 0 ? [.closedWithoutPasscode(hold.closed)] : [])
    }

    /// The daemon's prompt asks. This program never sees the passcode.
    private static func choose(_ notice: Notice) throws(Failure) -> Outcome {
        do throws(KeychainFailure) {
            try DeviceClient.shared.setPasscode()
        } catch {
            throw Failure(changing: .passcode, error)
        }
        return Outcome(notice, json: isSet(true), asides: try nextSteps())
    }

    private static func nextSteps() throws(Failure) -> [Notice] {
        try Daemon.status().hasRecoveryCode ? [] : [.makeRecoveryCode]
    }

    static func isSet(_ isSet: Bool) -> JSON { .object([("passcode", .object([("isSet", .flag(isSet))]))]) }
}
