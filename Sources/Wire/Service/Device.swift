import CThumbLinux
public import ThumbAccess
import ThumbAuthentication
import ThumbKeychain
public import ThumbLogging
public import ThumbLoop
public import ThumbSecrets

/// One running device: its sensors, keybag and store, the rules over them, and the desk where the owner is asked.
@OnLoop public final class Device {
    public let parts: Parts
    /// Whether the owner is asked when an app first wants face recognition. A simulated device doesn't ask: its apps belong to the test.
    public var asksConsent: Bool
    /// Whether software holds keys that must not leave the device, even if the owner didn't allow that: only on a simulated device.
    public var softwareIsEnough: Bool
    /// Logs what happened to one client, in place of the parts' log, which doesn't know clients.
    public var logsClient: ((_ event: String, LogClient) -> Void)?
    let consents: Consents
    let allowances: Allowances
    let keychain: Keychain
    let audit: AuditDesk
    /// Meters what this device's clients use.
    public var meter: Meter { parts.meter }
    let desk: EvaluationDesk
    let passcode: OwnerPasscode
    /// Paired machines, and who carries frames to them.
    let companionDesk: CompanionDesk
    /// Who may say yes for this device.
    let companions: any Companions
    let environment = EnvironmentWatchers()
    let lentTouches = LentTouches()
    /// The owner's session at this machine.
    public let session: OwnerSession
    /// Whose is what a finger opened at a login.
    private var opening = LoginOpening()

    public init(_ parts: Parts) {
        self.parts = parts
        let clock = parts.clock
        session = OwnerSession(clock)
        // What an app finds while its device is being taken down.
        let unusable = DeviceState(
            kind: .none, condition: .notAvailable, passcodeIsSet: false, passcodeWasGiven: false, attempts: Attempts())
        asksConsent = parts.mode != .simulated
        softwareIsEnough = parts.mode == .simulated
        consents = Consents(tables: parts.tables) { clock.date }
        allowances = Allowances(tables: parts.tables) { clock.date }
        audit = AuditDesk(parts.audit, parts.log)
        keychain = Keychain(store: parts.store, audit: audit, consents: consents, mode: parts.mode, quota: parts.quota) {
            clock.date
        }
        passcode = OwnerPasscode(parts.passcode, account: parts.account)
        companionDesk = CompanionDesk(parts)
        companions = parts.companions ?? companionDesk
        desk = EvaluationDesk(parts, passcode, companions)
        companionDesk.device = self
        desk.stateForApp = { [weak self] caller in self?.state(for: caller) ?? unusable }
        desk.onEnd = { [weak self] in self?.environmentMayHaveChanged() }
        desk.onRenewed = { [weak self] caller in self?.note(.passcodeSet, by: caller) }
        session.onForget = { [desk] in desk.turns.interruptAll() }
    }

    /// Locks the session: contexts forget what they have earned, prompts close, and when-unlocked items can't be read.
    public func lock() { session.lock() }

    /// The machine is about to sleep. Whoever wakes it must prove again who they are, whether or not the session gets locked.
    public func sleep() { session.sleep() }

    /// The machine is awake again.
    public func wake() { session.wake() }

    /// The owner has unlocked the session.
    public func unlock() { session.unlock() }

    /// The owner's session came to the front of its seat, or another one did.
    public func sessionComesToFront(_ isInFront: Bool) { session.comesToFront(isInFront) }

    /// Whether the owner's session is locked.
    public var isLocked: Bool { session.isLocked }

    /// Tells watchers that a preflight may answer differently: because of a finger, the passcode or a lockout.
    public func environmentMayHaveChanged() { environment.tell() }

    /// The factors that the last unlock of the session still counts for: a biometric unlock, within the given time and within the ceiling.
    func reusableUnlock(within seconds: Double, for caller: Caller) -> Set<Factor>? {
        guard session.wasUnlockedByBiometry(within: seconds), state(for: caller).biometryFailure == nil else { return nil }
        return [.biometry]
    }

