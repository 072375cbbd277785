import CThumbLinux
import ThumbConversation

/// How much there is of everything that programs use up. docs/PROTOCOL.md gives the reasons; tests use less.
public struct MeterLimits: Sendable {
    /// Locked memory that all clients share: frames, what they said, and secrets that they haven't read. The daemon's own memory comes on
    /// top.
    public var locked: Int
    public var lockedPerUser: Int
    /// How much of that incomplete frames may take.
    public var frames: Int
    public var framesPerUser: Int
    public var unread = WireLimit.unreadBytesInAll
    public var unreadPerUser = WireLimit.unreadBytesPerUser
    public var unreadPerConnection = WireLimit.unreadBytes
    /// A connection with more than this to read isn't read itself.
    public var muchUnread = WireLimit.muchUnread
    public var callBytesPerUser = WireLimit.callBytesPerUser
    public var contextsPerUser = WireLimit.contextsPerUser
    public var secondsForFrame = WireLimit.secondsForFrame
    public var secondsBetweenChunks = WireLimit.secondsBetweenChunks
    public var secondsForBackup = WireLimit.secondsForBackup

    /// The limits of a process that may lock this many bytes. At least half of them remain for the daemon itself.
    public init(lockable: Int = MeterLimits.lockable) {
        locked = min(WireLimit.lockedBytesInAll, lockable / 2)
        lockedPerUser = min(WireLimit.lockedBytesPerUser, locked)
        frames = min(WireLimit.comingBytesInAll, locked / 4)
        framesPerUser = min(WireLimit.comingBytesPerUser, locked / 6)
    }

    /// How many bytes this process may lock.
    public static var lockable: Int {
        var limit = rlimit()
        guard unsafe getrlimit(numericCast(thumb_RLIMIT_MEMLOCK), &limit) == 0 else { return 0 }
        if thumb_is_unlimited(limit.rlim_cur) != 0 || thumb_may_lock_memory() != 0 { return .max }
        return Int(clamping: limit.rlim_cur)
    }
}
