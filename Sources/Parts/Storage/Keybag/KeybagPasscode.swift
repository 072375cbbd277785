public import ThumbAccess
public import ThumbSecrets

// Everything that a passcode or a recovery code does to a keybag. Class keys never change here, only where they are kept, so each change
// rewrites one file once.

extension Keybag {
    /// How the passcode in force opens its slot; nil while none is set.
    public var passcodeWay: PasscodeWay? {
        // This can't fail: `open` has parsed the slot or the slot was made here, and parsing takes no secret memory.
        file[.passcode].flatMap { try? PasscodeSlot($0) }?.way
    }

    /// Whether the passcode slot isn't in the TPM yet although the device slot is. It can move when the passcode is given.
    public var canPasscodeMove: Bool { slotCustodian != nil && passcodeWay?.usesChip == false }

    /// Tries the passcode slot with the key that `passcodeWay` made from a passcode; false if it is wrong.
    ///
    /// Fails with `wrongState` while no passcode is set, and with `keybagDamaged` if the slot holds something other than it should.
    public func openPasscodeSlot(key: SecretBytes) throws(StorageError) -> Bool {
        try storing {
            guard let section = file[.passcode] else { throw StorageError(.wrongState, "no passcode is set") }
            return try Self.intact {
                guard let keys = try PasscodeSlot(section).open(key: key, keybag: id) else { return false }
                guard keys.keys[.passcode] != nil else { throw Malformed() }
                try adopt(keys)
                return true
            }
        }
    }

    /// Puts a passcode in force in the way that is allowed now: as the first one, instead of the one that was given, or, after the recovery
    /// code, instead of a forgotten one.
    ///
    /// Fails with `keyNotAtHand` if one is set and neither it nor the recovery code was given, and as writing does; then nothing changed.
    public func keep(key: SecretBytes, _ way: PasscodeWay, from source: PasscodeSource) throws(StorageError) {
        if !isPasscodeSet {
            try setPasscode(key: key, way, from: source)
        } else if isRecovering && !wasPasscodeGiven {
            try replaceForgottenPasscode(key: key, way, from: source)
        } else {
            try changePasscode(key: key, way, from: source)
        }
        isRecovering = false
    }

    /// Sets the first passcode: `first-unlock` leaves the device slot, and a new `passcode` key is made.
    ///
    /// Fails with `wrongState` if one is set, and as writing does; then nothing changed.
    public func setPasscode(key: SecretBytes, _ way: PasscodeWay, from source: PasscodeSource = .own) throws(StorageError) {
        guard !isPasscodeSet else { throw StorageError(.wrongState, "a passcode is set") }
        try install(key, way, source, newKey: true)
    }

    /// Replaces the passcode by another. The keys stay, and so does every item.
    ///
    /// Fails with `wrongState` if none is set, `keyNotAtHand` unless the old one was given, and as writing does.
    public func changePasscode(key: SecretBytes, _ way: PasscodeWay, from source: PasscodeSource = .own) throws(StorageError) {
        guard isPasscodeSet else { throw StorageError(.wrongState, "no passcode is set") }
        guard wasPasscodeGiven else { throw StorageError(.keyNotAtHand, "changing a passcode that was not given") }
        try install(key, way, source, newKey: false)
    }

    /// Sets a new passcode instead of a forgotten one, after the recovery code was given.
    ///
    /// The forgotten passcode's `passcode` key is lost, and with it every item under it. Fails with `wrongState` if none is set or it was
    /// given after all, `keyNotAtHand` before the recovery slot was opened, and as writing does.
    public func replaceForgottenPasscode(
        key: SecretBytes, _ way: PasscodeWay, from source: PasscodeSource = .own
    ) throws(StorageError) {
        guard isPasscodeSet, !wasPasscodeGiven else { throw StorageError(.wrongState, "no passcode was forgotten") }
        try install(key, way, source, newKey: true)
    }

    private func install(
        _ secret: SecretBytes, _ way: PasscodeWay, _ source: PasscodeSource, newKey: Bool
    ) throws(StorageError) {
        try storing {
            guard !wasOpenedAtLogin, let first = classKey(.firstUnlock) else {
                throw StorageError(.keyNotAtHand, "sealing the first-unlock key")
            }
            let kept = newKey ? nil : classKey(.passcode)
            let key = try kept ?? ClassKey.random()
            let all = KeySet(keys: [.device: device, .firstUnlock: first, .passcode: key])
            try rewrite(standing: { hold(passcode: key) }) {
                if newKey {
                    $0.serial += 1
                    // Whoever replaces a forgotten passcode chooses anew what a login opens.
                    $0[.login] = nil
                }
                $0[.device] = try deviceSlot(hasPasscode: true)
                $0[.passcode] = try PasscodeSlot.make(all, key: secret, way, keybag: id)
                $0[.source] = try SourceSection.make(source)
            }
        }
    }

    /// Removes the passcode. `first-unlock` returns to the device slot; the `passcode` key and every item under it are gone.
    ///
    /// Fails with `wrongState` if none is set, `keyNotAtHand` before it or the recovery code was given, and as writing does.
    public func removePasscode() throws(StorageError) {
        try storing {
            guard isPasscodeSet else { throw StorageError(.wrongState, "no passcode is set") }
            guard !wasOpenedAtLogin else { throw StorageError(.keyNotAtHand, "removing a passcode that was not given") }
            try rewrite(standing: { hold(passcode: nil) }) {
                $0[.device] = try deviceSlot(hasPasscode: false)
                $0[.passcode] = nil
                $0[.source] = nil
                $0[.login] = nil
            }
        }
    }

    /// Makes a recovery code, in the form to print, and the slot that it opens. An older code is void.
    ///
    /// The code stays valid when the passcode changes. Fails with `keyNotAtHand` while `first-unlock` isn't available, and as writing does.
    public func makeRecoveryCode() throws(StorageError) -> SecretBytes {
        try storing {
            guard !wasOpenedAtLogin, let first = classKey(.firstUnlock) else {
                throw StorageError(.keyNotAtHand, "sealing the first-unlock key for recovery")
            }
            let code = try RecoveryCode.random()
            let printed = try RecoveryCode.printed(code)
            let keys = KeySet(keys: [.device: device, .firstUnlock: first])
            try rewrite { $0[.recovery] = try RecoverySlot.make(keys, code: code, keybag: id) }
            return printed
        }
    }

    /// Tries the recovery slot with a typed code. Opens all classes but `passcode`; returns false if the code is wrong. `keep` then
    /// replaces a forgotten passcode.
    ///
    /// Fails with `mistyped` if the check symbols are wrong (nothing was tried), and with `wrongState` without a recovery slot.
    public func openRecoverySlot(_ typed: SecretBytes) throws(StorageError) -> Bool {
        try storing {
            guard let section = file[.recovery] else { throw StorageError(.wrongState, "there is no recovery code") }
            let code = try RecoveryCode.parse(typed)
            return try Self.intact {
                let keys = try RecoverySlot(section).open(code: code, keybag: id)
                if let keys { try adopt(keys) }
                isRecovering = keys != nil
                // What the code opened counts for more than what a login did.
                if isRecovering { isOpenAtLogin = false }
                return isRecovering
            }
        }
    }
}
