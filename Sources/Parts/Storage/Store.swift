/// One user's keybag and items, opened together: neither is of use, nor replaced, without the other.
public final class Store {
    /// The class keys.
    public let keybag: Keybag
    /// The items and the counters of misses.
    public let items: ItemDatabase

    /// Opens the store in a folder, or founds one in a folder that has neither keybag nor items.
    ///
    /// Fails with `keybagMissing` or `databaseMissing` where one of the two is gone, and with a clear code for whatever can't be
    /// understood; the files are then left as they are. `acceptingLosses` is the owner's word that what `logMissing` or
    /// `recordsMismatch` reported is given up.
    public init(in folder: StateFolder, acceptingLosses: Bool = false) throws(StorageError) {
        (keybag, items) = try storing {
            let hasKeybag = try folder.size(of: KeybagFile.name) != nil
            let hasItems = try folder.size(of: Schema.file) != nil
            guard hasKeybag || !hasItems else {
                throw StorageError(.keybagMissing, "there are items, but no keybag to open them")
            }
            let keybag = hasKeybag ? try Keybag.open(in: folder) : try Keybag.create(in: folder)
            if !hasItems {
                guard keybag.isFounding else {
                    throw StorageError(.databaseMissing, "there is a keybag, but its items are gone")
                }
                try ItemDatabase.found(for: keybag)
            }
            let items = try ItemDatabase.open(for: keybag, acceptingLosses: acceptingLosses)
            if keybag.isFounding { try keybag.markStanding() }
            return (keybag, items)
        }
    }

    /// Removes the passcode and with it everything that only it could open.
    ///
    /// Fails as `Keybag.removePasscode` does. What couldn't be cleared away afterwards is unreadable all the same.
    public func removePasscode() throws(StorageError) {
        try keybag.removePasscode()
        try? items.removeErased()
    }
}
