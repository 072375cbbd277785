import CThumbLinux
import Foundation
import ThumbSecrets
import thumbturn_test_programs

/// The real program, as a child of the tests.
final class ServerProgram: Bank, @unchecked Sendable {
    // @unchecked: nothing changes after it was started but the status, which the test that ends it reads.
    struct CannotStart: Error { let said: String }

    let port: UInt16
    let origin: String
    /// The line it said when it was ready.
    let greeting: String
    private let process = OwnProcess()
    private let folder: Folder
    var pid: pid_t { process.processIdentifier }

    /// Programs that run: one that a suite shares lives as long as the tests, and would outlive them.
    private static let running: Locked<[pid_t: String]> = {
        atexit {
            for (pid, folder) in ServerProgram.running.withLock({ $0 }) {
                kill(pid, SIGKILL)
                try? FileManager.default.removeItem(atPath: folder)
            }
        }
        return Locked([:])
    }()

    /// - Parameters:
    ///   - environment: variables beside the tests' own.
    ///   - isBare: whether nothing is said on its line but `arguments`.
    init(
        _ arguments: [String] = ["--sign-up", "--client-rate", "0"], database: String? = nil, folder: Folder? = nil,
        environment: [String: String] = [:], isBare: Bool = false
    ) throws {
        let folder = try folder ?? Folder()
        self.folder = folder
        let output = Pipe()
        process.executableURL = builtPrograms.appending(path: "thumbturn-server")
        let usual = ["--listen", "127.0.0.1:0", "--database", database ?? folder.path + "/sign-in.db"]
        process.arguments = (isBare ? [] : usual) + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        _ = FileManager.default.createFile(atPath: folder.path + "/log", contents: nil)
        process.standardError = try FileHandle(forWritingTo: URL(filePath: folder.path + "/log"))
        try process.run()
        let pid = process.processIdentifier
        Self.running.withLock { $0[pid] = folder.path }
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty, byte != Data([10]) { line += byte }
        greeting = String(decoding: line, as: UTF8.self)
        // listening on http://127.0.0.1:8470, origin http://127.0.0.1:8470
        let words = greeting.split(separator: " ")
        guard words.count == 5, let port = UInt16(words[2].split(separator: ":").last?.dropLast() ?? "") else {
            process.waitUntilExit()
            Self.running.withLock { $0[pid] = nil }
            throw CannotStart(said: (try? String(contentsOfFile: folder.path + "/log", encoding: .utf8)) ?? "")
        }
        self.port = port
        origin = String(words[4])
    }

    deinit {
        let pid = pid
        Self.running.withLock { $0[pid] = nil }
        if process.isRunning { kill(pid, SIGKILL) }
    }

    /// Asks it to end, and waits; its status.
    func end(_ signal: Int32 = SIGTERM) -> Int32 {
        let pid = pid
        if process.isRunning { kill(pid, signal) }
        process.waitUntilExit()
        Self.running.withLock { $0[pid] = nil }
        return process.terminationStatus
    }

    var log: String { get throws { try String(contentsOfFile: folder.path + "/log", encoding: .utf8) } }

    /// Runs it for what ends by itself.
    static func run(
        _ arguments: [String], input: String = "", environment: [String: String] = [:]
    ) throws -> (status: Int32, output: String) {
        let process = OwnProcess()
        let (into, out) = (Pipe(), Pipe())
        process.executableURL = builtPrograms.appending(path: "thumbturn-server")
        process.arguments = arguments
        if !environment.isEmpty { process.environment = environment }
        (process.standardInput, process.standardOutput, process.standardError) = (into, out, out)
        try process.run()
        try into.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try into.fileHandleForWriting.close()
        let output = try out.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}

/// A folder that goes with the test.
final class Folder: Sendable {
    let path = NSTemporaryDirectory() + "/thumbturn-server-" + UUID().uuidString

    init() throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
