import Foundation
import thumbturn_test_programs

/// A folder with a disk in it that can be filled.
final class SmallDisk: Sendable {
    struct CannotMount: Error {}

    /// The disk is mounted at `disk` in it.
    let folder: String

    /// Takes root.
    init() throws {
        // Short: a socket's path has about a hundred bytes.
        folder = "/tmp/sd-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(
            atPath: folder + "/disk", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        guard Self.run("/bin/mount", "-t", "tmpfs", "-o", "mode=755,size=64m", "tmpfs", folder + "/disk") else {
            throw CannotMount()
        }
    }

    deinit {
        // What still has a file there keeps the disk until it ends.
        _ = Self.run("/bin/umount", "--lazy", folder + "/disk")
        // A folder that can't be removed is a temporary folder left behind, nothing more.
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func run(_ words: String...) -> Bool {
        guard let pid = try? spawn(words, ["PATH": "/usr/bin:/bin"], [.nothing, .nothing, .nothing]) else { return false }
        return waited(for: pid) == 0
    }
}
