import ThumbAccess
import ThumbClient

extension KeychainFailure {
    /// The keychain refused.
    func words(about thing: Thing) -> Words {
        switch self {
        case .duplicateItem: Words("duplicateItem", .exists, "The \(thing.name) already exists.", "Choose another name.")
        case .itemNotFound:
            Words("itemNotFound", .notFound, "There is no \(thing.name).", thing.list.map { "Run '\($0)' to see what there is." })
        case .authenticationFailed:
            Words("authenticationFailed", .no, "The owner wasn't recognized, so the \(thing.name) stays closed.", "Try again.")
        case .interactionNotAllowed:
            Words(
                "interactionNotAllowed", .couldNotAsk, "The owner has to be asked, but there is no terminal or window to ask in.",
                "Run the command in a terminal.")
        case .userCanceled: Failure.cancelled.words
        case .missingEntitlement: Words("missingEntitlement", .failed, "The \(thing.name) belongs to another program.")
        case .unsupported: Words("unsupported", .failed, "The daemon can't do that yet.")
        case .storeUnavailable:
            Words(
                "storeUnavailable", .failed, "The store can't be written just now.",
                "Check whether the disk is full, then run 'thumbturn doctor'.")
        case .quotaReached:
            Words(
                "quotaReached", .failed, "The store is full.",
                "Remove something first; 'thumbturn doctor' shows how much there is.")
        case .readOnly: Words("readOnly", .failed, "The store is read-only.", "Run 'thumbturn doctor' to see where it is kept.")
        case .dataTooLarge: Words("dataTooLarge", .input, "The \(thing.name) is larger than a secret may be.")
        case .damaged:
            Words(
                "damaged", .failed, "The \(thing.name) is damaged and can't be opened.",
                "Run 'thumbturn doctor' to see how much is damaged; a backup may still have it.")
        case .deviceUnreachable:
            Words("connectionLost", .couldNotAsk, "The daemon went away before it answered.", "Try again.")
        case .parameter: Words("parameter", .failed, "The daemon didn't accept the request.", Self.sameVersion)
        case .noSuchAttribute:
            Words("noSuchAttribute", .failed, "The daemon doesn't know an attribute of the request.", Self.sameVersion)
        case .noSuchClass: Words("noSuchClass", .failed, "The daemon doesn't know this kind of item.", Self.sameVersion)
        case .internalFailure:
            Words("internalFailure", .failed, "The daemon failed.", "Check the daemon's log, and run 'thumbturn doctor'.")
        case .outOfMemory: Failure.noLockedMemory.words
        case .custodianAbsent:
            Words(
                "custodianAbsent", .couldNotAsk, "There is no TPM to hold such a key.",
                "Run 'thumbturn allow software-keys' to have it held in software.")
        case .custodianLost:
            Words("custodianLost", .failed, "The TPM went away before it answered; the key is unharmed.", "Try again.")
        case .custodianLocked:
            Words(
                "custodianLocked", .couldNotAsk, "The TPM refuses for a while, after too many failed passcodes.",
                "Wait some minutes, then try again.")
        case .custodianForeign:
            Words("custodianForeign", .failed, "The \(thing.name) was made by another TPM, and only that one can use it.")
        case .agreementFailed: Words("agreementFailed", .failed, "The two keys could not agree on a secret.")
        }
    }

    fileprivate static let sameVersion = "Check that the daemon and this program were installed together."
}

extension EvaluationFailure {
    /// The owner was asked, or could not be asked.
    var words: Words {
        switch self {
        case .authenticationFailed: Words("authenticationFailed", .no, "The owner wasn't recognized.", "Try again.")
        case .userCancel: Failure.cancelled.words
        case .userFallback:
            Words(
                "userFallback", .no, "The passcode was chosen, but only a finger or a face counts here.", "Try again with either."
            )
        case .systemCancel: Words("systemCancel", .couldNotAsk, "The prompt was closed before anybody answered.", "Try again.")
        case .appCancel: Words("appCancel", .couldNotAsk, "The prompt was closed before anybody answered.", "Try again.")
        case .passcodeNotSet:
            Words(
                "passcodeNotSet", .couldNotAsk, "No passcode is set, so nobody can check the owner.",
                "Run 'thumbturn passcode set' to choose one.")
        case .biometryNotAvailable:
            Words(
                "biometryNotAvailable", .couldNotAsk, "There is no sensor to ask with.",
                "Leave out --biometrics, and the passcode counts too.")
        case .biometryDisconnected:
            Words(
                "biometryDisconnected", .couldNotAsk, "Your fingerprint reader isn't connected.",
                "Plug it in and try again.")
        case .biometryNotEnrolled:
            Words(
                "biometryNotEnrolled", .couldNotAsk, "The sensor doesn't know anybody yet.",
                "Run 'thumbturn enroll', or leave out --biometrics, and the passcode counts too.")
        case .biometryLockout:
            Words(
                "biometryLockout", .no, "The sensor is locked until the passcode has been given.",
                "Run 'thumbturn verify' without --biometrics.")
        case .invalidContext:
            Words("invalidContext", .failed, "The daemon no longer knows what was asked.", "Run the command again.")
        case .companionNotAvailable:
            Words(
                "companionNotAvailable", .couldNotAsk, "No companion answers.",
                "Run 'thumbturn companion list' to see which are paired, and which of them are near.")
        case .notInteractive: KeychainFailure.interactionNotAllowed.words(about: .item)
        case .invalidParameter:
            Words("invalidParameter", .failed, "The daemon doesn't know this question.", KeychainFailure.sameVersion)
        case .deviceFailure: Words("deviceFailure", .failed, "The device failed.", "Check the daemon's log.")
        }
    }
}

