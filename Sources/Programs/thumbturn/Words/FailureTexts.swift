internal import ThumbAccess
internal import ThumbClient

// The one table from the house's failures to this program's words and exit statuses.

extension Failure {
    /// The daemon could not be asked.
    init(_ error: ClientError) {
        let message =
            switch error.code {
            case .notFound: "the daemon can't be reached"
            case .connectionLost: "the daemon went away before it answered"
            case .impostor: "whoever listens there isn't the daemon of this user"
            case .protocolBroken: "the daemon's answer can't be understood"
            case .refused: "the daemon refused to talk"
            }
        let code =
            switch error.code {
            case .notFound: "daemonNotFound"
            case .connectionLost: "connectionLost"
            case .impostor: "impostor"
            case .protocolBroken: "protocolBroken"
            case .refused: "refused"
            }
        self.init(code, .couldNotAsk, message, advice: error.advice.isEmpty ? nil : error.advice)
    }

    /// The keychain said no. `thing` is what it was asked about, safe to show.
    init(_ failure: KeychainFailure, _ thing: String) {
        switch failure {
        case .duplicateItem:
            self.init("duplicateItem", .exists, "there is \(thing) already", advice: "--replace puts the new one in its place")
        case .itemNotFound: self.init("itemNotFound", .notFound, "there is no \(thing)")
        case .authenticationFailed:
            self.init("authenticationFailed", .no, "the owner was not recognized, so \(thing) stays closed")
        case .interactionNotAllowed:
            self.init(
                "interactionNotAllowed", .couldNotAsk, "the owner has to be asked, and there is no terminal to ask on",
                advice: "run it in a terminal")
        case .userCanceled: self = .cancelled
        case .missingEntitlement: self.init("missingEntitlement", .failed, "\(thing) belongs to another program")
        case .unsupported: self.init("unsupported", .failed, "the daemon can't do that yet")
        case .storeUnavailable:
            self.init(
                "storeUnavailable", .failed, "the store can't be written just now",
                advice: "look whether the disk is full, then run 'thumbturn doctor'")
        case .quotaReached:
            self.init(
                "quotaReached", .failed, "the store holds as much as it may",
                advice: "remove something first; 'thumbturn doctor' tells how much is there")
        case .readOnly: self.init("readOnly", .failed, "the store is read-only")
        case .dataTooLarge: self.init("dataTooLarge", .input, "\(thing) is larger than a secret may be")
        case .damaged:
            self.init(
                "damaged", .failed, "\(thing) is damaged and doesn't open", advice: "'thumbturn doctor' tells how much is damaged"
            )
        case .deviceUnreachable:
            self.init("connectionLost", .couldNotAsk, "the daemon went away before it answered", advice: "try again")
        case .parameter: self.init("parameter", .failed, "the daemon found the request wrong")
        case .noSuchAttribute: self.init("noSuchAttribute", .failed, "the daemon doesn't know an attribute of the request")
        case .noSuchClass: self.init("noSuchClass", .failed, "the daemon doesn't know this kind of item")
        case .internalFailure:
            self.init("internalFailure", .failed, "the daemon failed", advice: "its log says more; 'thumbturn doctor' may too")
        case .outOfMemory: self = .noLockedMemory
        case .custodianAbsent:
            self.init(
                "custodianAbsent", .couldNotAsk, "there is no TPM to hold such a key",
                advice: "'thumbturn allow software-keys' lets the daemon hold it in software")
        case .custodianLost:
            self.init("custodianLost", .failed, "the TPM went away before it answered", advice: "try again; the key is unharmed")
        case .custodianLocked:
            self.init("custodianLocked", .couldNotAsk, "the TPM refuses for a while, after too many wrong passcodes")
        case .custodianForeign:
            self.init("custodianForeign", .failed, "\(thing) was made by another TPM, and only that one can use it")
        case .agreementFailed: self.init("agreementFailed", .failed, "the two keys could not agree")
        }
    }

    /// The owner was asked, or could not be.
    init(_ failure: EvaluationFailure) {
        switch failure {
        case .authenticationFailed: self.init("authenticationFailed", .no, "not the owner")
        case .userCancel: self = .cancelled
        case .userFallback: self.init("userFallback", .no, "the passcode was chosen where only biometry counts")
        case .systemCancel: self.init("systemCancel", .couldNotAsk, "the question was taken back")
        case .appCancel: self.init("appCancel", .couldNotAsk, "the question was taken back")
        case .passcodeNotSet:
            self.init(
                "passcodeNotSet", .couldNotAsk, "no passcode is set, so the owner can't be known",
                advice: "run 'thumbturn passcode set'")
        case .biometryNotAvailable:
            self.init(
                "biometryNotAvailable", .couldNotAsk, "there is no sensor to ask with",
                advice: "without --biometrics the passcode counts too")
        case .biometryNotEnrolled:
            self.init(
                "biometryNotEnrolled", .couldNotAsk, "the sensor knows nobody yet",
                advice: "without --biometrics the passcode counts too")
        case .biometryLockout:
            self.init(
                "biometryLockout", .no, "the sensor is locked until the passcode was given",
                advice: "run 'thumbturn verify' without --biometrics")
        case .invalidContext: self.init("invalidContext", .failed, "the daemon forgot what was asked")
        case .companionNotAvailable: self.init("companionNotAvailable", .couldNotAsk, "no companion device is paired")
        case .notInteractive: self.init(KeychainFailure.interactionNotAllowed, "it")
        case .invalidParameter: self.init("invalidParameter", .failed, "the daemon doesn't know this question")
        case .deviceFailure:
            self.init("deviceFailure", .failed, "the device failed", advice: "the daemon's log says more")
        }
    }
}

extension Failure {
    /// The simulated device could not be told something.
    init(simulator error: ClientError) {
        self.init("simulatorNotFound", .couldNotAsk, "the simulated device doesn't answer")
        advice = error.advice.isEmpty ? nil : error.advice
    }
}
