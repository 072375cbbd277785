import Foundation
import ThumbStorage
import thumbturn_test_store

/// A folder that goes with the test, in memory where the machine has a file system there: what a crash leaves is worked out by
/// these tests, not by a disk.
public final class Scratch: Sendable {
    public let path: String

    public init(inMemory: Bool = true) throws {
        let memory = "/dev/shm"
        let base = inMemory && access(memory, W_OK) == 0 ? memory + "/" : NSTemporaryDirectory()
        path = base + "thumbturn-crash-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    public var files: [String: [UInt8]] {
        get throws {
            var files: [String: [UInt8]] = [:]
            for name in try FileManager.default.contentsOfDirectory(atPath: path) {
                files[name] = [UInt8](try Data(contentsOf: URL(filePath: path + "/" + name)))
            }
            return files
        }
    }

    /// Makes the folder hold exactly these files.
    public func hold(_ files: [String: [UInt8]]) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: path) where files[name] == nil {
            try FileManager.default.removeItem(atPath: path + "/" + name)
        }
        for (name, bytes) in files { try Data(bytes).write(to: URL(filePath: path + "/" + name)) }
    }

    public func open(on disk: Disk? = nil) throws -> Store { try Store(in: StateFolder(path: path, disk: disk?.name)) }
}