extension EvaluationFailure {
    /// The owner was to be asked before something is used. Here nobody has chosen to ask for a finger alone; the thing's rule has.
    func words(about thing: Thing) -> Words {
        switch self {
        case .authenticationFailed: KeychainFailure.authenticationFailed.words(about: thing)
        case .passcodeNotSet:
            Words(
                "passcodeNotSet", .couldNotAsk, "No passcode is set, so nobody can be asked, and the \(thing.name) stays closed.",
                "Run 'thumbturn passcode set' to choose one; then it opens again.")
        case .biometryNotAvailable:
            Words(
                "biometryNotAvailable", .couldNotAsk, "There is no sensor to ask with, so the \(thing.name) stays closed.",
                "Run 'thumbturn doctor' to see why.")
        case .biometryNotEnrolled:
            Words(
                "biometryNotEnrolled", .couldNotAsk, "The sensor doesn't know anybody yet, so the \(thing.name) stays closed.",
                "Run 'thumbturn enroll' to enroll a finger.")
        case .biometryLockout:
            Words(
                "biometryLockout", .no, "The sensor is locked until the passcode has been given.",
                "Run 'thumbturn verify' and type the passcode.")
        case .biometryDisconnected, .userCancel, .userFallback, .systemCancel, .appCancel, .invalidContext,
            .companionNotAvailable,
            .notInteractive, .invalidParameter, .deviceFailure:
            words
        }
    }
}

extension ClientError {
    /// The daemon could not be asked.
    var words: Words {
        let next = advice.sentence
        return switch code {
        case .notFound: Words("daemonNotFound", .couldNotAsk, "The daemon can't be reached.", next)
        case .connectionLost: Words("connectionLost", .couldNotAsk, "The daemon went away before it answered.", next)
        case .impostor: Words("impostor", .couldNotAsk, "Another program listens in place of your daemon.", next)
        case .protocolBroken: Words("protocolBroken", .couldNotAsk, "The daemon's answer can't be understood.", next)
        case .refused: Words("refused", .couldNotAsk, "The daemon refused to talk to this program.", next)
        case .silent(isStopped: true): Words("daemonStopped", .couldNotAsk, "The daemon is stopped, so it doesn't answer.", next)
        case .silent(isStopped: false): Words("daemonSilent", .couldNotAsk, "The daemon doesn't answer.", next)
        }
    }
}

extension EnrollingFailure {
    /// The reader refused.
    var words: Words {
        switch self {
        case .noReader:
            Words(
                "noReader", .couldNotAsk, "There is no fingerprint reader that fprintd knows.",
                "Check that fprintd is installed and that 'fprintd-list' shows the reader.")
        case .busy: Words("readerBusy", .couldNotAsk, "Another program is using the reader.", "Try again when it is done.")
        case .duplicate:
            Words("fingerEnrolled", .exists, "This finger is already enrolled.", "Use another finger.")
        case .full:
            Words(
                "readerFull", .failed, "The reader has no room for another finger.",
                "Run 'thumbturn forget FINGER' to make room.")
        case .notEnrolled:
            Words("fingerNotFound", .notFound, "That finger is not enrolled.", "Run 'thumbturn fingers' to see which are.")
        case .notPermitted:
            Words(
                "notPermitted", .failed, "The system doesn't let you change fingers from here.",
                "Do it in a session at the machine itself.")
        case .failed: Words("readerFailed", .failed, "The reader could not go on.", "Try again.")
        case .cancelled: Failure.cancelled.words
        }
    }
}

extension BackupFailure {
    /// A backup could not be made or read.
    var words: Words {
        switch self {
        case .notABackup: Words("notABackup", .input, "The file is not a backup of Thumbturn's.", "Check its name.")
        case .newer:
            Words(
                "newerBackup", .input, "A later version of Thumbturn wrote this backup.",
                "Install that version, then try again.")
        case .tooCostly:
            Words("costlyBackup", .input, "Opening this backup would take more memory or time than a backup may.")
        case .wrongPassphrase:
            Words("wrongPassphrase", .no, "This is not the passphrase of the backup.", "Try again.")
        case .damaged:
            Words(
                "damagedBackup", .input, "The backup is damaged.",
                "Copy it again from where it was made.")
        case .passphraseLength:
            Words(
                "passphraseLength", .input,
                "A passphrase must have \(BackupLimit.passphrase.lowerBound) to \(BackupLimit.passphrase.upperBound) bytes.")
        case .noPasscode: EvaluationFailure.passcodeNotSet.words
        case .notRunning:
            Words(
                "backupEnded", .couldNotAsk,
                "The daemon ended the export or import, because the session was locked or the daemon was stopped.",
                "Run the command again.")
        }
    }
}
