import CThumbLinux
import Foundation
import Testing
import thumbturn_test_programs
import thumbturn_test_support

/// A simulated device in a process of its own, with a home folder for the programs that use it.
final class SimulatedMachine {
    private let folder: URL
    private let simulator = OwnProcess()
    private let hands = Pipe()
    private let environment: [String: String]

    init(biometry: String = "touch-id", enrolled: String = "me") async throws {
        // Short: a socket's path has about a hundred bytes.
        folder = URL(filePath: "/tmp/turn-\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "home"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        environment = [
            "PATH": "/usr/bin:/bin", "HOME": folder.appending(path: "home").path, "TERM": "xterm", "LANG": "C.UTF-8",
            "THUMBTURN_SOCKET": folder.appending(path: "socket").path,
        ]
        simulator.executableURL = builtPrograms.appending(path: "thumbturn-simulator")
        // It approves every prompt until the first scripted answer; a test that must have none looks at `prompts()`.
        simulator.arguments = ["--folder", folder.path, "--biometry", biometry, "--enrolled", enrolled]
        let said = Pipe()
        simulator.standardInput = hands
        simulator.standardOutput = said
        try simulator.run()
        let line = await said.fileHandleForReading.firstLine()
        try #require(line == "ready", "the simulator isn't ready: \(line)")
    }

    deinit {
        // It ends when its standard input does.
        try? hands.fileHandleForWriting.close()
        simulator.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    func start(_ program: String) throws -> ProgramOnTerminal {
        try ProgramOnTerminal([builtPrograms.appending(path: program).path], environment: environment)
    }

    /// Runs a program without a terminal to its end; what it said, without the last line's end.
    func run(_ program: String, _ arguments: String...) async throws -> String {
        let (process, said) = (OwnProcess(), Pipe())
        process.executableURL = builtPrograms.appending(path: program)
        (process.arguments, process.environment, process.standardOutput) = (arguments, environment, said)
        process.standardInput = FileHandle.nullDevice
        _ = try await process.ended()
        // A few words, which the pipe has held until now.
        let words = said.fileHandleForReading.readDataToEndOfFile()
        return String(decoding: words, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    /// Starts a program without a terminal, and returns its process once it has said its first line.
    func begin(_ program: String, _ arguments: String...) async throws -> (process: OwnProcess, said: String) {
        let (process, said) = (OwnProcess(), Pipe())
        process.executableURL = builtPrograms.appending(path: program)
        (process.arguments, process.environment, process.standardOutput) = (arguments, environment, said)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return (process, await said.fileHandleForReading.firstLine())
    }

    /// A file in the home of the programs that it runs.
    func home(_ path: String) -> URL { folder.appending(path: "home").appending(path: path) }

    /// Has something happen to the device; what the simulator answers.
    @discardableResult
    func control(_ line: String) throws -> String {
        let fd = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(fd) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = folder.appending(path: "control").path
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(fd, $0, size) }
        }
        try #require(status == 0, "nobody holds the simulator's hands")
        writeQuietly(Array((line + "\n").utf8), to: fd)
        let answer = FileHandle(fileDescriptor: fd, closeOnDealloc: false).readDataToEndOfFile()
        let text = String(decoding: answer, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        try #require(text.hasSuffix("ok"), "\(line): \(text)")
        return text
    }

    /// How the prompts so far ended, in order.
    func prompts() throws -> [String] {
        try control("prompts").split(separator: "\n").dropLast().map { String($0.prefix { $0 != " " }) }
    }
}

extension FileHandle {
    /// Its first line, read on a thread of its own.
    fileprivate func firstLine() async -> String {
        await withCheckedContinuation { done in
            Thread.detachNewThread {
                let line = self.availableData
                done.resume(returning: String(decoding: line, as: UTF8.self).trimmingCharacters(in: .newlines))
            }
        }
    }
}
