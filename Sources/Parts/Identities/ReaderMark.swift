import ThumbPeers

/// What tells whether a process is still the program that it was.
public struct ReaderMark: Sendable, Hashable {
    /// The script that an interpreter runs.
    struct Script: Sendable, Hashable {
        /// Where it is, in the machine's folders.
        var path: String
        var stamp: FileStamp
        /// Whether the stamp was too young to be trusted when the digest was taken.
        var isYoung: Bool
        /// Empty for a script that only root can change.
        var digest: [UInt8]
    }

    /// The process's number.
    public let pid: Int32
    let start: UInt64
    /// Where the kernel put the program: another place after each `execve`.
    let places: [UInt64]
    /// The file that it runs; nil if nobody may see that.
    let file: FileStamp?
    /// An interpreter's arguments.
    let arguments: [[UInt8]]?
    let script: Script?
}
