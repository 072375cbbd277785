public import ThumbAccess

// What each role may say. A role can't decode a word that isn't in its list, so such a word needs no check of its own.

/// What an app may say.
public enum FromApp: Sendable {
    case echo(Echo)
    case getStatus(GetStatus)
    case getCapability(GetCapability)
    case evaluate(Evaluate)
    case invalidate(Invalidate)
    case release(Release)
    case promptUnavailable(PromptUnavailable)
    case setCredential(SetCredential)
    case isCredentialSet(IsCredentialSet)
    case watchEnvironment(WatchEnvironment)
    case watchSession(WatchSession)
    case addItem(AddItem)
    case putItem(PutItem)
    case findItems(FindItems)
    case updateItems(UpdateItems)
    case removeItems(RemoveItems)
    case releaseForReader(ReleaseForReader)
    case getReadable(GetReadable)
    case evaluateForReader(EvaluateForReader)
    case listKeptItems(ListKeptItems)
    case protectKeptItem(ProtectKeptItem)
    case allowReader(AllowReader)
    case setPasscode(SetPasscode)
    case removePasscode(RemovePasscode)
    case makeRecoveryCode(MakeRecoveryCode)
    case recover(Recover)
    case useAccountPassword(UseAccountPassword)
    case countBehindPasscode(CountBehindPasscode)
    case listApps(ListApps)
    case judgeApp(JudgeApp)
    case readAudit(ReadAudit)
    case verifyAudit(VerifyAudit)
    case makeKey(MakeKey)
    case keepKey(KeepKey)
    case readKey(ReadKey)
    case useKey(UseKey)
    case signStatement(SignStatement)
    case allow(Allow)
    case listFingers(ListFingers)
    case enrollFinger(EnrollFinger)
    case forgetFinger(ForgetFinger)
    case beginExport(BeginExport)
    case exportChunk(ExportChunk)
    case beginImport(BeginImport)
    case importChunk(ImportChunk)
    case pairCompanion(PairCompanion)
    case pairingFrame(PairingFrameIn)
    case listCompanions(ListCompanions)
    case removeCompanion(RemoveCompanion)
    case carryCompanions(CarryCompanions)
    case carriedIn(CarriedIn)
    case companionLine(CompanionLine)
    case getCompanionState(GetCompanionState)

    public init(_ frame: Frame) throws(Refusal) {
        switch frame.kind {
        case .echo: self = .echo(try frame.word())
        case .getStatus: self = .getStatus(try frame.word())
        case .getCapability: self = .getCapability(try frame.word())
        case .evaluate: self = .evaluate(try frame.word())
        case .invalidate: self = .invalidate(try frame.word())
        case .release: self = .release(try frame.word())
        case .promptUnavailable: self = .promptUnavailable(try frame.word())
        case .setCredential: self = .setCredential(try frame.word())
        case .isCredentialSet: self = .isCredentialSet(try frame.word())
        case .watchEnvironment: self = .watchEnvironment(try frame.word())
        case .watchSession: self = .watchSession(try frame.word())
        case .addItem: self = .addItem(try frame.word())
        case .putItem: self = .putItem(try frame.word())
        case .findItems: self = .findItems(try frame.word())
        case .updateItems: self = .updateItems(try frame.word())
        case .removeItems: self = .removeItems(try frame.word())
        case .releaseForReader: self = .releaseForReader(try frame.word())
        case .getReadable: self = .getReadable(try frame.word())
        case .evaluateForReader: self = .evaluateForReader(try frame.word())
        case .listKeptItems: self = .listKeptItems(try frame.word())
        case .protectKeptItem: self = .protectKeptItem(try frame.word())
        case .allowReader: self = .allowReader(try frame.word())
        case .setPasscode: self = .setPasscode(try frame.word())
        case .removePasscode: self = .removePasscode(try frame.word())
        case .makeRecoveryCode: self = .makeRecoveryCode(try frame.word())
        case .recover: self = .recover(try frame.word())
        case .useAccountPassword: self = .useAccountPassword(try frame.word())
        case .countBehindPasscode: self = .countBehindPasscode(try frame.word())
        case .listApps: self = .listApps(try frame.word())
        case .judgeApp: self = .judgeApp(try frame.word())
        case .readAudit: self = .readAudit(try frame.word())
        case .verifyAudit: self = .verifyAudit(try frame.word())
        case .makeKey: self = .makeKey(try frame.word())
        case .keepKey: self = .keepKey(try frame.word())
        case .readKey: self = .readKey(try frame.word())
        case .useKey: self = .useKey(try frame.word())
        case .signStatement: self = .signStatement(try frame.word())
        case .allow: self = .allow(try frame.word())
        case .listFingers: self = .listFingers(try frame.word())
        case .enrollFinger: self = .enrollFinger(try frame.word())
        case .forgetFinger: self = .forgetFinger(try frame.word())
        case .beginExport: self = .beginExport(try frame.word())
        case .exportChunk: self = .exportChunk(try frame.word())
        case .beginImport: self = .beginImport(try frame.word())
        case .importChunk: self = .importChunk(try frame.word())
        case .pairCompanion: self = .pairCompanion(try frame.word())
        case .pairingFrameIn: self = .pairingFrame(try frame.word())
        case .listCompanions: self = .listCompanions(try frame.word())
        case .removeCompanion: self = .removeCompanion(try frame.word())
        case .carryCompanions: self = .carryCompanions(try frame.word())
        case .carriedIn: self = .carriedIn(try frame.word())
        case .companionLine: self = .companionLine(try frame.word())
        case .getCompanionState: self = .getCompanionState(try frame.word())
        default: throw frame.outOfPlace
        }
    }
}

