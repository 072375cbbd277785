public import ThumbKeychain
public import ThumbSecrets

/// One user's keybag and items, opened together: neither is usable, or replaced, without the other.
public final class Store {
    /// The class keys.
    public let keybag: Keybag
    /// The items and the counters of misses.
    public let items: ItemDatabase

    /// Opens the store in a folder, or founds one in a folder that has neither keybag nor items.
    ///
    /// Fails with `keybagMissing` or `databaseMissing` if one of the two is gone, and with a specific code for whatever can't be
    /// understood. The files are then left as they are. With `acceptingLosses` the owner gives up what `logMissing`, `recordsMismatch` or
    /// `oldCopy` reported. `chip` is the TPM that holds the slots and the anchor, if there is one.
    public init(
        in folder: StateFolder, chip: (any SlotCustodian)? = nil, acceptingLosses: Bool = false
    ) throws(StorageError) {
        (keybag, items) = try storing {
            let hasKeybag = try folder.size(of: KeybagFile.name) != nil
            let hasItems = try folder.size(of: Schema.file) != nil
            guard hasKeybag || !hasItems else {
                throw StorageError(.keybagMissing, "there are items, but no keybag to open them")
            }
            let keybag =
                hasKeybag ? try Keybag.open(in: folder, chip: chip) : try Keybag.create(in: folder, chip: chip)
            return (keybag, try Self.items(of: keybag, in: folder, acceptingLosses))
        }
    }

    private init(_ keybag: Keybag, in folder: StateFolder) throws {
        self.keybag = keybag
        items = try Self.items(of: keybag, in: folder, false)
    }

    /// Opens a store with the recovery code, because its TPM is gone, cleared or another's. nil if the code is wrong.
    ///
    /// From then on the device slot is for the machine's present TPM, or for none. Fails as opening does, with `mistyped` if the code's
    /// check symbols are wrong, and with `wrongState` if there is no recovery code.
    public static func recover(
        in folder: StateFolder, code: SecretBytes, chip: (any SlotCustodian)?
    ) throws(StorageError) -> Store? {
        try storing {
            guard let keybag = try Keybag.recover(in: folder, code: code, chip: chip) else { return nil }
            return try Store(keybag, in: folder)
        }
    }

    private static func items(
        of keybag: Keybag, in folder: StateFolder, _ acceptingLosses: Bool
    ) throws -> ItemDatabase {
        if try folder.size(of: Schema.file) == nil {
            guard keybag.isFounding else {
                throw StorageError(.databaseMissing, "there is a keybag, but its items are gone")
            }
            try ItemDatabase.found(for: keybag)
        }
        let items = try ItemDatabase.open(for: keybag, acceptingLosses: acceptingLosses)
        if keybag.isFounding { try keybag.markStanding() }
        return items
    }

    /// Removes the passcode, and with it everything that only it could open.
    ///
    /// Fails as `Keybag.removePasscode` does. Anything that couldn't be removed afterwards is unreadable anyway.
    public func removePasscode() throws(StorageError) {
        try keybag.removePasscode()
        try? items.removeErased()  // Their key is gone, so whatever stays behind is unreadable and hidden.
    }
}
