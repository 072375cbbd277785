public import ThumbAccess
public import ThumbAuthentication
public import ThumbKeychain
public import ThumbLoop
public import ThumbSecrets

/// One running device: its sensors, keybag and store, the rules over them, and the desk where the owner is asked.
@OnLoop public final class Device {
    /// What a device is assembled from.
    public struct Parts {
        public var mode: DeviceMode
        public var biometry: any Biometry
        public var passcode: any Passcode
        public var prompts: any PromptSource
        public var ledger: any AttemptLedger
        public var clock: any HouseClock
        public var store: any ItemStore
        /// Makes an enrolment unrecognizable outside one app: the same state for the same app, another for another.
        public var blind: (_ enrolment: [UInt8], _ app: String) -> [UInt8]
        /// How many items there are and how many are damaged, for `doctor`.
        public var census: () -> (items: UInt64, quarantined: UInt64)
        /// Something happened that an administrator should know: words of our own, never a peer's.
        public var log: (String) -> Void

        public init(
            mode: DeviceMode, biometry: any Biometry, passcode: any Passcode, prompts: any PromptSource,
            ledger: any AttemptLedger, clock: any HouseClock, store: any ItemStore,
            blind: @escaping ([UInt8], String) -> [UInt8], census: @escaping () -> (items: UInt64, quarantined: UInt64),
            log: @escaping (String) -> Void
        ) {
            self.mode = mode
            self.biometry = biometry
            self.passcode = passcode
            self.prompts = prompts
            self.ledger = ledger
            self.clock = clock
            self.store = store
            self.blind = blind
            self.census = census
            self.log = log
        }
    }

    public let parts: Parts
    let keychain: Keychain
    let desk: EvaluationDesk
    /// Whether the owner's session is locked.
    public private(set) var isLocked = false
    private var onLock: [ObjectIdentifier: () -> Void] = [:]

    public init(_ parts: Parts) {
        self.parts = parts
        let clock = parts.clock
        keychain = Keychain(store: parts.store) { clock.date }
        desk = EvaluationDesk(parts)
    }

    /// Locks the session: what contexts have earned is forgotten, prompts go away, when-unlocked items are shut.
    public func lock() {
        isLocked = true
        for forget in onLock.values { forget() }
        desk.interruptAll()
    }

    public func unlock() { isLocked = false }

    /// Takes the keys out of memory: before the device ends, or at hibernation.
    public func shutDown() {
        desk.interruptAll()
        parts.passcode.dropKeys()
    }

    /// The owner sets, changes or removes the passcode where no app is involved.
    public func ownerSetsPasscode(_ new: SecretBytes?, _ answer: @escaping (Bool) -> Void) {
        guard let new else {
            do {
                if parts.passcode.isSet { try parts.passcode.remove() }
                return answer(true)
            } catch {
                return answer(false)
            }
        }
        guard (PasscodeLimit.least...PasscodeLimit.most).contains(new.count) else { return answer(false) }
        parts.passcode.set(new, answer)
    }

    /// The owner unlocks the session by biometry; false where biometry isn't usable.
    public func ownerUnlocks() -> Bool {
        let device = Caller(uid: 0, pid: 0, kind: .protected, name: "session", groups: [])
        guard state(for: device).biometryFailure == nil else { return false }
        unlock()
        return true
    }

    /// The owner unlocks the session by passcode, which also ends a lockout.
    public func ownerUnlocks(with passcode: SecretBytes, _ answer: @escaping (Bool) -> Void) {
        parts.passcode.check(passcode) { [self] verdict in
            guard verdict == .right else { return answer(false) }
            do {
                if parts.ledger.attempts != Attempts() { try parts.ledger.commit(Attempts()) }
                unlock()
                answer(true)
            } catch {
                answer(false)
            }
        }
    }

    func observeLock(_ owner: AnyObject, _ body: @escaping () -> Void) { onLock[ObjectIdentifier(owner)] = body }
    func ignoreLock(_ owner: AnyObject) { onLock[ObjectIdentifier(owner)] = nil }

    func state(for caller: Caller) -> DeviceState { desk.state(for: caller) }

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
            if state.biometryFailure == nil && demands.mention(.biometry) { capability.domainState = domainState(for: caller) }
            return capability
        } catch {
            return answer(error)
        }
    }

    /// The present enrolment as one app may see it.
    func domainState(for caller: Caller) -> [UInt8]? {
        guard case .known(let digest) = parts.biometry.enrolment else { return nil }
        return parts.blind(digest, caller.groups.first ?? "")
    }

    func authority(for caller: Caller, context: ContextState) -> Authority {
        let enrolment = parts.biometry.enrolment
        return Authority(
            caller: caller, given: context.standing(under: enrolment), enrolment: enrolment, device: state(for: caller),
            isLocked: isLocked)
    }

    func status(for caller: Caller) -> DeviceStatus {
        let state = state(for: caller)
        let census = parts.census()
        return DeviceStatus(
            mode: parts.mode, biometry: state.kind, isEnrolled: state.condition == .ready,
            isBiometryLocked: state.attempts.isBiometryLocked, passcodeIsSet: state.passcodeIsSet,
            passcodeWasGiven: state.passcodeWasGiven, hasRecoveryCode: parts.passcode.hasRecoveryCode,
            isSessionLocked: isLocked, items: census.items, quarantined: census.quarantined, custodian: .software,
            processID: ProcessFacts.ownID)
    }
}
