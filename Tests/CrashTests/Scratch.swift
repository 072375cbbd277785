import Foundation
import ThumbStorage
import thumbturn_test_store

/// A folder that goes with the test, in memory where the machine has a file system there: what a crash leaves is worked out by
/// these tests, not by a disk.
final class Scratch: Sendable {
    let path: String

    init(inMemory: Bool = true) throws {
        let memory = "/dev/shm"
        let base = inMemory && access(memory, W_OK) == 0 ? memory + "/" : NSTemporaryDirectory()
        path = base + "thumbturn-crash-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var files: [String: [UInt8]] {
        get throws {
            var files: [String: [UInt8]] = [:]
            for name in try FileManager.default.contentsOfDirectory(atPath: path) {
                files[name] = [UInt8](try Data(contentsOf: URL(filePath: path + "/" + name)))
            }
            return files
        }
    }

    /// Makes the folder hold exactly these files.
    func hold(_ files: [String: [UInt8]]) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: path) where files[name] == nil {
            try FileManager.default.removeItem(atPath: path + "/" + name)
        }
        for (name, bytes) in files { try Data(bytes).write(to: URL(filePath: path + "/" + name)) }
    }

    func open(on disk: Disk? = nil) throws -> Store { try Store(in: StateFolder(path: path, disk: disk?.name)) }
}

/// What is found wrong with a store after a crash; nil if it is one of `expected`, whole and sound.
func complaint(about folder: Scratch, expected: [Contents]) -> String? {
    do {
        let store = try folder.open()
        let (readable, unreadable) = try store.contents()
        guard unreadable.isEmpty, store.items.quarantined == 0 else { return "half there: \(unreadable)" }
        guard expected.contains(readable) else { return "holds \(readable.items.keys.sorted())" }
        let report = try store.items.verify()
        return report.isSound ? nil : "not sound: \(report)"
    } catch {
        return "\(error)"
    }
}

/// Whether all of it is tried (`make test-crash`) or a sample (`make test`).
let isWhole = ProcessInfo.processInfo.environment["THUMBTURN_CRASH"] == "whole"

/// What was tried and lost, one line each, where the make target that ends with a sum asks for it.
enum Tally {
    static func note(_ what: String, _ count: Int) {
        guard let path = ProcessInfo.processInfo.environment["THUMBTURN_TALLY"] else { return }
        let file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        let line = Array("\(what) \(count)\n".utf8)
        _ = line.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    }
}

/// Numbers that come out the same in every run, so that a failure can be looked at again.
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        // SplitMix64.
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }
}
