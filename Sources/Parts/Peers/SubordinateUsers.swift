import CThumbLinux
public import ThumbSystem

/// The uids that users of the machine have for the users inside their containers: shadow's `/etc/subuid`.
///
/// Each user has thousands of them. Inside a container they may be anybody, outside they are nobody.
public enum SubordinateUsers {
    /// Longest file that is read, in bytes: of some two million users.
    private static let mostBytes = 64 << 20

    /// Whether a uid is one of them. Fails if nobody can tell now.
    public static func contain(_ uid: UInt32, in place: String = "/etc/subuid") throws(SystemError) -> Bool {
        let file: Descriptor
        do throws(SystemError) {
            file = try Descriptor(opening: place, O_RDONLY | O_CLOEXEC)
        } catch {
            // Without that file the machine has no such users.
            if error.number == ENOENT { return false }
            throw error
        }
        guard let bytes = try Transfer.all(from: file.number, atMost: mostBytes) else { throw SystemError(EFBIG) }
        return ranges(bytes).contains { $0.contains(UInt64(uid)) }
    }

    /// The ranges in lines of the form `owner:first:count`. Other lines count for nothing, as with the tools that make such users.
    static func ranges(_ bytes: [UInt8]) -> [Range<UInt64>] {
        bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let words = String(decoding: line, as: UTF8.self).split(separator: ":", omittingEmptySubsequences: false)
            guard words.count == 3, let first = UInt32(words[1]), let count = UInt32(words[2]) else { return nil }
            return UInt64(first)..<UInt64(first) + UInt64(count)
        }
    }
}
