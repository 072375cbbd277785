internal import ThumbAuthentication
internal import ThumbLoop
internal import ThumbSecrets
internal import ThumbStorage

/// The keybag's passcode slot as the rules see it. Stretching a passcode takes a good part of a second, so it is done off the loop.
@OnLoop final class PasscodeSlot {
    private let store: Store
    private var keybag: Keybag { store.keybag }
    private let cost: Stretch.Cost
    private let log: (String) -> Void
    /// The recovery code was right: the next passcode replaces a forgotten one.
    private var isRecovering = false

    init(_ store: Store, cost: Stretch.Cost, log: @escaping (String) -> Void) {
        self.store = store
        self.cost = cost
        self.log = log
    }

    private func stretched(
        _ passcode: SecretBytes, _ stretch: Stretch, then: @escaping @OnLoop @Sendable (SecretBytes?) -> Void
    ) -> Bool {
        Worker.shared.run({ try? stretch.stretch(passcode) }, then: then)
    }

    private func failed(_ what: String, _ error: any Error) {
        log("\(what): \(error)")
    }
}

extension PasscodeSlot: @OnLoop Passcode {
    var isSet: Bool { keybag.isPasscodeSet }
    var wasGiven: Bool { keybag.wasPasscodeGiven }
    var hasRecoveryCode: Bool { keybag.hasRecoverySlot }

    func check(_ passcode: SecretBytes, _ answer: @escaping (PasscodeVerdict) -> Void) {
        guard let stretch = keybag.passcodeStretch else { return answer(.failed) }
        let reply = LoopBox(answer)
        let accepted = stretched(passcode, stretch) { [self] key in
            guard let key else { return reply.value(.failed) }
            do {
                reply.value(try keybag.openPasscodeSlot(stretched: key) ? .right : .wrong)
            } catch {
                failed("the passcode slot could not be tried", error)
                reply.value(.failed)
            }
        }
        if !accepted { answer(.failed) }
    }

    func set(_ passcode: SecretBytes, _ answer: @escaping (Bool) -> Void) {
        guard let stretch = try? Stretch(cost: cost) else { return answer(false) }
        let reply = LoopBox(answer)
        let accepted = stretched(passcode, stretch) { [self] key in
            guard let key else { return reply.value(false) }
            do {
                if !keybag.isPasscodeSet {
                    try keybag.setPasscode(stretched: key, stretch)
                } else if isRecovering {
                    try keybag.replaceForgottenPasscode(stretched: key, stretch)
                } else {
                    try keybag.changePasscode(stretched: key, stretch)
                }
                isRecovering = false
                reply.value(true)
            } catch {
                failed("the new passcode could not be kept", error)
                reply.value(false)
            }
        }
        if !accepted { answer(false) }
    }

    func remove() throws { try store.removePasscode() }

    func makeRecoveryCode() throws -> SecretBytes { try keybag.makeRecoveryCode() }

    func checkRecoveryCode(_ code: SecretBytes, _ answer: @escaping (PasscodeVerdict) -> Void) {
        do {
            isRecovering = try keybag.openRecoverySlot(code)
            answer(isRecovering ? .right : .wrong)
        } catch {
            failed("the recovery slot could not be tried", error)
            answer(.failed)
        }
    }

    func dropKeys() { keybag.dropKeys() }
}