    /// Logs an event with whom it is about, in our own words.
    func log(_ event: String, of client: LogClient) {
        if let logsClient { logsClient(event, client) } else { parts.log(event) }
    }

    /// Takes the keys out of memory, before the device ends or at hibernation.
    public func shutDown() {
        desk.turns.interruptAll()
        audit.settleNow()
        parts.passcode.dropKeys()
    }

    /// The owner sets, changes or removes the passcode without any app. If the old one was not given since the start, its keys aren't
    /// available, so it is given first.
    public func ownerSetsPasscode(_ new: SecretBytes?, old: SecretBytes? = nil, _ answer: @escaping (Bool) -> Void) {
        guard parts.passcode.isSet, !parts.passcode.wasGiven, let old else { return change(toPasscode: new, answer) }
        passcode.check(old) { [self] verdict in
            if verdict == .right { change(toPasscode: new, answer) } else { answer(false) }
        }
    }

    private func change(toPasscode new: SecretBytes?, _ answer: @escaping (Bool) -> Void) {
        guard let new else {
            do {
                if parts.passcode.isSet { try parts.passcode.remove() }
                companionDesk.forgetAll()
                try keychain.forgetAnswersAboutLostItems()
                environmentMayHaveChanged()
                return answer(true)
            } catch {
                return answer(false)
            }
        }
        guard (PasscodeLimit.least...PasscodeLimit.most).contains(new.count) else { return answer(false) }
        parts.passcode.set(new, from: .own) { [weak self] isKept in
            self?.environmentMayHaveChanged()
            answer(isKept)
        }
    }

    /// The owner unlocks the session by biometry. Returns false if biometry isn't usable.
    ///
    /// - Parameter isReported: whether the login says that it was by biometry.
    public func ownerUnlocks(isReported: Bool = true) -> Bool {
        let device = Caller(uid: 0, pid: 0, kind: .protected, name: "session", groups: [])
        guard state(for: device).biometryFailure == nil else { return false }
        session.unlock(byBiometry: isReported)
        return true
    }

    /// The owner allows or forbids something, without any app. Returns false if that can't be kept.
    public func ownerAllows(_ allowance: Allowance, _ isAllowed: Bool) -> Bool {
        do {
            try allowances.set(allowance, isAllowed)
            environmentMayHaveChanged()
            return true
        } catch {
            return false
        }
    }

    /// The owner unlocks the session by passcode, which also ends a lockout.
    public func ownerUnlocks(with passcode: SecretBytes, _ answer: @escaping (Bool) -> Void) {
        self.passcode.check(passcode) { [self] verdict in
            guard verdict == .right else { return answer(false) }
            guard clearMisses() else { return answer(false) }
            unlock()
            environmentMayHaveChanged()
            answer(true)
        }
    }

    /// The owner has shown what opens everything: the passcode or the recovery code. So no miss before counts any more. Returns false if
    /// that can't be kept.
    @discardableResult func clearMisses() -> Bool {
        guard parts.ledger.attempts != Attempts() else { return true }
        do {
            try parts.ledger.commit(Attempts())
            return true
        } catch {
            parts.log("the counters of misses can't be written")
            return false
        }
    }

    /// The system's login offers the owner's password. It is as good as one that was typed at a prompt, but unlocks no session.
    func loginOffers(_ password: SecretBytes, isNew: Bool, _ answer: @escaping (OwnerPasscode.Offering) -> Void) {
        passcode.offer(password, isNew: isNew) { [self] offering in
            guard offering == .opened || offering == .renewed else { return answer(offering) }
            clearMisses()
            environmentMayHaveChanged()
            answer(offering)
        }
    }

    /// Whether the owner may allow this here. Only the system's login may open a store by a finger; in user mode every program of the user's
    /// could.
    func mayAllow(_ allowance: Allowance) -> Bool { allowance != .openByFinger || parts.mode == .system }

