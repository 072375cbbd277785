import Foundation
import Testing
import thumbturn_test_programs

let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// What a program said, on both of its outputs, and how it ended.
struct Outcome: Sendable {
    let output: String
    let status: Int32
}

/// Runs a program to its end. What it says is read meanwhile.
func run(_ words: [String], environment: [String: String], folder: URL = checkout) async throws -> Outcome {
    try await onThread {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.environment = environment
        process.currentDirectoryURL = folder
        let pipe = Pipe()
        (process.standardOutput, process.standardError) = (pipe, pipe)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Outcome(
            output: String(decoding: output, as: UTF8.self),
            status: process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus)
    }
}

/// libthumbturn as `scripts/library` builds it, in a folder that goes when the tests end.
final class BuiltLibrary: Sendable {
    /// Whether the sanitizers look on.
    enum Kind: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case plain, sanitized

        var testDescription: String { rawValue }
        var sanitizers: String? { self == .sanitized ? "address,undefined" : nil }
    }

    private static let built = Builds()

    static func get(_ kind: Kind) async throws -> BuiltLibrary { try await built.get(kind) }

    private actor Builds {
        private var tasks: [Kind: Task<BuiltLibrary, any Error>] = [:]

        func get(_ kind: Kind) async throws -> BuiltLibrary {
            if tasks[kind] == nil { tasks[kind] = Task { try await BuiltLibrary(kind) } }
            return try await tasks[kind]!.value
        }
    }

    let folder: URL
    private let kind: Kind

    private init(_ kind: Kind) async throws {
        self.kind = kind
        folder = try temporaryFolder()
        var environment = Self.environment
        environment["SANITIZE"] = kind.sanitizers
        let outcome = try await run(["scripts/library", folder.path], environment: environment)
        try #require(outcome.status == 0, "\(outcome.output)")
    }

    static let environment = ["PATH": builtPrograms.path + ":/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8"]

    /// A test program of C. It is linked with the static library, of which it may also use what the library hides.
    func program(_ name: String) async throws -> URL {
        let program = folder.appending(path: "\(name)-\(UInt32.random(in: 0 ... .max))")
        let source = checkout.appending(path: "Tests/LibraryTests/C")
        let sanitizing = kind.sanitizers.map { ["-fsanitize=\($0)", "-fno-sanitize-recover=all"] } ?? []
        let outcome = try await run(
            ["cc", "-std=c11", "-g", "-Wall", "-Wextra", "-Werror"] + sanitizing + [
                "-I\(folder.path)", "-I\(checkout.path)/Sources/Library", "-I\(checkout.path)/Sources/Library/Wire",
                "-I\(checkout.path)/Sources/Library/Connection", source.appending(path: "\(name).c").path, "-o",
                program.path,
                folder.appending(path: "libthumbturn.a").path,
            ], environment: Self.environment)
        try #require(outcome.status == 0, "\(outcome.output)")
        return program
    }
}

/// A new folder that only this user can enter. Its path is short: a socket's has about a hundred bytes.
func temporaryFolder() throws -> URL {
    let folder = URL(filePath: "/tmp/turn-c-\(UInt32.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    OwnFolders.shared.add(folder)
    return folder
}

/// Removes the tests' folders when the process ends.
private final class OwnFolders: @unchecked Sendable {
    // @unchecked: `folders` is touched under `lock`.
    static let shared = OwnFolders()
    private let lock = NSLock()
    private var folders: [URL] = []

    private init() {
        atexit {
            for folder in OwnFolders.shared.lock.withLock({ OwnFolders.shared.folders }) {
                try? FileManager.default.removeItem(at: folder)
            }
        }
    }

    func add(_ folder: URL) { lock.withLock { folders.append(folder) } }
}
