import Foundation
import Testing
import thumbturn_test_programs

/// The real server on a database of its own, with one account; it ends with `end`.
final class Server {
    static let account = "anna@bank.example"
    static let password = "a horse's \"battery\" \\ stäple"

    let folder: URL
    let origin: String
    private let process = OwnProcess()

    /// Starts it on a port that the system chooses, and waits until it says which.
    init(_ arguments: [String] = []) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "thumbturn-clients-\(UUID())")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let program = builtPrograms.appending(path: "thumbturn-server")
        let database = ["--database", folder.appending(path: "sign-in.db").path]
        let made = try await run(
            program.path, database + ["account", "add", Self.account], input: Self.password + "\n", in: folder)
        try #require(made.status == 0, "\(made.errors)")
        let output = Pipe()
        process.executableURL = program
        process.arguments = database + ["--listen", "127.0.0.1:0", "--quiet"] + arguments
        process.environment = [:]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let reading = output.fileHandleForReading
        let said = await withCheckedContinuation { (line: CheckedContinuation<String, Never>) in
            Thread.detachNewThread {
                var said = Data()
                while !said.contains(UInt8(ascii: "\n")) {
                    let more = reading.availableData
                    if more.isEmpty { break }
                    said += more
                }
                line.resume(returning: String(decoding: said, as: UTF8.self))
            }
        }
        origin = try #require(said.split(separator: "\n").first?.split(separator: " ").last.map { String($0) }, "\(said)")
        try #require(origin.hasPrefix("http://127.0.0.1:"), "\(said)")
    }

    deinit { end() }

    func end() {
        if process.isRunning {
            process.terminate()
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: folder)
    }

    /// What a GET of that path is answered with, by curl.
    func get(_ path: String) async throws -> String {
        let outcome = try await run("/usr/bin/curl", ["--silent", "--fail", origin + path], in: folder)
        try #require(outcome.status == 0)
        return outcome.output
    }

    /// How many requests were answered so, as its metrics count them.
    func answers(_ method: String, _ route: String, _ status: Int) async throws -> Int {
        let name = "thumbturn_requests_total{method=\"\(method)\",route=\"\(route)\",status=\"\(status)\"} "
        let line = try await get("/metrics").split(separator: "\n").first { $0.hasPrefix(name) }
        return line.flatMap { Int($0.dropFirst(name.count)) } ?? 0
    }

    /// The refusals that were given at least once.
    func refusals() async throws -> Set<String> {
        Set(
            try await get("/metrics").matches(of: /thumbturn_refusals_total\{code="([a-z-]+)"\} ([0-9]+)/)
                .filter { $0.2 != "0" }.map { String($0.1) })
    }
}
