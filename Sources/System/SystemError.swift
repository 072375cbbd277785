import CThumbLinux

/// Why a system call failed: the number in errno.
public struct SystemError: Error, Hashable, Sendable {
    /// A value of errno.
    public let number: Int32

    /// The error of that number.
    public init(_ number: Int32) { self.number = number }

    /// The error of the call that failed just now on this thread.
    public static var last: SystemError { SystemError(thumb_errno()) }

    /// Whether this process or the machine has no room for another descriptor just now.
    public var isWantOfDescriptors: Bool { [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(number) }

    /// Whether the disk, or the user's share of it, is full.
    public var isFull: Bool { number == ENOSPC || number == EDQUOT }
}
