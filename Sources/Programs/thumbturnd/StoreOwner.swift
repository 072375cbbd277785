import CThumbLinux

/// The owner of a store that root mends. Files that root made there would be no use to the device.
enum StoreOwner {
    /// The range of users that systemd makes for units, according to its documentation.
    private static let ofUnits: ClosedRange<UInt32> = 61_184...65_519
    /// Where this process alone sees the store.
    private static let place = "/mnt"

    /// Becomes the store's owner if that is such a user, and keeps the group that may use the TPM.
    ///
    /// systemd keeps these stores in a folder that root alone may enter. So the store is mounted elsewhere first, for this process alone.
    ///
    /// - Returns: the store's path from here on; nil if any of it fails.
    static func become(_ state: String) -> String? {
        guard geteuid() == 0 else { return state }
        // Before the folder is opened: one that was opened outside can't be mounted inside.
        let isApart = hasOwnMounts()
        let folder = unsafe thumb_open(state, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        // A folder that doesn't exist belongs to nobody yet.
        guard folder >= 0 else { return state }
        defer { close(folder) }
        var status = stat()
        guard unsafe fstat(folder, &status) == 0 else { return nil }
        guard ofUnits.contains(status.st_uid) else { return state }
        guard isApart, mount(folder), become(status.st_uid, status.st_gid) else { return nil }
        return place
    }

    /// From now on no other process sees what this one mounts; false where that isn't allowed.
    private static func hasOwnMounts() -> Bool {
        unsafe thumb_unshare_mounts() == 0 && CThumbLinux.mount(nil, "/", nil, UInt(MS_REC | MS_SLAVE), nil) == 0
    }

    private static func mount(_ folder: Int32) -> Bool {
        unsafe CThumbLinux.mount("/proc/self/fd/\(folder)", place, nil, UInt(MS_BIND), nil) == 0
    }

    private static func become(_ uid: UInt32, _ gid: UInt32) -> Bool {
        var groups: [gid_t] = []
        if let tss = unsafe getgrnam("tss") { groups = [unsafe tss.pointee.gr_gid] }
        return unsafe setgroups(groups.count, groups) == 0 && thumb_setresgid(gid, gid, gid) == 0
            && thumb_setresuid(uid, uid, uid) == 0
    }
}
