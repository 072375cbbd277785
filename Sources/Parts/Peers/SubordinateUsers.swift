import CThumbLinux
import ThumbSystem

/// The numbers that users of the machine have for the users inside their containers: shadow's `/etc/subuid`.
///
/// Each user has thousands of them, to be anybody inside and nobody outside.
public enum SubordinateUsers {
    private static let place = "/etc/subuid"
    private static let mostBytes = 1 << 20

    /// Whether a number is one of them.
    public static func contain(_ uid: UInt32) -> Bool {
        do throws(SystemError) {
            let file = try Descriptor(opening: place, O_RDONLY | O_CLOEXEC)
            guard let bytes = try Transfer.all(from: file.number, atMost: mostBytes) else { return false }
            return ranges(bytes).contains { $0.contains(UInt64(uid)) }
        } catch {  // A machine without that file has no such users.
            return false
        }
    }

    /// What lines of `owner:first:count` name. Others name nothing, as for who makes such users.
    static func ranges(_ bytes: [UInt8]) -> [Range<UInt64>] {
        bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let words = String(decoding: line, as: UTF8.self).split(separator: ":", omittingEmptySubsequences: false)
            guard words.count == 3, let first = UInt32(words[1]), let count = UInt32(words[2]) else { return nil }
            return UInt64(first)..<UInt64(first) + UInt64(count)
        }
    }
}
