import Foundation
import Testing
import ThumbSecrets

/// The vector files, which are outside data: in the folder that THUMBTURN_VECTORS names, or in `shared/vectors` beside the package.
enum Vectors {
    static let folder: URL = {
        if let path = ProcessInfo.processInfo.environment["THUMBTURN_VECTORS"] { return URL(fileURLWithPath: path) }
        return URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("../shared/vectors").standardizedFileURL
    }()

    static let arePresent = FileManager.default.fileExists(atPath: folder.appendingPathComponent("aes_gcm_test.json").path)
    static let absence: Comment = "the vector files aren't here: set THUMBTURN_VECTORS to their folder"

    static func data(_ name: String) throws -> Data { try Data(contentsOf: folder.appendingPathComponent(name)) }

    /// One of Project Wycheproof's files.
    struct Wycheproof<Group: Decodable>: Decodable {
        let numberOfTests: Int
        let testGroups: [Group]

        static func read(_ name: String) throws -> Self { try JSONDecoder().decode(Self.self, from: Vectors.data(name)) }
    }

    enum Expected: String, Decodable {
        case valid, invalid, acceptable
    }

    /// Tries each vector of a file, and notes how many passed where `make test-vectors` asks for it.
    static func tryAll<Vector>(_ file: String, _ vectors: [Vector], _ holds: (Vector) throws -> Bool) {
        var passed = 0
        for (index, vector) in vectors.enumerated() {
            let result = Result { try holds(vector) }
            if (try? result.get()) == true { passed += 1 } else { Issue.record("\(file), vector \(index): \(result) \(vector)") }
        }
        note("\(file) \(passed) \(vectors.count - passed)")
    }

    private static func note(_ line: String) {
        guard let path = ProcessInfo.processInfo.environment["THUMBTURN_TALLY"] else { return }
        let file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        let bytes = Array("vectors \(line)\n".utf8)
        _ = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    }
}

/// The bytes that hexadecimal text stands for.
func hex(_ text: String) -> [UInt8] {
    let digits = text.utf8.map { UInt8($0 > 57 ? ($0 | 32) - 87 : $0 - 48) }
    precondition(digits.count % 2 == 0)
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

/// A secret with the bytes that hexadecimal text stands for.
func secret(_ text: String) throws -> SecretBytes { try SecretBytes(copying: hex(text)) }

extension SecretBytes {
    /// The bytes, for a test to compare.
    var exposed: [UInt8] { withUnsafeBytes { Array($0) } }
}
