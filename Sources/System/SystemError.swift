import CThumbLinux

/// Why a call of the system's failed: the number that it left behind.
public struct SystemError: Error, Hashable, Sendable {
    /// One of errno's.
    public let number: Int32

    /// The error of that number.
    public init(_ number: Int32) { self.number = number }

    /// The error of the call that failed just now on this thread.
    public static var last: SystemError { SystemError(thumb_errno()) }

    /// Whether the disk is full, or the user's share of it.
    public var isFull: Bool { number == ENOSPC || number == EDQUOT }
}
