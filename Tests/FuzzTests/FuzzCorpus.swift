import Foundation
import Testing
import thumbturn_test_fuzzing

/// The inputs that are kept of each parser: a file of lines of hexadecimal digits, each an input, with comments from `#` on.
///
/// `THUMBTURN_WRITE_CORPUS=1 swift test --filter FuzzTests` makes a file of seeds for each parser that has none. `scripts/fuzz --minimise`
/// makes files of what the fuzzer found, as small as they can be while they reach as much. A line with a comment behind it stays: it is an
/// input that a parser read wrongly once.
struct FuzzCorpus {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")
    /// The most bytes of one parser's inputs together.
    static let most = 48 << 10

    let inputs: [[UInt8]]

    init(of target: FuzzTarget) throws {
        let text = try String(contentsOf: Self.file(of: target.name), encoding: .utf8)
        inputs = try text.split(separator: "\n").compactMap { line in
            let digits = line.prefix { $0 != "#" }.filter { !$0.isWhitespace }
            return digits.isEmpty ? nil : try Self.bytes(digits)
        }
    }

    static func file(of name: String) -> URL { folder.appending(path: name + ".hex") }

    private static func bytes(_ digits: String) throws -> [UInt8] {
        try #require(digits.count.isMultiple(of: 2), "an odd number of digits")
        let digits = Array(digits)
        return try stride(from: 0, to: digits.count, by: 2).map { place in
            try #require(UInt8(String(digits[place...place + 1]), radix: 16), "\(digits[place]) isn't a digit")
        }
    }

    /// Written first for each parser that has none, where that is asked for.
    static let ready = Result {
        guard ProcessInfo.processInfo.environment["THUMBTURN_WRITE_CORPUS"] != nil else { return }
        for target in FuzzTargets.all where !FileManager.default.fileExists(atPath: file(of: target.name).path) {
            let lines = try target.seeds().filter { !$0.isEmpty }.map(hex)
            let text = (["# Inputs of \(target.name)."] + lines).joined(separator: "\n") + "\n"
            try text.write(to: file(of: target.name), atomically: true, encoding: .utf8)
        }
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
