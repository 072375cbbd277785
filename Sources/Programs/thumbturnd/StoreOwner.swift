import CThumbLinux

/// Whose store it is that root mends: files that root made there would be no use to the device.
enum StoreOwner {
    /// The users that systemd makes for units, as its documentation has them.
    private static let ofUnits: ClosedRange<UInt32> = 61_184...65_519

    /// Becomes the store's owner where that is such a user, keeping the group that may use the TPM; false where that fails.
    static func become(_ state: String) -> Bool {
        var status = stat()
        // A folder that isn't there belongs to nobody yet.
        guard geteuid() == 0, unsafe stat(state, &status) == 0, ofUnits.contains(status.st_uid) else { return true }
        var groups: [gid_t] = []
        if let tss = unsafe getgrnam("tss") { groups = [unsafe tss.pointee.gr_gid] }
        return unsafe setgroups(groups.count, groups) == 0 && thumb_setresgid(status.st_gid, status.st_gid, status.st_gid) == 0
            && thumb_setresuid(status.st_uid, status.st_uid, status.st_uid) == 0
    }
}
