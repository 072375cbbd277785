public import ThumbAccess
public import ThumbConversation
public import ThumbSecrets

/// Whatever the daemon may say, for tests that listen to all of it.
public enum Answer: Sendable {
    case welcome(version: UInt16, mode: DeviceMode)
    case refused(Refusal)
    case done
    case echoed(SecretBytes)
    case status(DeviceStatus)
    case capability(Capability)
    case evaluated(EvaluationReply)
    case failed(KeychainFailure)
    case page([FoundItem], isLast: Bool)
    case promptNeeded(ticket: [UInt8])
    case windowNeeded(ticket: [UInt8])
    case secret(SecretBytes)
    case behindPasscode(PasscodeHold)
    case readable(Readable)
    case flag(Bool)
    case changed
    case told(SessionEvent)
    case apps([KnownApp])
    case audit(AuditAnswer)
    case auditReport(AuditReport)
    case exportBegun(head: [UInt8], items: UInt64)
    case exportChunk(box: [UInt8], isLast: Bool, ExportTally)
    case imported(ImportTally)
    case backupFailed(BackupFailure)
    case key(KeyRecord)
    case keyUsed(KeyProduct)
    case fingers(EnrolledFingers)
    case enrolling(EnrollingProgress)
    case enrollingEnded(EnrollingFailure?)
    case promptWanted(ticket: [UInt8])
    case show(PromptContent)
    case wait(programs: UInt16)
    case dismiss(PromptEnding)
    case companions([CompanionFacts])
    case paired(CompanionFacts)
    case pairingFrame([UInt8])
    case carried(pairing: [UInt8], frame: [UInt8])
    case companionState(CompanionState)
    case companionProven(pairing: [UInt8], connection: UInt32)

    /// Reads a frame, its length already taken off.
    public static func read(_ body: SecretBytes) throws(Refusal) -> (call: UInt32, answer: Answer) {
        let frame = try Frame(body)
        return (frame.call, try Answer(frame))
    }

    public init(_ frame: Frame) throws(Refusal) {
        switch frame.kind {
        case .welcome:
            let welcome = try frame.word(Welcome.self)
            self = .welcome(version: welcome.version, mode: welcome.mode)
        case .refused: self = .refused(try frame.word())
        case .done:
            _ = try frame.word(Done.self)
            self = .done
        case .echoed: self = .echoed(try frame.word(Echoed.self).bytes)
        case .status: self = .status(try frame.word())
        case .capability: self = .capability(try frame.word())
        case .evaluated: self = .evaluated(try frame.word())
        case .failed: self = .failed(try frame.word())
        case .itemPage:
            let page = try frame.word(ItemPage.self)
            self = .page(page.items, isLast: page.isLast)
        case .promptNeeded: self = .promptNeeded(ticket: try frame.word(PromptNeeded.self).ticket)
        case .windowNeeded: self = .windowNeeded(ticket: try frame.word(WindowNeeded.self).ticket)
        case .recoveryCode: self = .secret(try frame.word(NewRecoveryCode.self).code)
        case .behindPasscode: self = .behindPasscode(try frame.word())
        case .readable: self = .readable(try frame.word())
        case .flag: self = .flag(try frame.word(Flag.self).value)
        case .changed:
            _ = try frame.word(Changed.self)
            self = .changed
        case .sessionTold: self = .told(try frame.word(SessionTold.self).event)
        case .apps: self = .apps(try frame.word(Apps.self).apps)
        case .auditPage: self = .audit(try frame.word())
        case .auditReport: self = .auditReport(try frame.word())
        case .exportBegun:
            let begun = try frame.word(ExportBegun.self)
            self = .exportBegun(head: begun.head, items: begun.items)
        case .exportedChunk:
            let chunk = try frame.word(ExportedChunk.self)
            self = .exportChunk(box: chunk.box, isLast: chunk.isLastChunk, chunk.tally)
        case .imported: self = .imported(try frame.word())
        case .backupFailed: self = .backupFailed(try frame.word())
        case .key: self = .key(try frame.word())
        case .keyProduct: self = .keyUsed(try frame.word())
        case .fingers: self = .fingers(try frame.word())
        case .enrolling: self = .enrolling(try frame.word())
        case .enrollingEnded: self = .enrollingEnded(try frame.word(EnrollingEnded.self).failure)
        case .promptWanted: self = .promptWanted(ticket: try frame.word(PromptWanted.self).ticket)
        case .show: self = .show(try frame.word())
        case .wait: self = .wait(programs: try frame.word(WaitBehind.self).programs)
        case .dismiss: self = .dismiss(try frame.word())
        case .companionList: self = .companions(try frame.word(CompanionList.self).companions)
        case .companionPaired: self = .paired(try frame.word(CompanionPaired.self).companion)
        case .pairingFrameOut: self = .pairingFrame(try frame.word(PairingFrameOut.self).frame)
        case .carriedOut:
            let carried = try frame.word(CarriedOut.self)
            self = .carried(pairing: carried.pairing, frame: carried.frame)
        case .companionState: self = .companionState(try frame.word())
        case .companionProven:
            let proven = try frame.word(CompanionProven.self)
            self = .companionProven(pairing: proven.pairing, connection: proven.connection)
        default: throw .unknownKind
        }
    }
}
