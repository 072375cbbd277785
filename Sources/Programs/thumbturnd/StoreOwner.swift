import CThumbLinux

/// Becomes the owner of a store that root repairs. The device couldn't use files that root made there.
enum StoreOwner {
    /// The range of users that systemd makes for units, according to its documentation.
    private static let ofUnits: ClosedRange<UInt32> = 61_184...65_519

    /// Becomes the store's owner if that is such a user, but keeps the group that may use the TPM.
    ///
    /// systemd keeps such folders behind a folder that only root can enter, and a link. So the folder is entered first.
    ///
    /// - Returns: the folder's path from then on; nil if that fails.
    static func become(_ state: String) -> String? {
        guard geteuid() == 0 else { return state }
        let folder = unsafe thumb_open(state, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        // A folder that doesn't exist belongs to nobody yet.
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
