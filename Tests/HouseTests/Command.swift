import Foundation
import thumbturn_test_programs

/// How a program ended, and all it said, on standard output and standard error together.
struct Outcome: Sendable {
    let status: Int32
    let output: String

    var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// Runs a program, found on the PATH, with nothing on standard input, and waits for its end without holding a thread.
func run(_ arguments: [String], environment: [String: String] = ownEnvironment) async throws -> Outcome {
    try await withTemporaryFolder { folder in
        let said = folder.appending(path: "output")
        try Data().write(to: said)
        let writing = try FileHandle(forWritingTo: said)
        defer { try? writing.close() }

        let process = OwnProcess()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = writing
        process.standardError = writing
        let status = try await process.ended()
        return Outcome(status: status, output: String(decoding: try Data(contentsOf: said), as: UTF8.self))
    }
}

/// This process's environment without what `swift test` puts there for its own child, and without what the Makefile asks for: a
/// neighbour is built as its author would.
let ownEnvironment = ProcessInfo.processInfo.environment.filter { name, _ in
    !["SWIFTPM_", "SWIFT_TESTING", "LLVM_PROFILE_FILE", "TSAN_OPTIONS", "THUMBTURN_WINDOW", "THUMBTURN_FUZZ"]
        .contains { name.hasPrefix($0) }
}

/// A folder for the length of `body`.
func withTemporaryFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "thumbturn-house-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

extension URL {
    /// Writes a file and the folders above it.
    func write(_ text: String, executable: Bool = false) throws {
        try FileManager.default.createDirectory(at: deletingLastPathComponent(), withIntermediateDirectories: true)
        if executable { try writeScript(text, to: path) } else { try Data(text.utf8).write(to: self) }
    }
}
