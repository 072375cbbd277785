import Foundation
import Testing
import thumbturn_test_programs

/// The checkout that these tests are of.
let checkout = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// A program of scripts/setup-python's folder.
func pythonProgram(_ name: String) throws -> String {
    let environment = ProcessInfo.processInfo.environment
    let cache = environment["XDG_CACHE_HOME"] ?? NSHomeDirectory() + "/.cache"
    let folder = environment["THUMBTURN_PYTHON"] ?? cache + "/thumbturn/python"
    let path = folder + "/bin/" + name
    try #require(FileManager.default.isExecutableFile(atPath: path), "\(path) isn't there: scripts/setup-python installs it")
    return path
}

/// How a program ended, and what it said.
struct Outcome: Sendable {
    let status: Int32
    let output: String
    let errors: String
}

/// Runs a program to its end in an environment of its own, without holding a thread.
func run(
    _ program: String, _ arguments: [String], input: String = "", environment: [String: String] = [:], in folder: URL
) async throws -> Outcome {
    let names = (0..<3).map { _ in folder.appending(path: UUID().uuidString) }
    try Data(input.utf8).write(to: names[0])
    for name in names[1...] { try Data().write(to: name) }
    let process = OwnProcess()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder.path, "LC_ALL": "C.UTF-8"].merging(environment) { $1 }
    process.currentDirectoryURL = folder
    process.standardInput = try FileHandle(forReadingFrom: names[0])
    process.standardOutput = try FileHandle(forWritingTo: names[1])
    process.standardError = try FileHandle(forWritingTo: names[2])
    let status = try await process.ended()
    let said = try names[1...].map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
    return Outcome(status: status, output: said[0], errors: said[1])
}