/// What a prompt may say.
public enum FromPrompt: Sendable {
    case shown(Shown)
    case here(Here)
    case typed(Typed)
    case cancelled(Cancelled)
    case fallback(Fallback)
    case dismissProgram(DismissProgram)

    public init(_ frame: Frame) throws(Refusal) {
        switch frame.kind {
        case .shown: self = .shown(try frame.word())
        case .here: self = .here(try frame.word())
        case .typed: self = .typed(try frame.word())
        case .cancelled: self = .cancelled(try frame.word())
        case .fallback: self = .fallback(try frame.word())
        case .dismissProgram: self = .dismissProgram(try frame.word())
        default: throw frame.outOfPlace
        }
    }
}

/// What the daemon says to a prompt that it welcomed.
public enum ToPrompt: Sendable {
    case show(PromptContent)
    case wait(WaitBehind)
    case dismiss(PromptEnding)

    public init(_ frame: Frame) throws(Refusal) {
        switch frame.kind {
        case .show: self = .show(try frame.word())
        case .wait: self = .wait(try frame.word())
        case .dismiss: self = .dismiss(try frame.word())
        default: throw frame.outOfPlace
        }
    }
}

/// What an agent may say.
public enum FromAgent: Sendable {
    case promptUnavailable(PromptUnavailable)

    public init(_ frame: Frame) throws(Refusal) {
        guard frame.kind == .promptUnavailable else { throw frame.outOfPlace }
        self = .promptUnavailable(try frame.word())
    }
}

/// What the system's login may say.
public enum FromLogin: Sendable {
    case offerPasscode(OfferPasscode)
    case askOwner(AskOwner)
    case loginStands(LoginStands)
    case promptUnavailable(PromptUnavailable)

    public init(_ frame: Frame) throws(Refusal) {
        switch frame.kind {
        case .offerPasscode: self = .offerPasscode(try frame.word())
        case .askOwner: self = .askOwner(try frame.word())
        case .loginStands: self = .loginStands(try frame.word())
        case .promptUnavailable: self = .promptUnavailable(try frame.word())
        default: throw frame.outOfPlace
        }
    }
}

/// What polkit's agent may say.
public enum FromPolkitAgent: Sendable {
    case ask(AskForPolkit)
    case lendTouch(LendTouch)
    case question(AccountQuestion)
    case verdict(HelperVerdict)
    case promptUnavailable(PromptUnavailable)

