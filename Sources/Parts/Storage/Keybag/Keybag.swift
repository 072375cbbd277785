public import ThumbAccess
import ThumbCrypto
public import ThumbKeychain
public import ThumbSecrets

/// Keeps a user's three class keys, and the slots that hold them on disk.
///
/// After a start with a passcode set, only the `device` key is available. Not thread-safe: it lives where its folder does.
public final class Keybag {
    let folder: StateFolder
    private(set) var file: KeybagFile
    let device: ClassKey
    let deviceKeys: DeviceKeys
    private(set) var deviceWay: DeviceWay
    private var firstUnlock: ClassKey?
    private var passcode: ClassKey?
    private let chip: (any SlotCustodian)?
    /// Why the device slot isn't in the machine's TPM; nil if it is, or if there is no TPM.
    public private(set) var chipRefusal: StorageError?
    /// Whether the recovery code opened it because its TPM couldn't.
    private(set) var wasRecovered = false
    /// Whether the login slot was opened since the keys were last forgotten.
    var isOpenAtLogin = false
    /// Whether the recovery code was given since the passcode was last set. The next passcode may then replace a forgotten one.
    var isRecovering = false

    /// The keybag's name. Everything that is sealed under it is bound to this name.
    public var id: [UInt8] { file.id }

    /// The TPM in which new slots are made: the one that holds the device slot.
    public var slotCustodian: (any SlotCustodian)? {
        if case .chip = deviceWay { chip } else { nil }
    }

    /// Opens the folder's keybag. If a TPM is available, a device slot in the file moves into it; `chipRefusal` says why it didn't.
    ///
    /// Fails with `keybagMissing`, `keybagDamaged`, `newer` or a custodian's code, and leaves the file as it is.
    public static func open(in folder: StateFolder, chip: (any SlotCustodian)? = nil) throws(StorageError) -> Keybag {
        try storing {
            let (file, bytes) = try read(folder)
            let keybag = try intact {
                guard let slot = file[.device] else { throw Malformed() }
                let (held, way) = try DeviceSlot.open(slot, keybag: file.id, chip: chip)
                // A first-unlock key in plain text beside a passcode slot would protect nothing.
                guard (held.keys[.firstUnlock] == nil) == (file[.passcode] != nil) else { throw Malformed() }
                return try Keybag(folder, file, bytes, held, way, chip)
            }
            try keybag.moveDeviceSlot()
            return keybag
        }
    }

    /// Opens a keybag whose TPM is gone, with the recovery code, and makes a new device slot for what the machine has now; nil if the code
    /// is wrong. A passcode slot in the old TPM stays closed: the recovery code then sets a new passcode.
    ///
    /// Fails as `open` does, with `mistyped` if the code's check symbols are wrong, and with `wrongState` without a recovery slot.
    public static func recover(
        in folder: StateFolder, code typed: SecretBytes, chip: (any SlotCustodian)?
    ) throws(StorageError) -> Keybag? {
        try storing {
            let (file, bytes) = try read(folder)
            guard let slot = file[.recovery] else { throw StorageError(.wrongState, "there is no recovery code") }
            let code = try RecoveryCode.parse(typed)
            let opened = try intact { () throws -> Keybag? in
                guard let held = try RecoverySlot(slot).open(code: code, keybag: file.id) else { return nil }
                return try Keybag(folder, file, bytes, held, .file, chip)
            }
            guard let keybag = opened else { return nil }
            keybag.wasRecovered = true
            // A login slot is for the chip that is gone.
            try keybag.sealDevice(in: keybag.wayHere(), erasing: .login)
            return keybag
        }
    }

    private static func read(_ folder: StateFolder) throws -> (KeybagFile, SecretBytes) {
        guard let bytes = try folder.read(KeybagFile.name, limit: KeybagFile.limit) else {
            throw StorageError(.keybagMissing, "opening the keybag")
        }
        // An unfinished draft may hold unsealed what the keybag itself holds sealed.
        try folder.remove(StateFolder.draft(of: KeybagFile.name))
        return (try KeybagFile.parse(bytes), bytes)
    }

    /// Makes a keybag with new keys in a folder that has none. The items database has to be founded next.
    ///
    /// Fails with `wrongState` if there is one, and if the folder can't be written.
    public static func create(in folder: StateFolder, chip: (any SlotCustodian)? = nil) throws(StorageError) -> Keybag {
        try storing {
            guard try folder.size(of: KeybagFile.name) == nil else { throw StorageError(.wrongState, "a keybag is there") }
            let (device, firstUnlock) = (try ClassKey.random(), try ClassKey.random())
            let file = KeybagFile(
                state: .founding, id: try Random.bytes(count: KeybagFile.idBytes), revision: 0, serial: 0, sections: [])
            let keybag = Keybag(folder, file, device, try DeviceKeys(device), firstUnlock, .file, chip)
            try keybag.sealDevice(in: keybag.wayHere())
            return keybag
        }
    }

