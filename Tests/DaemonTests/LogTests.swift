import CThumbLinux
import Foundation
import Testing
import ThumbLoop
import thumbturn_test_programs

@Suite("The daemon's log stays small")
struct LogTests {
    private static let limit = 1 << 20

    @Test("a log that grows past its limit while the daemon runs starts anew, and one older file is kept")
    func rotated() throws {
        let home = try Home()
        let log = home.state.appending(path: "daemon.log")
        // Not yet too long when it starts; with the first line it is.
        try Data(repeating: 10, count: Self.limit).write(to: log)
        let daemon = try home.serve(idle: 0)
        #expect(try home.ask("in - add a b") != nil)
        daemon.end()
        let old = try Data(contentsOf: home.state.appending(path: "daemon.log.1"))
        let new = try String(contentsOf: log, encoding: .utf8)
        #expect(old.count > Self.limit && old.count < Self.limit + 4096)
        #expect(new.contains("ending") && !new.contains("listening") && new.utf8.count < 4096)
    }

    @Test(
        "each line has its time, its level, its process and its event, in logfmt and in JSON",
        arguments: [([], false), (["--log-format", "logfmt"], false), (["--log-format", "json"], true)] as [([String], Bool)])
    func form(_ option: [String], _ isJSON: Bool) async throws {
        let (pid, log) = try await onThread {
            let home = try Home()
            try FileManager.default.createDirectory(
                atPath: home.folder.path + "/run/thumbturn", withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            let ends = try makePipe()
            defer { close(ends.reading) }
            let daemon = try Program(
                [
                    Home.program("thumbturnd"), "--serve", "--socket", home.socket, "--state", home.state.path, "--idle", "0",
                    "--bus", "none", "--ready-fd", "3",
                ] + option, environment: home.environment, inherited: ends.writing)
            close(ends.writing)
            var byte: UInt8 = 0
            guard read(ends.reading, &byte, 1) == 1 else { throw CannotStart(program: "the daemon") }
            daemon.end()
            return (daemon.pid, try String(contentsOf: home.state.appending(path: "daemon.log"), encoding: .utf8))
        }
        let lines = log.split(separator: "\n").map(String.init)
        let time = "2\\d{3}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ"
        let form =
            isJSON
            ? try Regex("\\{\"time\":\"\(time)\",\"level\":\"[a-z]+\",\"pid\":\(pid),\"event\":\"[^\"]+\"\\}")
            : try Regex("time=\(time) level=[a-z]+ pid=\(pid) event=([^ \"=]+|\"[^\"]+\")")
        #expect(lines.count > 1)
        for line in lines { #expect(line.wholeMatch(of: form) != nil, "\(line)") }
        #expect(lines.contains { $0.contains(isJSON ? "\"event\":\"listening\"" : " event=listening") })
        #expect(lines.last?.contains("\"ending: asked to end\"") == true)
    }

    @Test(
        "ten thousand connections that are each worth a line write a hundred and twenty a minute",
        .enabled(if: geteuid() == 0, "takes root and another user"))
    func flooded() throws {
        let home = try Home()
        let daemon = try home.serve(idle: 0)
        #expect(try home.ask("in - add a b") != nil)
        // Another user of the machine gets as far as the socket.
        for path in [home.folder.path, home.folder.path + "/run", home.folder.path + "/run/thumbturn"] { chmod(path, 0o755) }
        chmod(home.socket, 0o777)
        let path = home.socket
        let over = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            // The bare call changes this thread alone, which ends afterwards.
            if thumb_syscall(Int(SYS_setresuid), 65534, 65534, 65534, 0) == 0 {
                for _ in 0..<10_000 { if case .success(let fd) = UnixSocket.connect(to: path) { UnixSocket.close(fd) } }
            }
            over.signal()
        }
        over.wait()
        daemon.end()
        let log = try String(contentsOf: home.state.appending(path: "daemon.log"), encoding: .utf8)
        let lines = log.split(separator: "\n")
        let unheard = lines.filter { $0.contains("unheard") }
        // Each says who it was.
        #expect(!unheard.isEmpty && unheard.allSatisfy { $0.hasSuffix(" client=\(getpid()) uid=65534") })
        // A minute may have ended meanwhile, or two.
        #expect(lines.count < 3 * 125, "\(lines.count) lines")
    }
}
