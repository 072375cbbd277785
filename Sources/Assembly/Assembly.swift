import CThumbLinux
import ThumbAccess
import ThumbAuthentication
public import ThumbConversation
import ThumbCrypto
import ThumbCustody
import ThumbHelpers
public import ThumbLoop
import ThumbSecrets
public import ThumbSensors
public import ThumbService
public import ThumbSimulation
import ThumbStorage

/// Builds the one graph: a device from its parts. It composes and decides nothing.
@OnLoop public enum Assembly {
    /// For a program that is the daemon and nothing else, before it does anything.
    public nonisolated static func ownsProcess() { CryptoProcess.needsNoErrorTexts() }

    /// A user's own device, on the store in `state`.
    ///
    /// Fails when the store or keybag can't be opened; what is there is left as it is.
    ///
    /// - Parameters:
    ///   - reader: where the user's fingers and session are; nil where nobody is to be asked for either.
    ///   - isSeatOpen: whether its owner counts as seated before every prompt, as a test's does.
    public static func userDevice(
        state: String, reader: ReaderPlace?, tpm: TPMSetting = .found, helpers: HelperPlaces? = nil,
        isSeatOpen: Bool = false, log: @escaping (String) -> Void
    ) throws(AssemblyError) -> Device {
        let login = LoginSeat()
        let seat: any OwnerSeat = isSeatOpen ? SimulatedSeat() : login
        let face = helpers.flatMap { Self.face($0, log) }
        let account = helpers.map { Self.account($0, log) }
        guard let reader else {
            return try device(
                state: state, mode: .user, biometry: face ?? NoSensor(), fingers: nil, account: account,
                prompts: PromptAgents(), seat: seat, clock: SystemClock(), cost: .standard, tpm: tpm, meter: MainMeter(), log: log
            )
        }
        let fingerprint = reader.user.map { user in
            Fingerprint(
                Fingerprint.Place(bus: reader.bus, ownerUser: reader.ownerUser, templates: reader.templates, user: user),
                // Where no digest can be made there is no enrolment to compare: nil, and it is as unknown.
                hash: { try? HashFunction.sha256.hash($0) }, log: log)
        }
        let surroundings = Surroundings(
            fingerprint, face, Logind(bus: reader.bus, ownerUser: reader.ownerUser, uid: reader.uid))
        let device = try device(
            state: state, mode: .user, biometry: surroundings, fingers: fingerprint, account: account, prompts: PromptAgents(),
            seat: seat, clock: SystemClock(), cost: .standard, tpm: tpm, meter: MainMeter(), log: log)
        fingerprint?.allowsWeakEnrolment = { [weak device] in device?.holds(Allowance.weakEnrolment) ?? false }
        connect(surroundings, login, to: device)
        return device
    }

    /// A user's device in system mode: a process without the machine's bus, its TPM or root, which reaches all of that by descriptors.
    ///
    /// Fails as `userDevice` does.
    ///
    /// - Parameters:
    ///   - machine: what becomes of the machine and the user's session.
    ///   - hasFace: whether the machine has a face service.
    ///   - reach: a connection to who serves devices; nil where there is none. Called on any thread.
    public static func systemDevice(
        of uid: UInt32, state: String, machine: any MachineWatch, isSeatOpen: Bool = false, hasFace: @escaping () -> Bool,
        reach: @escaping @Sendable (Want.Server) -> Int32?, log: @escaping (String) -> Void
    ) throws(AssemblyError) -> Device {
        let helpers = HelperPlaces(uid: uid, passcode: { reach(.passcode) }, hasFace: hasFace, face: { reach(.face) })
        let face = Self.face(helpers, log)
        let login = LoginSeat()
        let reader = RemoteReader(reach: { reach(.reader) }, log: log)
        let surroundings = Surroundings(reader, face, machine)
        let device = try device(
            state: state, mode: .system, biometry: surroundings, fingers: reader, account: Self.account(helpers, log),
            prompts: PromptAgents(), seat: isSeatOpen ? SimulatedSeat() : login, clock: SystemClock(), cost: .standard,
            tpm: TPMSetting(reach: { reach(.tpm) }), meter: MainMeter(), log: log)
        reader.allowsWeakEnrolment = { [weak device] in device?.holds(Allowance.weakEnrolment) ?? false }
        connect(surroundings, login, to: device)
        return device
    }

    /// What becomes of the machine and the session becomes of the device.
    private static func connect(_ surroundings: Surroundings, _ login: LoginSeat, to device: Device) {
        login.isLocked = { [weak device] in device?.isLocked ?? true }
        surroundings.onLock = { [weak device] (isLocked: Bool) in
            if isLocked { device?.lock() } else { device?.unlock() }
        }
        surroundings.onSleep = { [weak device] in device?.sleep() }
        surroundings.onChange = { [weak device] in device?.environmentMayHaveChanged() }
    }

    /// A device of scripted parts, on a store in `state`.
    public static func simulatedDevice(
        state: String, biometry: SimulatedBiometry, prompts: SimulatedPrompts, seat: SimulatedSeat = SimulatedSeat(),
        clock: SimulatedClock, meter: MainMeter = MainMeter(), log: @escaping (String) -> Void
    ) throws(AssemblyError) -> Device {
        // The least cost of stretching: a simulated passcode protects nothing, and a test types it a hundred times.
        try device(
            state: state, mode: .simulated, biometry: biometry, fingers: nil, account: nil, prompts: prompts, seat: seat,
            clock: clock, cost: .least, tpm: .none, meter: meter, log: log)
    }