    public init(_ frame: Frame) throws(Refusal) {
        switch frame.kind {
        case .askForPolkit: self = .ask(try frame.word())
        case .lendTouch: self = .lendTouch(try frame.word())
        case .question: self = .question(try frame.word())
        case .verdict: self = .verdict(try frame.word())
        case .promptUnavailable: self = .promptUnavailable(try frame.word())
        default: throw frame.outOfPlace
        }
    }
}

/// What the daemon says to polkit's agent that it welcomed.
public enum ToPolkitAgent: Sendable {
    case promptNeeded(PromptNeeded)
    case windowNeeded(WindowNeeded)
    case check(CheckPassword)
    case reply(HelperReply)
    case evaluated(EvaluationReply)
    case lent(Flag)

    public init(_ frame: Frame) throws(Refusal) {
        switch frame.kind {
        case .promptNeeded: self = .promptNeeded(try frame.word())
        case .windowNeeded: self = .windowNeeded(try frame.word())
        case .checkPassword: self = .check(try frame.word())
        case .helperReply: self = .reply(try frame.word())
        case .evaluated: self = .evaluated(try frame.word())
        case .flag: self = .lent(try frame.word())
        default: throw frame.outOfPlace
        }
    }
}

/// What the daemon may say to a helper that runs PAM.
public enum ToHelper: Sendable {
    case serve(Serve)
    case check(CheckPassword)
    case look(Look)
    case reply(HelperReply)

    public init(_ frame: Frame) throws(Refusal) {
        switch frame.kind {
        case .serve: self = .serve(try frame.word())
        case .checkPassword: self = .check(try frame.word())
        case .look: self = .look(try frame.word())
        case .helperReply: self = .reply(try frame.word())
        default: throw frame.outOfPlace
        }
    }
}

/// What a helper may say.
public enum FromHelper: Sendable {
    case question(AccountQuestion)
    case verdict(HelperVerdict)

    public init(_ frame: Frame) throws(Refusal) {
        switch frame.kind {
        case .question: self = .question(try frame.word())
        case .verdict: self = .verdict(try frame.word())
        default: throw frame.outOfPlace
        }
    }
}

/// What the front may say to a device.
public enum ToDevice: Sendable {
    case peer(PeerArrived)
    case contents(PeerContentsGiven)
    case wantsLine(WantsLineGiven)
    case sleeps(Sleeps)
    case wakes(Wakes)
    case lid(LidMoved)
    case lock(SessionLocked)
    case front(SessionInFront)
    case machineKnown(MachineKnown)
    case end(EndNow)

    public init(_ frame: Frame) throws(Refusal) {
        switch frame.kind {
        case .peerArrived: self = .peer(try frame.word())
        case .peerContents: self = .contents(try frame.word())
        case .wantsLineGiven: self = .wantsLine(try frame.word())
        case .sleeps: self = .sleeps(try frame.word())
        case .wakes: self = .wakes(try frame.word())
        case .lidMoved: self = .lid(try frame.word())
        case .sessionLocked: self = .lock(try frame.word())
        case .sessionInFront: self = .front(try frame.word())
        case .machineKnown: self = .machineKnown(try frame.word())
        case .endNow: self = .end(try frame.word())
        default: throw frame.outOfPlace
        }
    }
}

/// What a device may say to the front.
public enum FromDevice: Sendable {
    /// The device is done with what the machine's sleep waited for.
    case done(Done)
    case unused(Unused)

    public init(_ frame: Frame) throws(Refusal) {
        switch frame.kind {
        case .done: self = .done(try frame.word())
        case .unused: self = .unused(try frame.word())
        default: throw frame.outOfPlace
        }
    }
}

/// What a device may say on its wants line.
public enum FromWantsLine: Sendable {
    case want(Want)

    public init(_ frame: Frame) throws(Refusal) {
        guard frame.kind == .want else { throw frame.outOfPlace }
        self = .want(try frame.word())
    }
}

extension Frame {
    /// Why a word that isn't in a role's list is refused.
    var outOfPlace: Refusal { kind.isPeers ? .notAllowedInThisRole : .unknownKind }
}
