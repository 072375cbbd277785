import ThumbAccess
import ThumbAuthentication
import ThumbLoop
import ThumbSecrets
import ThumbService
import ThumbStorage

/// The keybag's passcode slot in the form that the rules use. Stretching a passcode takes a good part of a second, so it is done off the
/// loop.
@OnLoop final class StorePasscode {
    private let store: Store
    private var keybag: Keybag { store.keybag }
    private let cost: Stretch.Cost
    private let meter: Meter
    private let log: (String) -> Void
    /// Whether the chip refused the login slot, so that nobody is asked for a finger in vain.
    private var wasStartedOtherwise = false

    init(_ store: Store, cost: Stretch.Cost, meter: Meter = Meter(), log: @escaping (String) -> Void) {
        self.store = store
        self.cost = cost
        self.meter = meter
        self.log = log
    }

    /// Runs slow work in the passcodes' own lane, and goes on with the result.
    private func slowly<Value: Sendable>(
        _ work: @escaping @Sendable () throws(StorageError) -> Value,
        then: @escaping @OnLoop @Sendable (Result<Value, StorageError>) -> Void
    ) -> Bool {
        meter.judge(
            { () -> Result<Value, StorageError> in
                do throws(StorageError) { return .success(try work()) } catch { return .failure(error) }
            }, then: then)
    }

    private func failed(_ what: String, _ error: any Error) {
        log("\(what): \(error)")
    }
}

extension StorePasscode: @OnLoop Passcode {
    var isSet: Bool { keybag.isPasscodeSet }
    var source: PasscodeSource { keybag.passcodeSource }
    var wasGiven: Bool { keybag.wasPasscodeGiven }
    var hasRecoveryCode: Bool { keybag.hasRecoverySlot }

    func check(_ passcode: SecretBytes, _ answer: @escaping (PasscodeVerdict) -> Void) {
        guard let way = keybag.passcodeWay else { return answer(.failed) }
        // No passcode is that short or that long, so it is wrong without being stretched, and not worth a line in the log.
        guard (PasscodeLimit.least...PasscodeLimit.most).contains(passcode.count) else { return answer(.wrong) }
        let (reply, chip) = (LoopBox(answer), keybag.slotCustodian)
        let accepted = slowly { () throws(StorageError) in
            try way.key(of: passcode, chip: chip)
        } then: { [self] key in
            do {
                guard let key = try key.get() else { return reply.value(.wrong) }
                let isRight = try keybag.openPasscodeSlot(key: key)
                if isRight, keybag.canPasscodeMove { return moveIntoChip(passcode, reply) }
                reply.value(isRight ? .right : .wrong)
            } catch {
                failed("the passcode slot could not be tried", error)
                reply.value((error as? StorageError)?.code == .custodianLocked ? .waits : .failed)
            }
        }
        if !accepted { answer(.failed) }
    }

    /// Moves a slot from before there was a TPM into the TPM, now that the passcode is known. The passcode was right, whether or not this
    /// succeeds.
    private func moveIntoChip(_ passcode: SecretBytes, _ reply: LoopBox<(PasscodeVerdict) -> Void>) {
        seal(passcode, keybag.passcodeSource) { [self] result in
            if case .failure(let error) = result { failed("the passcode slot could not be moved into the TPM", error) }
            reply.value(.right)
        }
    }

    func set(_ passcode: SecretBytes, from source: PasscodeSource, _ answer: @escaping (Bool) -> Void) {
        let reply = LoopBox(answer)
        seal(passcode, source) { [self] result in
            switch result {
            case .failure(let error):
                failed("the new passcode could not be kept", error)
                reply.value(false)
            case .success:
                reply.value(true)
            }
        }
    }

    /// Makes a way for the passcode and puts it in force, as far as what was given before allows that.
    private func seal(
        _ passcode: SecretBytes, _ source: PasscodeSource, _ answer: @escaping (Result<Void, any Error>) -> Void
    ) {
        let (reply, chip, cost) = (LoopBox(answer), keybag.slotCustodian, cost)
        let accepted = slowly { () throws(StorageError) in
            try PasscodeWay.make(for: passcode, cost: cost, chip: chip)
        } then: { [self] made in
            reply.value(
                Result {
                    let (way, key) = try made.get()
                    try keybag.keep(key: key, way, from: source)
                })
        }
        if !accepted { answer(.failure(AssemblyError(reason: "too many passcodes wait to be stretched"))) }
    }

    func remove() throws { try store.removePasscode() }

    func makeRecoveryCode() throws -> SecretBytes { try keybag.makeRecoveryCode() }

    func checkRecoveryCode(_ code: SecretBytes, _ answer: @escaping (PasscodeVerdict) -> Void) {
        do throws(StorageError) {
            answer(try keybag.openRecoverySlot(code) ? .right : .wrong)
        } catch {
            // What can't be a code wasn't tried. It is wrong, and not worth a line in the log.
            if error.code == .mistyped { return answer(.wrong) }
            failed("the recovery slot could not be tried", error)
            answer(.failed)
        }
    }

    func dropKeys() { keybag.dropKeys() }

    var opensAtLogin: Bool { keybag.loginWay != nil && keybag.slotCustodian != nil && !wasStartedOtherwise }
    var wasOpenedAtLogin: Bool { keybag.wasOpenedAtLogin }

    func setOpensAtLogin(_ opens: Bool, _ answer: @escaping (Result<Void, KeychainFailure>) -> Void) {
        guard opens else {
            return answer(Result { () throws(StorageError) in try keybag.removeLoginSlot() }.mapError(\.keychainFailure))
        }
        guard let chip = keybag.slotCustodian else { return answer(.failure(.custodianAbsent)) }
        let reply = LoopBox(answer)
        let accepted = slowly { () throws(StorageError) in
            try ChipWay.make(guardedBy: .start, chip: chip)
        } then: { [self] made in
            do {
                let (way, half) = try made.get()
                try keybag.keepLoginSlot(half: half, way)
                wasStartedOtherwise = false
                reply.value(.success(()))
            } catch {
                failed("the login slot could not be made", error)
                reply.value(.failure((error as? StorageError)?.keychainFailure ?? .internalFailure))
            }
        }
        if !accepted { answer(.failure(.internalFailure)) }
    }

    func shutAtLogin() { keybag.shutLoginSlot() }

    func openAtLogin(_ answer: @escaping (Bool) -> Void) {
        guard let way = keybag.loginWay, let chip = keybag.slotCustodian else { return answer(false) }
        let reply = LoopBox(answer)
        let accepted = slowly { () throws(StorageError) in
            try way.half(chip: chip)
        } then: { [self] half in
            do {
                guard let half = try half.get() else {
                    // A slot that was made meanwhile is made for this start.
                    guard keybag.loginWay == way else { return reply.value(false) }
                    wasStartedOtherwise = true
                    log("the login slot stays shut, because this machine was started in another way than when it was made")
                    return reply.value(false)
                }
                reply.value(try keybag.openLoginSlot(half: half))
            } catch {
                failed("the login slot could not be opened", error)
                reply.value(false)
            }
        }
        if !accepted { answer(false) }
    }
}