    /// The owner has just given the passcode, and allows or forbids something.
    func allow(_ allowance: Allowance, _ isAllowed: Bool) async throws(KeychainFailure) {
        switch allowance {
        case .softwareKeys, .weakEnrolment: try allowances.set(allowance, isAllowed)
        // The keybag itself says whether this holds.
        case .openByFinger:
            try await withCheckedContinuation { done in
                parts.passcode.setOpensAtLogin(isAllowed) { done.resume(returning: $0) }
            }.get()
        }
        environmentMayHaveChanged()
    }

    /// The owner's finger has matched at a login. If the passcode hasn't been given and the owner chose that, it opens what a login may
    /// open, until `loginEnds` or `loginStands` says how the login went on. Answers whether biometry is open.
    func ownerLogsIn(_ login: AnyObject, _ answer: @escaping (Bool) -> Void) {
        opening.begins(isOpen: parts.passcode.wasOpenedAtLogin)
        func opened(_ isOpen: Bool) {
            if isOpen { opening.letsIn(login) }
            environmentMayHaveChanged()
            answer(isOpen)
        }
        if parts.passcode.wasGiven { return opened(true) }
        parts.passcode.openAtLogin(opened)
    }

    /// A login that was let in by a finger goes on, which is a biometric unlock of the session that begins. False if it wasn't let in.
    func loginStands(_ login: AnyObject) -> Bool {
        guard opening.stands(login) else { return false }
        session.wasTouched()
        return true
    }

    /// A login is gone. If a finger had let it in and it didn't go on, it has opened nothing.
    func loginEnds(_ login: AnyObject) {
        guard opening.ends(login) else { return }
        parts.passcode.shutAtLogin()
        environmentMayHaveChanged()
    }

    /// Notes in the audit what a caller did, if it isn't about one item.
    func note(_ event: AuditEvent, by caller: Caller, failure: KeychainFailure? = nil, factors: Set<Factor> = [.passcode]) {
        audit.note(
            AuditNote(date: parts.clock.date, event: event, by: caller, failure: failure, factors: factors))
    }

    /// Whether the owner allowed this. A decision that can't be read is no permission.
    public func holds(_ allowance: Allowance) -> Bool {
        switch allowance {
        case .softwareKeys, .weakEnrolment: (try? allowances.holds(allowance)) ?? false
        case .openByFinger: parts.passcode.opensAtLogin
        }
    }

    /// The device as one app sees it. To an app that the owner refused, the sensor isn't available.
    func state(for caller: Caller) -> DeviceState {
        var state = desk.state(for: caller)
        let hasSensor = state.condition != .notAvailable && state.condition != .disconnected
        // Without a sensor and a companion it doesn't matter where the owner is.
        guard hasSensor || !state.companions.isEmpty else { return state }
        // A remote user can't put a finger on this machine's reader, and doesn't see here what a companion is asked for. Whoever does
        // isn't the user who asked.
        let isHere = caller.place != .remote && parts.seat.mayTouch(for: caller)
        if !isHere { state.companions = [] }
        if hasSensor, !isHere || isRefused(caller, state.kind) { state.condition = .notAvailable }
        return state
    }

    private func isRefused(_ caller: Caller, _ kind: BiometryKind) -> Bool {
        guard asksConsent, kind == .faceID else { return false }
        do {
            // A refusal of the owner's own app doesn't count for a program that only claims to be that app. The owner is asked about that
            // one.
            guard try consents.verdict(on: caller.own, .face) == .denied else { return false }
            return isWhatItClaims(caller)
        } catch {
            // A decision that can't be read is no permission.
            return true
        }
    }

    /// Whether the owner must be asked about this app before its first use of the sensor.
    func needsConsent(_ caller: Caller, _ demands: Demands) throws(KeychainFailure) -> Bool {
        guard asksConsent, parts.biometry.kind == .faceID, demands.mention(.biometry) else { return false }
        return try consents.verdict(on: caller.own, .face) == nil
    }

