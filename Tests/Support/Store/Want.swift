import ThumbSecrets
import thumbturn_test_disk

// What may be wanting in a process. All of it is the whole process's: these are for processes of a test's own.

/// Fills this process's locked memory until nothing more goes in, and gives some of it back where it is told to.
public final class Ballast {
    /// The arena's own sizes, the longest first, so that no room of any size is left.
    private static let sizes =
        [4 << 20, 1 << 20, 256 << 10, 64 << 10, 16384, 8192, 4096, 2048, 1024, 768, 512, 384, 256, 192, 128, 96, 64, 48, 32, 16]
    /// What keys, pads and short secrets take.
    private static let small = sizes.filter { $0 <= 512 }

    private var pieces: [Int: [SecretBytes]] = [:]

    public init() {}

    /// Fills what is free.
    public func fill() {
        for size in Self.sizes {
            while let piece = try? SecretBytes(count: size, fill: { _ in }) { pieces[size, default: []].append(piece) }
        }
    }

    /// Gives everything back.
    public func empty() { pieces = [:] }

    /// Gives back room for so many small secrets, of any size.
    public func giveBack(_ count: Int, by dice: inout some RandomNumberGenerator) {
        for _ in 0..<count {
            guard let size = Self.small.randomElement(using: &dice) else { return }
            _ = pieces[size]?.popLast()
        }
    }

    /// Gives back room for a megabyte or more.
    public func giveBackPlenty() {
        for size in Self.sizes where size >= 1 << 20 && pieces[size]?.popLast() != nil { return }
    }
}

/// What else may be wanting, and for how long nobody knows; nil takes it back.
public enum Want {
    /// Lets the process open so many descriptors more.
    public static func descriptors(_ count: Int?) { thumb_want_descriptors(Int64(count ?? -1)) }

    /// Lets no file grow beyond so many bytes: the keybag isn't on a test's disk, and this is its disk's being full.
    public static func room(_ bytes: Int?) { thumb_want_room(Int64(bytes ?? -1)) }

    /// Lets SQLite have so much more memory than it has now. Works where a test's disk was made before anything else used SQLite.
    public static func memory(_ bytes: Int?) { thumb_disk_starve(Int64(bytes ?? -1)) }
}
