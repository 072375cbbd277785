public import ThumbAccess
import ThumbCrypto
public import ThumbSecrets

/// The keeper of a user's three class keys, and of the slots that hold them on disk.
///
/// After a start with a passcode set, only the `device` key is at hand. Not thread-safe: it lives where its folder does.
public final class Keybag {
    let folder: StateFolder
    private(set) var file: KeybagFile
    let device: ClassKey
    let deviceKeys: DeviceKeys
    private var firstUnlock: ClassKey?
    private var passcode: ClassKey?

    /// The keybag's name: everything sealed under it is bound to it.
    public var id: [UInt8] { file.id }

    /// Opens the folder's keybag.
    ///
    /// Fails with `keybagMissing`, `keybagDamaged`, `newer` or `unsupportedSlot`, and leaves the file as it is.
    public static func open(in folder: StateFolder) throws(StorageError) -> Keybag {
        try storing {
            guard let bytes = try folder.read(KeybagFile.name, limit: KeybagFile.limit) else {
                throw StorageError(.keybagMissing, "opening the keybag")
            }
            // A draft that was cut off may hold in clear what the keybag itself holds sealed.
            try folder.remove(StateFolder.draft(of: KeybagFile.name))
            let file = try KeybagFile.parse(bytes)
            return try intact {
                guard let slot = file[.device] else { throw Malformed() }
                let keys = try DeviceSlot.open(slot).keys
                guard let device = keys[.device] else { throw Malformed() }
                let derived = try DeviceKeys(device)
                guard try KeybagFile.isAuthentic(bytes, key: derived.keybagFile) else { throw Malformed() }
                // A first-unlock key in the clear beside a passcode slot would be no protection at all.
                guard (keys[.firstUnlock] == nil) == (file[.passcode] != nil) else { throw Malformed() }
                if let slot = file[.passcode] { _ = try PasscodeSlot(slot) }
                _ = try SourceSection.read(file)
                return Keybag(folder: folder, file: file, device: device, derived: derived, firstUnlock: keys[.firstUnlock])
            }
        }
    }

    /// Makes a keybag with fresh keys in a folder that has none; the items database is to be founded next.
    ///
    /// Fails with `wrongState` if there is one, and where the folder can't be written.
    public static func create(in folder: StateFolder) throws(StorageError) -> Keybag {
        try storing {
            guard try folder.size(of: KeybagFile.name) == nil else { throw StorageError(.wrongState, "a keybag is there") }
            let (device, firstUnlock) = (try ClassKey.random(), try ClassKey.random())
            let file = KeybagFile(
                state: .founding, id: try Random.bytes(count: KeybagFile.idBytes), revision: 0, serial: 0,
                sections: [try DeviceSlot.make(KeySet(keys: [.device: device, .firstUnlock: firstUnlock]))])
            let keybag = Keybag(
                folder: folder, file: file, device: device, derived: try DeviceKeys(device), firstUnlock: firstUnlock)
            try keybag.rewrite { _ in }
            return keybag
        }
    }

    private init(folder: StateFolder, file: KeybagFile, device: ClassKey, derived: DeviceKeys, firstUnlock: ClassKey?) {
        self.folder = folder
        self.file = file
        self.device = device
        deviceKeys = derived
        self.firstUnlock = firstUnlock
    }

    /// The class key, or nil while it isn't at hand.
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

    /// Whether the passcode was given since the keys were last forgotten, so that all classes are at hand.
    public var wasPasscodeGiven: Bool { passcode != nil }

    /// Whether a recovery code was made.
    public var hasRecoverySlot: Bool { file[.recovery] != nil }

    /// The number of the `passcode` key in force; nil while no passcode is set. Items under another one are gone for good.
    var passcodeSerial: UInt32? { isPasscodeSet ? file.serial : nil }

    /// Forgets the keys that a passcode guards, as at shutdown; without a passcode there is none to forget.
    public func dropKeys() {
        guard isPasscodeSet else { return }
        firstUnlock = nil
        passcode = nil
    }

    var isFounding: Bool { file.state == .founding }

    /// Notes that the items database stands: from now on its absence is an error.
    func markStanding() throws { try rewrite { $0.state = .standing } }

    /// Takes over what a slot held, if it is of this keybag.
    func adopt(_ keys: KeySet) throws {
        guard keys.keys[.device]?.root == device.root, let first = keys.keys[.firstUnlock] else { throw Malformed() }
        firstUnlock = first
        passcode = keys.keys[.passcode] ?? passcode
    }

    /// Puts a changed file in place of the old one; memory follows the moment the new file stands, not before.
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

    func hold(passcode key: ClassKey?) { passcode = key }

    /// Runs `body`, for which malformed bytes mean a damaged keybag.
    static func intact<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch is Malformed {
            throw StorageError(.keybagDamaged, "opening a slot of the keybag")
        }
    }
}
