internal import ThumbAccess
internal import ThumbAuthentication
internal import ThumbCrypto
internal import ThumbCustody
internal import ThumbHelpers
public import ThumbLoop
internal import ThumbSecrets
public import ThumbService
public import ThumbSimulation
internal import ThumbStorage

/// Builds the one graph: a device from its parts. It composes and decides nothing.
@OnLoop public enum Assembly {
    /// The user's own device, on the store in `state`.
    ///
    /// Fails when the store or keybag can't be opened; what is there is left as it is.
    public static func userDevice(
        state: String, tpm: TPMSetting = .found, log: @escaping (String) -> Void
    ) throws(AssemblyError) -> Device {
        try device(
            state: state, mode: .user, biometry: NoBiometry(), prompts: PromptAgents(), clock: SystemClock(), cost: .standard,
            tpm: tpm, log: log)
    }

    /// A device of scripted parts, on a store in `state`.
    public static func simulatedDevice(
        state: String, biometry: SimulatedBiometry, prompts: SimulatedPrompts, clock: SimulatedClock,
        log: @escaping (String) -> Void
    ) throws(AssemblyError) -> Device {
        // The least cost of stretching: a simulated passcode protects nothing, and a test types it a hundred times.
        try device(
            state: state, mode: .simulated, biometry: biometry, prompts: prompts, clock: clock, cost: .least, tpm: .none, log: log
        )
    }

    private static func device(
        state: String, mode: DeviceMode, biometry: any Biometry, prompts: any PromptSource, clock: any HouseClock,
        cost: Stretch.Cost, tpm: TPMSetting, log: @escaping (String) -> Void
    ) throws(AssemblyError) -> Device {
        let store: Store
        do throws(StorageError) {
            store = try Store(in: StateFolder(path: state))
        } catch {
            throw AssemblyError(reason: "\(error)")
        }
        if store.items.wasLedgerDamaged { log("the counters of misses were damaged: biometry is locked out until the passcode") }
        let blinding = try blindingKey(store.keybag)
        var parts =
            Device.Parts(
                mode: mode, biometry: biometry, passcode: PasscodeSlot(store, cost: cost, log: log), prompts: prompts,
                ledger: store.items, clock: clock, store: store.items, audit: store.items,
                backups: SealedBackups(cost: cost),
                software: SoftwareCustodian(log: log), enclave: tpm.route.map { TPMCustodian($0, log: log) },
                blind: { digest, app in
                    // Where no MAC can be made there is no state to compare: an empty one never equals a saved one.
                    (try? HMAC256.authenticate(digest + [0] + Array(app.utf8), key: blinding)) ?? []
                },
                stretch: passwordStretch(store.keybag, cost),
                census: { (items: store.items.count, quarantined: UInt64(store.items.quarantined)) }, log: log)
        if mode != .simulated { parts.place = { uid, pid in LoginSessions.place(of: pid, uid: uid) } }
        return Device(parts)
    }

    /// Stretching takes a good part of a second, so it is done off the loop.
    private static func passwordStretch(
        _ keybag: Keybag, _ cost: Stretch.Cost
    ) -> (SecretBytes, @escaping (SecretBytes?) -> Void) -> Void {
        { password, answer in
            guard let stretch = try? Stretch(forPasswordsUnder: keybag, cost: cost) else { return answer(nil) }
            let reply = LoopBox(answer)
            let isTaken = Worker.shared.run({ try? stretch.stretch(password: password) }, then: { reply.value($0) })
            if !isTaken { answer(nil) }
        }
    }

    private static func blindingKey(_ keybag: Keybag) throws(AssemblyError) -> SecretBytes {
        do {
            guard let device = keybag.key(.device) else { throw AssemblyError(reason: "the device key is not at hand") }
            return try HKDF.derive(secret: device, salt: [], info: Array("thumbturn domain state".utf8), count: 32)
        } catch let error as AssemblyError {
            throw error
        } catch {
            throw AssemblyError(reason: "\(error)")
        }
    }
}

/// Why a device could not be built.
public struct AssemblyError: Error, Sendable {
    /// For the log: words of our own and numbers of the system's.
    public let reason: String

    init(reason: String) { self.reason = reason }
}
