import CThumbLinux
import ThumbAccess
public import ThumbAuthentication
import ThumbCompanions
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

/// Builds a device from its parts. It only connects them and decides nothing.
@OnLoop public enum Assembly {
    /// For a program that is only the daemon. Call it before anything else.
    public nonisolated static func ownsProcess() { CryptoProcess.needsNoErrorTexts() }

    /// A user's own device, on the store in `state`.
    ///
    /// Fails if the store or keybag can't be opened, and leaves them as they are.
    ///
    /// - Parameters:
    ///   - reader: where to find the user's fingers and session; nil if neither must be asked for.
    ///   - isSeatOpen: whether its owner counts as seated before every prompt, as in a test.
    public static func userDevice(
        state: String, reader: ReaderPlace?, tpm: TPMSetting = .found, helpers: HelperPlaces? = nil,
        isSeatOpen: Bool = false, log: @escaping (String) -> Void
    ) throws(AssemblyError) -> Device {
        let login = LoginSeat()
        let seat: any OwnerSeat = isSeatOpen ? SimulatedSeat() : login
        // If no digest can be made there is no enrolment to compare; with nil it counts as unknown.
        let hash: @Sendable ([UInt8]) -> [UInt8]? = { try? HashFunction.sha256.hash($0) }
        let face = helpers.flatMap { places in
            let models = FaceModelFiles(of: places.uid, name: places.name, worker: Worker(), hash: hash, log: log)
            return Self.face(places, models: { models.read($0) }, log)
        }
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
                hash: hash, log: log)
        }
        let surroundings = Surroundings(
            fingerprint, face, Logind(bus: reader.bus, ownerUser: reader.ownerUser, uid: reader.uid),
            known: KnownReader(in: state, log: log))
        let device = try device(
            state: state, mode: .user, biometry: surroundings, fingers: fingerprint, account: account, prompts: PromptAgents(),
            seat: seat, clock: SystemClock(), cost: .standard, tpm: tpm, meter: MainMeter(), log: log)
        fingerprint?.allowsWeakEnrolment = { [weak device] in device?.holds(Allowance.weakEnrolment) ?? false }
        connect(surroundings, login, to: device)
        return device
    }

    /// A user's device in system mode. Its process has no access to the machine's bus, its TPM or root, and reaches all of these through
    /// descriptors.
    ///
    /// Fails as `userDevice` does.
    ///
    /// - Parameters:
    ///   - machine: reports what happens to the machine and the user's session.
    ///   - hasFace: whether the machine has a face service.
    ///   - reach: makes a connection to a server of devices; nil if there is none. Called on any thread.
    public static func systemDevice(
        of uid: UInt32, state: String, machine: any MachineWatch, isSeatOpen: Bool = false, hasFace: @escaping () -> Bool,
        reach: @escaping @Sendable (Want.Server) -> Int32?, log: @escaping (String) -> Void
    ) throws(AssemblyError) -> Device {
        let helpers = HelperPlaces(
            uid: uid, name: nil, passcode: { reach(.passcode) }, hasFace: hasFace, face: { reach(.face) })
        let login = LoginSeat()
        let reader = RemoteReader(reach: { reach(.reader) }, log: log)
        let face = Self.face(helpers, models: { reader.readFaceModels($0) }, log)
        let surroundings = Surroundings(reader, face, machine, known: KnownReader(in: state, log: log))
        let device = try device(
            state: state, mode: .system, biometry: surroundings, fingers: reader, account: Self.account(helpers, log),
            prompts: PromptAgents(), seat: isSeatOpen ? SimulatedSeat() : login, clock: SystemClock(), cost: .standard,
            tpm: TPMSetting(reach: { reach(.tpm) }), meter: MainMeter(), log: log)
        reader.allowsWeakEnrolment = { [weak device] in device?.holds(Allowance.weakEnrolment) ?? false }
        connect(surroundings, login, to: device)
        return device
    }

    /// Passes on to the device what happens to the machine and the session.
    private static func connect(_ surroundings: Surroundings, _ login: LoginSeat, to device: Device) {
        login.isLocked = { [weak device] in device?.isLocked ?? true }
        surroundings.onLock = { [weak device] (isLocked: Bool) in
            if isLocked { device?.lock() } else { device?.unlock() }
        }
        surroundings.onFront = { [weak device] in device?.sessionComesToFront($0) }
        surroundings.onSleep = { [weak device] in device?.sleep() }
        surroundings.onWake = { [weak device] in device?.wake() }
        surroundings.onChange = { [weak device] in device?.environmentMayHaveChanged() }
    }

    /// A device made of scripted parts, with a store in `state`.
    public static func simulatedDevice(
        state: String, biometry: SimulatedBiometry, prompts: SimulatedPrompts, seat: SimulatedSeat = SimulatedSeat(),
        clock: SimulatedClock, companions: (any Companions)? = nil, meter: MainMeter = MainMeter(),
        log: @escaping (String) -> Void
    ) throws(AssemblyError) -> Device {
        // The lowest cost of stretching: a simulated passcode protects nothing, and a test types it a hundred times.
        let device = try device(
            state: state, mode: .simulated, biometry: biometry, fingers: nil, account: nil, prompts: prompts, seat: seat,
            clock: clock, cost: .least, tpm: .none, companions: companions, meter: meter, log: log)
        biometry.allowsWeakEnrolment = { [weak device] in device?.holds(Allowance.weakEnrolment) ?? false }
        return device
    }

    /// A machine without a face service has no such sensor.
    private static func face(
        _ places: HelperPlaces, models: @escaping (@escaping (FaceModels) -> Void) -> Void, _ log: @escaping (String) -> Void
    ) -> (any Biometry)? {
        guard places.hasFace() else { return nil }
        return FaceSensor(uid: places.uid, isThere: places.hasFace, connect: places.face, models: models, log: log)
    }

    private static func account(_ places: HelperPlaces, _ log: @escaping (String) -> Void) -> any AccountPassword {
        AccountHelper(uid: places.uid, connect: places.passcode, log: log)
    }

    private static func device(
        state: String, mode: DeviceMode, biometry: any Biometry, fingers: (any FingerKeeper)?,
        account: (any AccountPassword)?, prompts: any PromptSource, seat: any OwnerSeat, clock: any HouseClock,
        cost: Stretch.Cost, tpm: TPMSetting, companions: (any Companions)? = nil, meter main: MainMeter,
        log: @escaping (String) -> Void
    ) throws(AssemblyError) -> Device {
        let chip = tpm.chip
        let meter = Meter(main)
        if chip != nil { CryptoProcess.prepare() }
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
                // If either can't be made, the call fails and says nothing about the key.
                spki: { try? PublicKey(external: $0, .elliptic).spki },
                sha256: { try? HashFunction.sha256.hash($0) },  // As above.
                crypto: HouseCrypto(), companions: companions, quota: .standard, meter: meter,
                // A simulated device's apps are in no particular place.
                place: mode == .simulated ? { _, _ in .unknown } : { uid, pid in LoginSessions.place(of: pid, uid: uid) }))
    }

    /// Raises a TPM's counter off the loop, because that takes time.
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

    /// Stretching takes a good part of a second, so it is done off the loop. If the store's salt isn't available, no password is stretched.
    private static func passwordStretch(
        _ keybag: Keybag, _ cost: Stretch.Cost
    ) -> (SecretBytes) -> (@Sendable () -> SecretBytes?)? {
        { password in
            do throws(StorageError) {
                let stretch = try Stretch(forPasswordsUnder: keybag, cost: cost)
                // Without memory there is no key, and the password isn't kept.
                return { try? stretch.stretch(password: password) }
            } catch {  // nil says that the password isn't kept, whatever the reason. Nothing is concluded from it.
                return nil
            }
        }
    }
}

/// How to reach the processes that run PAM. Each call begins a new conversation.
@OnLoop public struct HelperPlaces {
    /// The user whose account it is.
    public var uid: UInt32
    /// The user's name, if this process looks for files of the user's itself.
    public var name: String?
    /// A connection to a helper that judges the account's password; nil if there is none.
    public var passcode: () -> Int32?
    /// Whether the machine has a face service.
    public var hasFace: () -> Bool
    /// A connection to a helper that looks for the owner's face; nil if there is none.
    public var face: () -> Int32?

    public init(
        uid: UInt32, name: String?, passcode: @escaping () -> Int32?, hasFace: @escaping () -> Bool, face: @escaping () -> Int32?
    ) {
        self.uid = uid
        self.name = name
        self.passcode = passcode
        self.hasFace = hasFace
        self.face = face
    }
}

/// Why a device could not be built.
public struct AssemblyError: Error, Sendable {
    /// For the log: our own words and the system's numbers.
    public let reason: String
    /// What clients are told.
    public let refusal: Refusal
    /// Whether a recovery code's check symbols were wrong.
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
