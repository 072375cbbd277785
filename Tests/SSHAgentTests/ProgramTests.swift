import CThumbLinux
import Foundation
import Testing

import thumbturn_test_programs
@testable import thumbturn

extension OnDevice {
    /// The command as it is installed, a process of its own, on the device of this one.
    @Suite("thumbturn ssh-agent") struct ProgramTests {
        private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "thumbturn").path

        /// The key that the command made, and the environment to run it in.
        private func prepared(_ stand: Stand) async throws -> (line: String, environment: [String: String]) {
            let device = stand.folder.appending(path: "device").path
            try #require(stand.device.listen(at: device))
            let environment = stand.environment.merging(["THUMBTURN_SOCKET": device]) { $1 }
            let made = try await Ended.running(
                [Self.program, "ssh-key", "create", "work", "--protect", "none"], environment: environment, in: stand.folder)
            try #require(made.status == 0, "\(made.output)")
            return (made.output, environment)
        }

        private func list(at path: String, _ stand: Stand) async throws -> String {
            try await Ended.running(
                ["ssh-add", "-L"], environment: stand.environment.merging(["SSH_AUTH_SOCK": path]) { $1 }, in: stand.folder
            ).output
        }

        @Test(
            "It says where it listens, serves the command's own keys, and takes its socket away when it is ended",
            // A socket that was passed to another process, which started this one, is none of its own.
            arguments: [[], ["env", "LISTEN_FDS=1", "LISTEN_PID=1"]])
        func ownSocket(words: [String]) async throws {
            try await withAgent { stand in
                let (line, environment) = try await prepared(stand)
                // A key of another program's: the two don't see each other's.
                try stand.key("other")
                let path = stand.folder.appending(path: "own socket").path
                var ends: [Int32] = [-1, -1]
                try #require(thumb_pipe2(&ends, O_CLOEXEC) == 0)
                let output = ends[0]
                defer { close(output) }
                let agent = try Ended.start(
                    words + [Self.program, "ssh-agent", "--socket", path], environment, in: stand.folder, output: ends[1])
                close(ends[1])
                let said = await onThread {
                    var bytes = [UInt8](repeating: 0, count: 4096)
                    let count = max(0, read(output, &bytes, bytes.count))
                    return String(decoding: bytes[..<count], as: UTF8.self)
                }
                #expect(said == "SSH_AUTH_SOCK='\(path)'; export SSH_AUTH_SOCK;\n")
                #expect(try await list(at: path, stand) == line)
                kill(agent.pid, SIGTERM)
                #expect(await onThread { agent.wait() } == 0)
                #expect(!FileManager.default.fileExists(atPath: path))
            }
        }

        @Test("What is passed to it and is no listening socket is refused")
        func falseSocket() async throws {
            try await withAgent { stand in
                let (_, environment) = try await prepared(stand)
                let ended = try await Ended.running(
                    ["sh", "-c", "LISTEN_FDS=1 LISTEN_PID=$$ exec \(Self.program) ssh-agent 3</dev/null"],
                    environment: environment,
                    in: stand.folder)
                #expect(ended.status == Exit.failed.rawValue)
                #expect(ended.output.contains("isn't a listening socket"))
            }
        }

        @Test("It takes the socket that a service manager holds for it, and leaves it there")
        func activated() async throws {
            try await withAgent { stand in
                let (line, environment) = try await prepared(stand)
                let path = stand.folder.appending(path: "activated").path
                // What systemd does: a listening socket as descriptor 3, and two variables.
                let manager = """
                    import os, socket, sys
                    listener = socket.socket(socket.AF_UNIX)
                    listener.bind(sys.argv[1] + ".new")
                    listener.listen()
                    os.rename(sys.argv[1] + ".new", sys.argv[1])
                    os.dup2(os.dup(listener.fileno()), 3)
                    os.set_inheritable(3, True)
                    os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
                    os.execv(sys.argv[2], sys.argv[2:])
                    """
                let nothing = thumb_open("/dev/null", O_WRONLY | O_CLOEXEC, 0)
                defer { close(nothing) }
                let agent = try Ended.start(
                    ["python3", "-c", manager, path, Self.program, "ssh-agent"], environment, in: stand.folder, output: nothing)
                try await until("nobody listens") { FileManager.default.fileExists(atPath: path) }
                #expect(try await list(at: path, stand) == line)
                kill(agent.pid, SIGTERM)
                #expect(await onThread { agent.wait() } == 0)
                #expect(FileManager.default.fileExists(atPath: path))
            }
        }
    }
}