    private convenience init(
        _ folder: StateFolder, _ file: KeybagFile, _ bytes: SecretBytes, _ held: KeySet, _ way: DeviceWay,
        _ chip: (any SlotCustodian)?
    ) throws {
        guard let device = held.keys[.device] else { throw Malformed() }
        let derived = try DeviceKeys(device)
        guard try KeybagFile.isAuthentic(bytes, key: derived.keybagFile) else { throw Malformed() }
        if let slot = file[.passcode] { _ = try PasscodeSlot(slot) }
        if let slot = file[.login] {
            _ = try LoginSlot(slot)
            guard file[.passcode] != nil else { throw Malformed() }
        }
        _ = try SourceSection.read(file)
        self.init(folder, file, device, derived, held.keys[.firstUnlock], way, chip)
    }

    private init(
        _ folder: StateFolder, _ file: KeybagFile, _ device: ClassKey, _ derived: DeviceKeys, _ firstUnlock: ClassKey?,
        _ way: DeviceWay, _ chip: (any SlotCustodian)?
    ) {
        self.folder = folder
        self.file = file
        self.device = device
        deviceKeys = derived
        self.firstUnlock = firstUnlock
        deviceWay = way
        self.chip = chip
    }

    // MARK: The device slot

    private func moveDeviceSlot() throws {
        guard case .file = deviceWay, chip != nil else { return }
        let way = wayHere()
        if case .chip = way { try sealDevice(in: way) }
    }

    /// How a device slot is protected here and now. If the TPM refuses, the slot is the same as on a machine without a TPM.
    private func wayHere() -> DeviceWay {
        guard let chip else { return .file }
        do throws(StorageError) {
            return .chip(try DeviceSeal(chip))
        } catch {
            chipRefusal = error
            return .file
        }
    }

    private func sealDevice(in way: DeviceWay, erasing purpose: KeybagFile.Purpose? = nil) throws {
        try rewrite(standing: { deviceWay = way }) {
            $0[.device] = try deviceSlot(way)
            if let purpose { $0[purpose] = nil }
        }
    }

    /// The device slot that the passcode requires: with a passcode it doesn't hold the first-unlock key.
    func deviceSlot(_ way: DeviceWay? = nil, hasPasscode: Bool? = nil) throws -> KeybagFile.Section {
        var keys: [KeyClass: ClassKey] = [.device: device]
        if !(hasPasscode ?? isPasscodeSet) {
            guard let firstUnlock else { throw StorageError(.keyNotAtHand, "moving the first-unlock key") }
            keys[.firstUnlock] = firstUnlock
        }
        return try DeviceSlot.make(KeySet(keys: keys), way ?? deviceWay, keybag: id)
    }

    /// The class key, or nil while it isn't available.
    public func key(_ keyClass: KeyClass) -> SecretBytes? { classKey(keyClass)?.root }

    func classKey(_ keyClass: KeyClass) -> ClassKey? {
        switch keyClass {
        case .device: device
        case .firstUnlock: firstUnlock
        case .passcode: passcode
        }
    }

    /// Whether a passcode guards this keybag.
    public var isPasscodeSet: Bool { file[.passcode] != nil }

    /// Whether the passcode was given since the keys were last forgotten, so that all classes are available.
    public var wasPasscodeGiven: Bool { passcode != nil }

    /// Whether a recovery code was made.
    public var hasRecoverySlot: Bool { file[.recovery] != nil }

    /// The number of the `passcode` key in force; nil while no passcode is set. Items under another number are gone for good.
    var passcodeSerial: UInt32? { isPasscodeSet ? file.serial : nil }

    /// Forgets the keys that a passcode protects, as at shutdown. Without a passcode there are none to forget.
    public func dropKeys() {
        guard isPasscodeSet else { return }
        firstUnlock = nil
        passcode = nil
        isOpenAtLogin = false
    }

    /// The counter that tells whether the store's total is the latest; nil if there is none.
    func anchor() throws -> Anchor? {
        guard let slotCustodian else { return nil }
        return try Anchor(slotCustodian, keybag: id, device: device.root)
    }

    /// Grows each time the file is rewritten.
    var revision: UInt64 { file.revision }

    var isFounding: Bool { file.state == .founding }

    /// Notes that the items database exists. From now on its absence is an error.
    func markStanding() throws { try rewrite { $0.state = .standing } }

    /// Takes over the keys of a slot, if they belong to this keybag.
    func adopt(_ keys: KeySet) throws {
        guard keys.keys[.device]?.root == device.root, let first = keys.keys[.firstUnlock] else { throw Malformed() }
        firstUnlock = first
        passcode = keys.keys[.passcode] ?? passcode
    }

    /// Replaces the file by a changed one. Memory follows at the moment when the new file is in place, not before.
    func rewrite(standing: () -> Void = {}, _ change: (inout KeybagFile) throws -> Void) throws {
        var next = file
        try change(&next)
        next.revision += 1
        let bytes = try next.serialised(key: deviceKeys.keybagFile)
        try folder.replace(KeybagFile.name, with: bytes) {
            file = next
            standing()
        }
    }

    /// Holds a new passcode key, or none any more.
    func hold(passcode key: ClassKey?) {
        passcode = key
        isOpenAtLogin = false
    }

    /// Runs `body`, in which malformed bytes mean a damaged keybag.
    static func intact<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch is Malformed {
            throw StorageError(.keybagDamaged, "opening a slot of the keybag")
        }
    }
}
