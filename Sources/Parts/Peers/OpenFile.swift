import CThumbLinux
public import ThumbAccess
import ThumbLoop

/// A file that a process runs, opened as a place, so that it stays this very file while it is looked at.
public struct OpenFile: ~Copyable {
    /// What is known of it.
    public let file: PeerFacts.File
    /// -1 if it can't be seen.
    private let place: Int32
    /// The way there in the machine's folders, and the file last; empty if it isn't there.
    private let way: [Step]

    /// A folder on the way, or the file.
    struct Step {
        let uid: UInt32
        let mode: UInt32

        init(_ status: stat) { (uid, mode) = (status.st_uid, status.st_mode) }
    }

    /// Takes over the descriptor.
    init(file: PeerFacts.File, place: Int32, way: [Step]) { (self.file, self.place, self.way) = (file, place, way) }

    deinit { if place >= 0 { UnixSocket.close(place) } }

    /// Its stamp now; nil if it can't be seen.
    public func stamp() -> FileStamp? {
        var status = stat()
        return unsafe place >= 0 && fstat(place, &status) == 0 ? FileStamp(status) : nil
    }

    /// Opens it for reading. The descriptor is the caller's.
    ///
    /// Root may read everything, so a name that a user chose must not make root read what that user can't: its digest would tell about it.
    ///
    /// - Parameter uid: for whom it is read.
    public func contents(for uid: UInt32) -> Int32? {
        guard place >= 0, geteuid() != 0 || uid == 0 || isOpen(to: uid) else { return nil }
        let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let file = unsafe thumb_open("/proc/self/fd/\(place)", flags, 0)
        return file >= 0 ? file : nil
    }

    /// Whether the modes on the way say that a user can read the file. Access by a group or a list doesn't count here.
    private func isOpen(to uid: UInt32) -> Bool {
        guard let last = way.last else { return false }
        func allows(_ step: Step, _ right: UInt32) -> Bool {
            step.mode & (step.uid == uid ? right << 6 : right) != 0
        }
        return way.dropLast().allSatisfy { allows($0, 1) } && allows(last, 4)
    }
}

/// What tells a file from any other, and from a later version of itself: number, size, and the time of its last change, which nobody can
/// set.
public struct FileStamp: Sendable, Hashable {
    private let device: UInt64
    private let words: [UInt64]
    private let changed: (seconds: Int, nanoseconds: Int)

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        changed = (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
        words = [
            UInt64(status.st_ino), UInt64(bitPattern: Int64(status.st_size)), UInt64(bitPattern: Int64(changed.seconds)),
            UInt64(bitPattern: Int64(changed.nanoseconds)),
        ]
    }

    /// The stamp of an open file; nil if that can't be told.
    public init?(of descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The file's size in bytes.
    public var size: UInt64 { words[1] }

    /// The stamp as `PeerFacts` has it.
    public var bytes: [UInt8] {
        words.flatMap { word in stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) } }
    }

    /// Whether the file was changed after a time, in seconds since 1970.
    func isChanged(after time: Double) -> Bool { Double(changed.seconds) + Double(changed.nanoseconds) / 1e9 > time }

    /// How long a stamp isn't enough to know a file by. A file that is changed twice within one tick of the kernel's clock can keep its
    /// stamp; ticks are some milliseconds, and two seconds on the coarsest file systems.
    public static let youngSeconds = 2.0

    /// Whether the file may have been changed, without its stamp changing, since it was read.
    public var isYoung: Bool { Self.isYoung(changed: changed, now: Self.now) }

    static func isYoung(changed: (seconds: Int, nanoseconds: Int), now: (seconds: Int, nanoseconds: Int)) -> Bool {
        // A time to come isn't trusted either.
        Double(now.seconds - changed.seconds) + Double(now.nanoseconds - changed.nanoseconds) / 1e9 < youngSeconds
    }

    private static var now: (seconds: Int, nanoseconds: Int) {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return (time.tv_sec, time.tv_nsec)
    }

    /// Whether two stamps are one file in one state.
    public static func == (a: FileStamp, b: FileStamp) -> Bool { a.device == b.device && a.words == b.words }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(device)
        hasher.combine(words)
    }
}
