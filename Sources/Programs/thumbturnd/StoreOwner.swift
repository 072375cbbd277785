import CThumbLinux

/// Whose store it is that root mends: files that root made there would be no use to the device.
enum StoreOwner {
    /// The users that systemd makes for units, as its documentation has them.
    private static let ofUnits: ClosedRange<UInt32> = 61_184...65_519

    /// Becomes the store's owner where that is such a user, keeping the group that may use the TPM.
    ///
    /// systemd keeps such folders behind a door of root's and a link: so the folder is entered first.
    ///
    /// - Returns: the folder's path from here on; nil where that fails.
    static func become(_ state: String) -> String? {
        guard geteuid() == 0 else { return state }
        let folder = unsafe thumb_open(state, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        // A folder that isn't there belongs to nobody yet.
        guard folder >= 0 else { return state }
        defer { close(folder) }
        var status = stat()
        guard unsafe fstat(folder, &status) == 0 else { return nil }
        guard ofUnits.contains(status.st_uid) else { return state }
        guard fchdir(folder) == 0 else { return nil }
        var groups: [gid_t] = []
        if let tss = unsafe getgrnam("tss") { groups = [unsafe tss.pointee.gr_gid] }
        let isOwner =
            unsafe setgroups(groups.count, groups) == 0 && thumb_setresgid(status.st_gid, status.st_gid, status.st_gid) == 0
            && thumb_setresuid(status.st_uid, status.st_uid, status.st_uid) == 0
        return isOwner ? "." : nil
    }
}
