import Testing
import ThumbAccess

@testable import ThumbConversation

/// The numbers of every kind that docs/PROTOCOL.md has.
enum Kinds {
    static let requests: Set<UInt8> = [
        1, 2, 3, 10, 11, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38,
        40,
        41,
        50,
        51, 52, 53, 54, 55,
        56, 57, 58, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 80, 81, 82, 83, 84, 85, 86, 87,
    ]
    static let answers = Set<UInt8>(
        Array(128...144) + [145, 146, 150, 151, 156, 157, 158, 160, 161, 162, 164, 165] + Array(170...173) + Array(180...185))
    static let toHelper: Set<UInt8> = [90, 91, 92, 200]
    static let fromHelper: Set<UInt8> = [190, 191]
    /// Between the front and a device, where *done* is said too.
    static let ofFront: Set<UInt8> = [201, 202, 203, 204, 205, 206, 207, 208, 209, 210, 211, 212, 213, 214]
}

extension WordKind {
    /// The type of the word that has this kind.
    var wordType: any Word.Type {
        switch self {
        case .hello: Hello.self
        case .echo: Echo.self
        case .getStatus: GetStatus.self
        case .getCapability: GetCapability.self
        case .evaluate: Evaluate.self
        case .invalidate: Invalidate.self
        case .release: Release.self
        case .promptUnavailable: PromptUnavailable.self
        case .setCredential: SetCredential.self
        case .isCredentialSet: IsCredentialSet.self
        case .watchEnvironment: WatchEnvironment.self
        case .watchSession: WatchSession.self
        case .sessionTold: SessionTold.self
        case .addItem: AddItem.self
        case .putItem: PutItem.self
        case .findItems: FindItems.self
        case .updateItems: UpdateItems.self
        case .removeItems: RemoveItems.self
        case .releaseForReader: ReleaseForReader.self
        case .getReadable: GetReadable.self
        case .evaluateForReader: EvaluateForReader.self
        case .listKeptItems: ListKeptItems.self
        case .protectKeptItem: ProtectKeptItem.self
        case .allowReader: AllowReader.self
        case .readable: Readable.self
        case .setPasscode: SetPasscode.self
        case .removePasscode: RemovePasscode.self
        case .makeRecoveryCode: MakeRecoveryCode.self
        case .recover: Recover.self
        case .listApps: ListApps.self
        case .judgeApp: JudgeApp.self
        case .useAccountPassword: UseAccountPassword.self
        case .countBehindPasscode: CountBehindPasscode.self
        case .behindPasscode: PasscodeHold.self
        case .readAudit: ReadAudit.self
        case .verifyAudit: VerifyAudit.self
        case .makeKey: MakeKey.self
        case .keepKey: KeepKey.self
        case .readKey: ReadKey.self
        case .useKey: UseKey.self
        case .allow: Allow.self
        case .signStatement: SignStatement.self
        case .listFingers: ListFingers.self
        case .enrollFinger: EnrollFinger.self
        case .forgetFinger: ForgetFinger.self
        case .beginExport: BeginExport.self
        case .exportChunk: ExportChunk.self
        case .beginImport: BeginImport.self
        case .importChunk: ImportChunk.self
        case .pairCompanion: PairCompanion.self
        case .pairingFrameIn: PairingFrameIn.self
        case .listCompanions: ListCompanions.self
        case .removeCompanion: RemoveCompanion.self
        case .carryCompanions: CarryCompanions.self
        case .carriedIn: CarriedIn.self
        case .companionLine: CompanionLine.self
        case .getCompanionState: GetCompanionState.self
        case .typed: Typed.self
        case .cancelled: Cancelled.self
        case .fallback: Fallback.self
        case .offerPasscode: OfferPasscode.self
        case .shown: Shown.self
        case .here: Here.self
        case .dismissProgram: DismissProgram.self
        case .askOwner: AskOwner.self
        case .loginStands: LoginStands.self
        case .askForPolkit: AskForPolkit.self
        case .lendTouch: LendTouch.self
        case .checkPassword: CheckPassword.self
        case .look: Look.self
        case .helperReply: HelperReply.self
        case .welcome: Welcome.self
        case .refused: Refusal.self
        case .done: Done.self
        case .echoed: Echoed.self
        case .status: DeviceStatus.self
        case .capability: Capability.self
        case .evaluated: EvaluationReply.self
        case .failed: KeychainFailure.self
        case .itemPage: ItemPage.self
        case .promptNeeded: PromptNeeded.self
        case .recoveryCode: NewRecoveryCode.self
        case .flag: Flag.self
        case .changed: Changed.self
        case .apps: Apps.self
        case .auditPage: AuditAnswer.self
        case .auditReport: AuditReport.self
        case .key: KeyRecord.self
        case .keyProduct: KeyProduct.self
        case .fingers: EnrolledFingers.self
        case .enrolling: EnrollingProgress.self
        case .enrollingEnded: EnrollingEnded.self
        case .show: PromptContent.self
        case .dismiss: PromptEnding.self
        case .promptWanted: PromptWanted.self
        case .windowNeeded: WindowNeeded.self
        case .wait: WaitBehind.self
        case .exportBegun: ExportBegun.self
        case .exportedChunk: ExportedChunk.self
        case .imported: ImportTally.self
        case .backupFailed: BackupFailure.self
        case .companionList: CompanionList.self
        case .companionPaired: CompanionPaired.self
        case .pairingFrameOut: PairingFrameOut.self
        case .carriedOut: CarriedOut.self
        case .companionState: CompanionState.self
        case .companionProven: CompanionProven.self
        case .question: AccountQuestion.self
        case .verdict: HelperVerdict.self
        case .serve: Serve.self
        case .whose: Whose.self
        case .peerArrived: PeerArrived.self
        case .peerContents: PeerContentsGiven.self
        case .wantsLineGiven: WantsLineGiven.self
        case .sleeps: Sleeps.self
        case .wakes: Wakes.self
        case .lidMoved: LidMoved.self
        case .sessionLocked: SessionLocked.self
        case .sessionInFront: SessionInFront.self
        case .machineKnown: MachineKnown.self
        case .unused: Unused.self
        case .endNow: EndNow.self
        case .want: Want.self
        case .given: Given.self
        case .prepareReader: PrepareReader.self
        case .watchFinger: WatchFinger.self
        case .stopWatching: StopWatching.self
        case .stopEnrolling: StopEnrolling.self
        case .readerAway: ReaderAway.self
        case .readFaceModels: ReadFaceModels.self
        case .readerSnapshot: ReaderSnapshot.self
        case .fingerReport: FingerReport.self
        case .faceModels: FaceModelsRead.self
        case .makeTPMKey: MakeTPMKey.self
        case .signWithTPM: SignWithTPM.self
        case .agreeWithTPM: AgreeWithTPM.self
        case .sealInTPM: SealInTPM.self
        case .unsealInTPM: UnsealInTPM.self
        case .readTPMCounter: ReadTPMCounter.self
        case .raiseTPMCounter: RaiseTPMCounter.self
        case .tpmKey: TPMKeyMade.self
        case .tpmSignature: TPMSignature.self
        case .tpmAgreement: TPMAgreement.self
        case .tpmSeal: TPMSealed.self
        case .tpmUnsealed: TPMUnsealed.self
        case .tpmCount: TPMCount.self
        case .tpmFailed: TPMFailed.self
        }
    }
}

@Suite("Kinds of words")
struct WordKindTests {
    @Test("every kind has one type of word, which says that it has that kind")
    func types() {
        for kind in WordKind.allCases { #expect(kind.wordType.wireKind == kind) }
        #expect(Set(WordKind.allCases.map { ObjectIdentifier($0.wordType) }).count == WordKind.allCases.count)
    }

    @Test("the numbers are those of the page, and no other")
    func numbers() {
        let page = [Kinds.requests, Kinds.answers, Kinds.toHelper, Kinds.fromHelper, Kinds.ofFront] + Kinds.ofBrokers
        #expect(Set(WordKind.allCases.map(\.rawValue)) == page.reduce([]) { $0.union($1) })
        // Nobody's number is another's too.
        #expect(WordKind.allCases.count == page.reduce(0) { $0 + $1.count })
    }

    @Test("a frame isn't read as a word of another kind, whatever stands in it")
    func otherKind() throws {
        for word in Samples.all {
            let frame = try Frame(word.body)
            for kind in WordKind.allCases where kind != type(of: word).wireKind {
                #expect(whyUnreadable { () throws(Refusal) in try frame.word(kind.wordType) as any Word } == .unknownKind)
            }
        }
    }
}
