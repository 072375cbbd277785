public import ThumbAccess

// What a device of system mode and a broker may say to each other, once the front has said `serve`.

/// What a device may say to the TPM's keeper.
public enum ToTPMKeeper: Sendable {
    case makeKey(MakeTPMKey)
    case sign(SignWithTPM)
    case agree(AgreeWithTPM)
    case seal(SealInTPM)
    case unseal(UnsealInTPM)
    case count(ReadTPMCounter)
    case countUp(RaiseTPMCounter)

    public init(_ frame: Frame) throws(Refusal) {
        switch frame.kind {
        case .makeTPMKey: self = .makeKey(try frame.word())
        case .signWithTPM: self = .sign(try frame.word())
        case .agreeWithTPM: self = .agree(try frame.word())
        case .sealInTPM: self = .seal(try frame.word())
        case .unsealInTPM: self = .unseal(try frame.word())
        case .readTPMCounter: self = .count(try frame.word())
        case .raiseTPMCounter: self = .countUp(try frame.word())
        default: throw frame.outOfPlace
        }
    }
}

/// What the TPM's keeper may say.
public enum FromTPMKeeper: Sendable {
    case key(TPMKeyMade)
    case signature(TPMSignature)
    case agreement(TPMAgreement)
    case sealed(TPMSealed)
    case unsealed(TPMUnsealed)
    case count(TPMCount)
    case failed(TPMFailed)

    public init(_ frame: Frame) throws(Refusal) {
        switch frame.kind {
        case .tpmKey: self = .key(try frame.word())
        case .tpmSignature: self = .signature(try frame.word())
        case .tpmAgreement: self = .agreement(try frame.word())
        case .tpmSeal: self = .sealed(try frame.word())
        case .tpmUnsealed: self = .unsealed(try frame.word())
        case .tpmCount: self = .count(try frame.word())
        case .tpmFailed: self = .failed(try frame.word())
        default: throw frame.outOfPlace
        }
    }
}

/// What a device may say to the reader's broker.
public enum ToReader: Sendable {
    case prepare(PrepareReader)
    case watch(WatchFinger)
    case stopWatching(StopWatching)
    case fingers(ListFingers)
    case enroll(EnrollFinger)
    case stopEnrolling(StopEnrolling)
    case forget(ForgetFinger)
    case away(ReaderAway)
    case readFaceModels(ReadFaceModels)

    public init(_ frame: Frame) throws(Refusal) {
        switch frame.kind {
        case .prepareReader: self = .prepare(try frame.word())
        case .watchFinger: self = .watch(try frame.word())
        case .stopWatching: self = .stopWatching(try frame.word())
        case .listFingers: self = .fingers(try frame.word())
        case .enrollFinger: self = .enroll(try frame.word())
        case .stopEnrolling: self = .stopEnrolling(try frame.word())
        case .forgetFinger: self = .forget(try frame.word())
        case .readerAway: self = .away(try frame.word())
        case .readFaceModels: self = .readFaceModels(try frame.word())
        default: throw frame.outOfPlace
        }
    }
}

/// What the reader's broker may say.
public enum FromReader: Sendable {
    case snapshot(ReaderSnapshot)
    case report(FingerReport)
    case fingers(EnrolledFingers)
    case enrolling(EnrollingProgress)
    case ended(EnrollingEnded)
    case faceModels(FaceModelsRead)

    public init(_ frame: Frame) throws(Refusal) {
        switch frame.kind {
        case .readerSnapshot: self = .snapshot(try frame.word())
        case .fingerReport: self = .report(try frame.word())
        case .fingers: self = .fingers(try frame.word())
        case .enrolling: self = .enrolling(try frame.word())
        case .enrollingEnded: self = .ended(try frame.word())
        case .faceModels: self = .faceModels(try frame.word())
        default: throw frame.outOfPlace
        }
    }
}