    /// A machine without a face service has no such sensor at all.
    private static func face(_ places: HelperPlaces, _ log: @escaping (String) -> Void) -> (any Biometry)? {
        guard places.hasFace() else { return nil }
        return FaceSensor(uid: places.uid, isThere: places.hasFace, connect: places.face, log: log)
    }

    private static func account(_ places: HelperPlaces, _ log: @escaping (String) -> Void) -> any AccountPassword {
        AccountHelper(uid: places.uid, connect: places.passcode, log: log)
    }

    private static func device(
        state: String, mode: DeviceMode, biometry: any Biometry, fingers: (any FingerKeeper)?,
        account: (any AccountPassword)?, prompts: any PromptSource, seat: any OwnerSeat, clock: any HouseClock,
        cost: Stretch.Cost, tpm: TPMSetting, meter main: MainMeter, log: @escaping (String) -> Void
    ) throws(AssemblyError) -> Device {
        let chip = tpm.chip
        let meter = Meter(main)
        let store: Store
        do throws(StorageError) {
            store = try Store(in: StateFolder(path: state), chip: chip)
        } catch {
            throw AssemblyError(error)
        }
        watchAnchor(of: store, log)
        if store.items.wasLedgerDamaged { log("the counters of misses were damaged: biometry is locked out until the passcode") }
        let blinding: DomainBlinding
        do throws(StorageError) { blinding = try DomainBlinding(store.keybag) } catch { throw AssemblyError(error) }
        return Device(
            Device.Parts(
                mode: mode, biometry: biometry, fingers: fingers,
                passcode: StorePasscode(store, cost: cost, meter: meter, log: log), account: account, prompts: prompts,
                seat: seat,
                ledger: store.items, clock: clock, store: store.items, tables: store.items, audit: store.items,
                backups: SealedBackups(cost: cost, meter: meter),
                software: SoftwareCustodian(log: log), enclave: chip.map { TPMCustodian($0, log: log) },
                blind: { digest, app in blinding.blinded(digest, for: app) },
                stretch: passwordStretch(store.keybag, cost),
                census: {
                    StoreCensus(
                        items: store.items.count, quarantined: UInt64(store.items.quarantined),
                        custodian: store.keybag.slotCustodian == nil ? .software : .tpm)
                },
                log: log,
                // Where neither can be made the call fails, and says nothing about the key.
                spki: { try? PublicKey(external: $0, .elliptic).spki },
                sha256: { try? HashFunction.sha256.hash($0) },  // As above.
                quota: .standard, meter: meter,
                // A simulated device's apps sit nowhere in particular.
                place: mode == .simulated ? { _, _ in .unknown } : { uid, pid in LoginSessions.place(of: pid, uid: uid) }))
    }

    /// A TPM takes its time to count, so it counts off the loop.
    private static func watchAnchor(of store: Store, _ log: @escaping (String) -> Void) {
        if let error = store.keybag.chipRefusal { log("the keybag's slots are not in the TPM: \(error)") }
        if let error = store.items.anchorRefusal { log("no counter of the TPM shows whether the store is the latest: \(error)") }
        let items = store.items
        items.countElsewhere = { [weak items] work in
            let place = LoopBox(items)
            return Worker.shared.run(work) { counted in
                place.value?.anchored(counted)
                if case .failure(let error) = counted { log("the TPM didn't count: \(error)") }
            }
        }
    }

    /// Stretching takes a good part of a second, so it is done off the loop. No password is stretched where the store's salt can't be had.
    private static func passwordStretch(
        _ keybag: Keybag, _ cost: Stretch.Cost
    ) -> (SecretBytes) -> (@Sendable () -> SecretBytes?)? {
        { password in
            do throws(StorageError) {
                let stretch = try Stretch(forPasswordsUnder: keybag, cost: cost)
                // Without memory for it there is no key, and the password isn't kept.
                return { try? stretch.stretch(password: password) }
            } catch {  // nil says that the password isn't kept, whatever the reason; nothing is concluded from it.
                return nil
            }
        }
    }
}

/// How the processes that run PAM are reached: each call begins a conversation of its own.
@OnLoop public struct HelperPlaces {
    /// Whose account it is.
    public var uid: UInt32
    /// A connection to a helper that judges the account's password; nil where there is none.
    public var passcode: () -> Int32?
    /// Whether the machine has a face service.
    public var hasFace: () -> Bool
    /// A connection to a helper that looks for the owner's face; nil where there is none.
    public var face: () -> Int32?

    public init(
        uid: UInt32, passcode: @escaping () -> Int32?, hasFace: @escaping () -> Bool, face: @escaping () -> Int32?
    ) {
        self.uid = uid
        self.passcode = passcode
        self.hasFace = hasFace
        self.face = face
    }
}

/// Why a device could not be built.
public struct AssemblyError: Error, Sendable {
    /// For the log: words of our own and numbers of the system's.
    public let reason: String
    /// What clients are told.
    public let refusal: Refusal
    /// A recovery code's check symbols were wrong.
    public let isMistyped: Bool

    init(reason: String) { (self.reason, refusal, isMistyped) = (reason, .storeUnavailable, false) }

    init(_ error: StorageError) {
        reason = "\(error)"
        isMistyped = error.code == .mistyped
        refusal =
            switch error.code {
            case .custodianAbsent, .custodianLost, .custodianLocked, .custodianForeign, .custodianRefused: .custodianUnavailable
            case .oldCopy: .oldCopy
            case .logMissing, .recordsMismatch: .storeIncomplete
            default: .storeUnavailable
            }
    }
}
