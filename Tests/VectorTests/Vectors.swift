import Foundation
import Testing
import ThumbSecrets

/// The vector files, which are outside data: in the folder `Vectors` beside this file. Its README names their sources.
enum Vectors {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors")

    static func data(_ name: String) throws -> Data { try Data(contentsOf: folder.appending(path: name)) }

    /// How many vectors have to be tried, by the line that stands for them in `make test-vectors`: a file, and on what it is tried.
    static func numbers() throws -> [String: Int] {
        var numbers: [String: Int] = [:]
        for line in try String(decoding: data("numbers"), as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(separator: " ", maxSplits: 1)
            try #require(words.count == 2 && numbers[String(words[1])] == nil, "\(line)")
            let number: Int = try #require(Int(words[0]), "\(line)")
            numbers[String(words[1])] = number
        }
        return numbers
    }

    /// One of Project Wycheproof's files.
    struct Wycheproof<Group: Decodable>: Decodable {
        let numberOfTests: Int
        let testGroups: [Group]

        static func read(_ name: String) throws -> Self { try JSONDecoder().decode(Self.self, from: Vectors.data(name)) }
    }

    enum Expected: String, Decodable {
        case valid, invalid, acceptable
    }

    /// Tries all vectors of a published file, whose number the folder says, and notes how many passed.
    static func tryFile<Vector>(_ line: String, _ vectors: [Vector], _ holds: (Vector) throws -> Bool) throws {
        #expect(try numbers()[line] == vectors.count, "\(line)")
        let passed = tryAll(line, vectors, holds)
        note("\(line) \(passed) \(vectors.count - passed)")
    }

    /// Tries each vector. Returns how many passed.
    @discardableResult
    static func tryAll<Vector>(_ name: String, _ vectors: [Vector], _ holds: (Vector) throws -> Bool) -> Int {
        var passed = 0
        for (index, vector) in vectors.enumerated() {
            let result = Result { try holds(vector) }
            if (try? result.get()) == true { passed += 1 } else { Issue.record("\(name), vector \(index): \(result) \(vector)") }
        }
        return passed
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
