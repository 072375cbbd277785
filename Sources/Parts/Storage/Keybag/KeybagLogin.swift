import ThumbAccess
public import ThumbSecrets

// What a login by finger does to a keybag: a TPM can't check a finger, so the owner may choose that this machine's own word is enough for the
// first-unlock key.

extension Keybag {
    /// How the login slot opens; nil while there is none.
    public var loginWay: ChipWay? {
        // This can't fail: `open` has parsed the slot or the slot was made here, and parsing takes no secret memory.
        file[.login].flatMap { try? LoginSlot($0) }?.way
    }

    /// Whether the login slot was opened since the keys were last forgotten, and the passcode hasn't been given.
    public var wasOpenedAtLogin: Bool { isOpenAtLogin && !wasPasscodeGiven }

    /// Puts a login slot beside the passcode slot. Fails with `wrongState` while no passcode is set, with `keyNotAtHand` before it was given,
    /// and as writing does; then nothing changed.
    public func keepLoginSlot(half: SecretBytes, _ way: ChipWay) throws(StorageError) {
        try storing {
            guard isPasscodeSet else { throw StorageError(.wrongState, "no passcode is set") }
            guard wasPasscodeGiven, let first = classKey(.firstUnlock) else {
                throw StorageError(.keyNotAtHand, "sealing the first-unlock key for logins")
            }
            let keys = KeySet(keys: [.device: device, .firstUnlock: first])
            try rewrite { $0[.login] = try LoginSlot.make(keys, half: half, way, keybag: id) }
        }
    }

    /// Forgets what the login slot opened, unless the passcode was given since.
    public func shutLoginSlot() {
        if wasOpenedAtLogin { dropKeys() }
    }

    /// Erases the login slot. What it opened stays open, and stays known as opened by a login.
    public func removeLoginSlot() throws(StorageError) {
        try storing { if file[.login] != nil { try rewrite { $0[.login] = nil } } }
    }

    /// Opens the login slot with the chip's half; false if that isn't the slot's.
    public func openLoginSlot(half: SecretBytes) throws(StorageError) -> Bool {
        try storing {
            guard let section = file[.login] else { throw StorageError(.wrongState, "there is no login slot") }
            return try Self.intact {
                guard let keys = try LoginSlot(section).open(half: half, keybag: id) else { return false }
                guard keys.keys[.passcode] == nil else { throw Malformed() }
                // What was open already was opened by the passcode or the recovery code, or by an earlier login.
                let wasOpen = classKey(.firstUnlock) != nil
                try adopt(keys)
                if !wasOpen { isOpenAtLogin = true }
                return true
            }
        }
    }
}
