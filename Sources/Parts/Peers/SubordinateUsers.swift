import CThumbLinux
import ThumbSystem

/// The uids that users of the machine have for the users inside their containers: shadow's `/etc/subuid`.
///
/// Each user has thousands of them. Inside a container they may be anybody, outside they are nobody.
public enum SubordinateUsers {
    private static let place = "/etc/subuid"
    private static let mostBytes = 1 << 20

    /// Whether a uid is one of them.
    public static func contain(_ uid: UInt32) -> Bool {
        do throws(SystemError) {
            let file = try Descriptor(opening: place, O_RDONLY | O_CLOEXEC)
            guard let bytes = try Transfer.all(from: file.number, atMost: mostBytes) else { return false }
            return ranges(bytes).contains { $0.contains(UInt64(uid)) }
        } catch {  // Without that file the machine has no such users.
            return false
        }
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