    func capability(_ policy: Policy?, for caller: Caller, context: ContextState) -> Capability {
        let state = state(for: caller)
        func answer(_ failure: EvaluationFailure?) -> Capability {
            Capability(failure: failure, kind: state.kind, domainState: nil)
        }
        if context.isInvalidated { return answer(.invalidContext) }
        guard let policy else { return answer(.invalidParameter) }
        do {
            let demands = try Demands(.policy(policy))
            if let failure = demands.failure(on: state) { return answer(failure) }
            var capability = answer(nil)
            // The enrolment is told for every policy that a finger or a face can satisfy just now, with or without a passcode beside it.
            if state.biometryFailure == nil && demands.mention(.biometry) {
                capability.domainState = domainState(for: caller)
            }
            return capability
        } catch {
            return answer(error)
        }
    }

    /// Whether a program may go on under the bundle identifier that it claims, according to the decisions so far.
    func isWhatItClaims(_ caller: Caller) -> Bool {
        guard asksConsent else { return true }
        do {
            return try keychain.ties.standing(of: caller, notes: false) == .open
        } catch {
            // A decision that can't be read is no permission.
            return false
        }
    }

    /// The present enrolment in the form that one app may see.
    func domainState(for caller: Caller) -> [UInt8]? {
        guard case .known(let digest) = parts.biometry.enrolment, isWhatItClaims(caller) else { return nil }
        return parts.blind(digest, caller.own)
    }

    /// The paired companions in the form that one app may see.
    func companionState(for caller: Caller) -> CompanionState {
        let digest = isWhatItClaims(caller) ? companions.digest.map { parts.blind($0, caller.own) } : nil
        return CompanionState(digest: digest, isNear: !state(for: caller).companions.isEmpty)
    }

    func authority(
        for caller: Caller, context: ContextState, applicationKey: SecretBytes?
    ) throws(KeychainFailure) -> Authority {
        let enrolment = parts.biometry.enrolment
        var caller = caller
        caller.groups = try keychain.groups.list(of: caller)
        return Authority(
            caller: caller, given: context.standing(under: enrolment, pairings: companions.revision), enrolment: enrolment,
            device: state(for: caller),
            isLocked: session.isLocked, applicationKey: applicationKey)
    }

    /// Who holds keys that must not leave: a TPM, or software if the owner allowed it.
    var enclave: (any KeyCustodian)? {
        if let enclave = parts.enclave { return enclave }
        let isAllowed = softwareIsEnough || holds(.softwareKeys)
        return isAllowed ? parts.software : nil
    }

    func status(for caller: Caller) -> DeviceStatus {
        let (state, census) = (state(for: caller), parts.census())
        // If the store can't even say how much it holds, other fields of the status tell of that.
        let usage = (try? parts.store.usage) ?? StoreUsage(items: census.items, bytes: 0)
        return DeviceStatus(
            mode: parts.mode, biometry: state.kind, isEnrolled: state.condition == .ready,
            isBiometryLocked: state.attempts.isBiometryLocked, passcodeIsSet: state.passcodeIsSet,
            passcodeWasGiven: state.passcodeWasGiven, hasRecoveryCode: parts.passcode.hasRecoveryCode,
            isSessionLocked: session.isLocked, items: census.items, quarantined: census.quarantined,
            custodian: census.custodian, enclave: enclave?.custodian, processID: getpid(),
            biometryLevel: state.level, passcodeSource: parts.passcode.source, sensor: parts.biometry.facts,
            isAtDisplay: caller.place.windowSession != nil, hasPromptAgent: parts.prompts.hasAgent(for: caller), usage: usage,
            quota: keychain.quota, opensAtLogin: parts.passcode.opensAtLogin, wasOpenedAtLogin: parts.passcode.wasOpenedAtLogin)
    }
}
