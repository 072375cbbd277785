import CThumbLinux

/// Whether a crash may write this program's memory to the disk.
enum CoreFiles {
    private static let before: rlimit = {
        var limit = rlimit()
        _ = unsafe getrlimit(resource, &limit)
        return limit
    }()

    private static var resource: __rlimit_resource_t { __rlimit_resource_t(UInt32(thumb_RLIMIT_CORE)) }

    static func forbid() { set(rlimit(rlim_cur: 0, rlim_max: before.rlim_max)) }

    /// Call it before another program takes over: that program's crashes are its author's business.
    static func allowAsBefore() { set(before) }

    private static func set(_ limit: rlimit) {
        var limit = limit
        _ = unsafe setrlimit(resource, &limit)
    }
}
