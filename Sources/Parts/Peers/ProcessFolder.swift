import CThumbLinux
import ThumbLoop

/// A process's folder in `/proc`, opened once. While it is open it never comes to mean another process that got the number later: once the
/// process is gone, nothing can be read there.
public struct ProcessFolder: ~Copyable {
    /// The process's number.
    public let pid: Int32
    let number: Int32

    /// nil if no process has that number.
    public init?(of pid: Int32) {
        let number = unsafe thumb_open("/proc/\(pid)", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard number >= 0 else { return nil }
        (self.pid, self.number) = (pid, number)
    }

    deinit { UnixSocket.close(number) }

    /// What reading a file there came to.
    enum Contents {
        case bytes([UInt8])
        case none
        /// Not a readable file: a link, a folder, or too long.
        case unfit
        /// Only root may look.
        case closed
    }

    /// Reads a file of the folder.
    func read(_ name: String, limit: Int = 8 << 10) -> Contents {
        let file = unsafe thumb_openat(number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0)
        guard file >= 0 else {
            switch thumb_errno() {
            case ENOENT, EINVAL: return .none
            case EACCES, EPERM: return .closed
            default: return .unfit
            }
        }
        defer { UnixSocket.close(file) }
        var status = CThumbLinux.stat()
        guard unsafe fstat(file, &status) == 0, thumb_is_regular(status.st_mode) != 0 else { return .unfit }
        var bytes = [UInt8](repeating: 0, count: min(limit, Self.pieceBytes) + 1)
        var filled = 0
        while filled <= limit {
            if filled == bytes.count { bytes += [UInt8](repeating: 0, count: min(bytes.count, limit + 1 - filled)) }
            let count = unsafe bytes.withUnsafeMutableBytes {
                unsafe CThumbLinux.read(file, $0.baseAddress! + filled, $0.count - filled)
            }
            // Without AppArmor its file exists but can't be read.
            if count < 0 { return thumb_errno() == EINVAL ? .none : .unfit }
            if count == 0 { return .bytes(Array(bytes.prefix(filled))) }
            filled += count
        }
        return .unfit
    }

    /// What is read first, before more room is made. Nearly every file there is shorter.
    private static let pieceBytes = 8 << 10

    /// What a link of the folder says; nil if it can't be read.
    func link(_ name: String) -> [UInt8]? { Self.link(name, in: number) }

    /// What a link says; nil if it can't be read.
    static func link(_ name: String, in folder: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe readlinkat(folder, name, $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
        }
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }

    /// Opens what a link of the folder leads to, only as a place; nil if that may not be seen.
    func place(_ name: String) -> Int32? {
        let place = unsafe thumb_open_path(number, name, 0)
        return place >= 0 ? place : nil
    }

    /// Whose process it is: the user that it acts as; nil if it is gone. A process that lets nobody look belongs to root here.
    public func owner() -> UInt32? {
        guard let uids = uids(), uids.allSatisfy({ $0 == uids[0] }) else { return nil }
        return uids[0]
    }

    /// Who started it, and as whom it acts, which differ in programs that root or another user trusts; nil if it is gone.
    public func users() -> (real: UInt32, effective: UInt32)? { uids().map { ($0[0], $0[1]) } }

    /// The real, effective, saved and file system's user.
    private func uids() -> [UInt32]? {
        guard case .bytes(let status) = read("status") else { return nil }
        let line = status.split(separator: 0x0a).first { $0.starts(with: Array("Uid:".utf8)) }
        guard let words = line?.split(separator: 0x09), words.count == 5 else { return nil }
        let uids = words.dropFirst().compactMap { UInt32(String(decoding: $0, as: UTF8.self)) }
        return uids.count == 4 ? uids : nil
    }

    /// Its arguments; nil if they are too long, or it has none.
    public func arguments() -> [[UInt8]]? {
        guard case .bytes(var bytes) = read("cmdline", limit: Self.argumentBytes), bytes.last == 0 else { return nil }
        bytes.removeLast()
        return bytes.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
    }

    /// The longest list of arguments that is read: twice what the kernel takes for a single argument.
    public static let argumentBytes = 256 << 10

    /// What its line of status says; nil if it is gone.
    public func stat() -> ProcessStat? {
        guard case .bytes(let line) = read("stat") else { return nil }
        return ProcessStat(line)
    }
}

/// What `/proc/PID/stat` says of a process.
public struct ProcessStat: Sendable, Hashable {
    /// Its name, which it can choose. Never more than something to show.
    public var name: [UInt8]
    public var parent: Int32
    /// Whether it has ended, and only waits for its parent to ask how.
    public var hasEnded: Bool
    /// When it was started, in the kernel's ticks since the machine was.
    public var start: UInt64
    /// Where the kernel put the program's code, stack, arguments and environment. That is another place after each `execve`, even of the
    /// same program. All zero or one for a process that we may not look into.
    public var places: [UInt64]

    /// Whether it is the same process, in the same program.
    public func isSame(_ other: ProcessStat) -> Bool { start == other.start && places == other.places }

    /// nil for a line that isn't one.
    init?(_ line: [UInt8]) {
        // The name, in brackets, may contain anything. The first field after it is number 3 of the manual.
        guard let begin = line.firstIndex(of: UInt8(ascii: "(")), let end = line.lastIndex(of: UInt8(ascii: ")")), begin < end
        else { return nil }
        let fields = line[(end + 1)...].split { $0 == UInt8(ascii: " ") || $0 == 0x0a }
        func number(_ field: Int) -> UInt64? {
            let place = field - 3
            return fields.indices.contains(place) ? UInt64(String(decoding: fields[place], as: UTF8.self)) : nil
        }
        guard let parent = number(4), let start = number(22) else { return nil }
        name = Array(line[(begin + 1)..<end])
        hasEnded = fields.first.map { $0.elementsEqual("Z".utf8) || $0.elementsEqual("X".utf8) } ?? false
        self.parent = Int32(clamping: parent)
        self.start = start
        places = [26, 28, 48, 50].map { number($0) ?? 0 }
    }
}
