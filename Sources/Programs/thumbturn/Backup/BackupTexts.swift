internal import ThumbAccess

/// This program's words about backups.
enum BackupTexts {
    static func items(_ count: UInt64) -> String { "\(count) item\(count == 1 ? "" : "s")" }

    static func reason(_ reason: StayingBehind) -> String {
        switch reason {
        case .thisDeviceOnly: "made for this device alone"
        case .currentEnrolment: "bound to who is enrolled here"
        case .applicationPassword: "locked with an app's own password"
        case .privateKey: "private keys that are never handed out"
        case .notShown: "wanting more than the passcode"
        case .dead: "that can't be opened any more"
        case .damaged: "damaged; 'thumbturn doctor' tells more"
        }
    }

    static func code(_ reason: StayingBehind) -> String {
        switch reason {
        case .thisDeviceOnly: "thisDeviceOnly"
        case .currentEnrolment: "currentEnrolment"
        case .applicationPassword: "applicationPassword"
        case .privateKey: "privateKey"
        case .notShown: "notShown"
        case .dead: "dead"
        case .damaged: "damaged"
        }
    }
}

extension Failure {
    /// A backup could not be made or read; `done` is what was to be done with it.
    init(_ error: BackupError, _ done: String) {
        switch error {
        case .backup(let failure): self.init(failure)
        case .keychain(.authenticationFailed):
            self.init("authenticationFailed", .no, "the owner was not recognized; nothing more was \(done)")
        case .keychain(let failure): self.init(failure, "backup")
        }
    }

    init(_ failure: BackupFailure) {
        switch failure {
        case .notABackup: self.init("notABackup", .input, "the file is no backup of Thumbturn's")
        case .newer:
            self.init(
                "newerBackup", .input, "a later version wrote this backup", advice: "install that version, then try again")
        case .tooCostly:
            self.init("costlyBackup", .input, "opening this backup would take more memory or time than a backup may")
        case .wrongPassphrase: self.init("wrongPassphrase", .no, "that is not the passphrase of this backup")
        case .damaged: self.init("damagedBackup", .input, "the backup is damaged: it is not as it was written")
        case .passphraseLength: self = .passphraseLength
        case .noPasscode: self.init(EvaluationFailure.passcodeNotSet)
        case .notRunning:
            self.init(
                "backupEnded", .couldNotAsk, "the daemon ended it: the session was locked, or the daemon has gone",
                advice: "run it again")
        }
    }

    static let passphraseLength = Failure(
        "passphraseLength", .input,
        "a passphrase has \(BackupLimit.passphrase.lowerBound) to \(BackupLimit.passphrase.upperBound) bytes")
}

extension Device {
    /// A backup is the owner's, and only the passcode shows the owner to it.
    static func requirePasscode() throws(Failure) {
        guard try status().passcodeIsSet else { throw Failure(EvaluationFailure.passcodeNotSet) }
    }
}
