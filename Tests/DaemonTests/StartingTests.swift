import CThumbLinux
import Foundation
import Testing
import ThumbLoop
import thumbturn_test_programs

@Suite("The daemon, from its start to its end")
struct StartingTests {
    private func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test("the first call starts it, in a folder and with a socket that are the user's alone")
    func onDemand() async throws {
        let home = try Home()
        let answer = try await onThread { try home.ask("pid") }
        #expect(answer == home.daemon.map { "pid \($0)" })
        #expect(try mode(home.folder.path + "/run/thumbturn") == 0o700)
        #expect(try mode(home.socket) == 0o600)
        for name in try home.files().keys { #expect(try mode(home.state.path + "/" + name) == 0o600, "\(name)") }
    }

    @Test("it has nothing of its caller's: no environment, no folder, no terminal, no descriptor")
    func emptied() async throws {
        let home = try Home()
        _ = try await onThread { try home.ask("pid") }
        let process = "/proc/\(try #require(home.daemon))"
        #expect(try Data(contentsOf: URL(filePath: process + "/environ")).isEmpty)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: process + "/cwd") == "/")
        for descriptor in 0...2 {
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: process + "/fd/\(descriptor)") == "/dev/null")
        }
        // Sixth after the name: the controlling terminal, of which there is none.
        let stat = try String(contentsOfFile: process + "/stat", encoding: .utf8)
        #expect(stat.split(separator: ")").last?.split(separator: " ")[4] == "0")
        let limits = try String(contentsOfFile: process + "/limits", encoding: .utf8)
        #expect(limits.split(separator: "\n").contains { $0.hasPrefix("Max core file size        0  ") })
    }

    @Test("a daemon that is started while another one ends waits until that one has let go of the store")
    func afterAnother() async throws {
        let home = try Home()
        // What a daemon that ends still has when its socket is gone already.
        let lock = open(home.state.appending(path: "lock").path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
        let isStarting = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            isStarting.wait()
            usleep(500_000)
            close(lock)
        }
        let answer = try await onThread {
            isStarting.signal()
            return try home.ask("add one first")
        }
        #expect(answer == "added one")
    }

    @Test("ten clients that start it at once end with one daemon and ten answers")
    func race() async throws {
        let home = try Home()
        let answers = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<10 { group.addTask { try await onThread { try home.ask("pid") } } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers == Array(repeating: home.daemon.map { "pid \($0)" }, count: 10))
    }

    @Test("killed during a call, that call fails with what to do, and the next one starts it again")
    func killed() async throws {
        let home = try Home()
        let (before, during, after) = try await onThread {
            let client = try home.client()
            let before = try client.ask("pid")
            guard let pid = home.daemon else { throw Home.NotBuilt(name: "a daemon") }
            kill(pid, SIGSTOP)
            Self.wait(for: pid) { $0.allSatisfy { $0.state == "T" } }
            client.type("pid\n")
            // It has sent what it had to say when it waits for the answer.
            Self.wait(for: client.pid) { $0.contains { $0.call == "\(SYS_recvfrom)" } }
            kill(pid, SIGKILL)
            return (before, try client.answer(), try client.ask("pid"))
        }
        #expect(
            during
                == "failed connectionLost: thumbturnd went away before it answered; the next call starts or finds it again")
        #expect(after == home.daemon.map { "pid \($0)" } && after != before)
    }

    /// Waits until the process's threads are as they should be: there is nothing that would tell.
    private static func wait(for pid: pid_t, until isReady: ([(state: Substring?, call: Substring?)]) -> Bool) {
        let tasks = "/proc/\(pid)/task"
        for _ in 0..<6000 {
            let threads = ((try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []).map { thread in
                let read = { (file: String) in (try? String(contentsOfFile: "\(tasks)/\(thread)/\(file)", encoding: .utf8)) ?? ""
                }
                return (
                    state: read("stat").split(separator: ")").last?.split(separator: " ").first,
                    call: read("syscall").split(separator: " ").first
                )
            }
            if isReady(threads) { return }
            usleep(10_000)
        }
    }

    @Test("a second one on the same state ends well and leaves the first alone")
    func second() async throws {
        let home = try Home()
        let (status, first, still) = try await onThread {
            let first = try home.ask("pid")
            return (try home.serve(idle: 0).status(), first, try home.ask("pid"))
        }
        #expect(status == 0 && first == still)
    }

    @Test("when nobody has been there for the time it was given it ends, and takes its socket with it")
    func idle() async throws {
        let home = try Home()
        let (isTheOne, status, said) = try await onThread { () throws -> (Bool, Int32, String) in
            for seconds in [0.3, 3, 30] {
                let daemon = try home.serve(idle: seconds)
                for _ in 0..<1000 where !FileManager.default.fileExists(atPath: home.socket) { usleep(10_000) }
                let client = try home.client()
                let answer = try client.ask("pid")
                client.end()
                if answer == "pid \(daemon.pid)" { return (true, daemon.status(), daemon.said) }
                // On a busy machine it may have ended before its client came, which started another: then it has longer.
                home.endDaemon()
                _ = daemon.status()
            }
            return (false, 1, "")
        }
        #expect(isTheOne && status == 0 && said.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: home.socket))
        let log = try String(contentsOf: home.state.appending(path: "daemon.log"), encoding: .utf8)
        #expect(log.contains("ending: nobody was there"))
    }

    @Test(
        "what it is asked to do and can't is told apart by its exit status",
        arguments: [
            (["--nonsense"], 64), (["--idle"], 64), (["--idle", "-1"], 64), (["--socket", "relative"], 64), (["--version"], 0),
            (["--device", "1", "--launch"], 64), (["--device", "1", "--recover"], 64),
            (["--device", "1", "--bus", "unix:path=/nowhere/bus"], 64),
            (["--device", "1", "--tpm", "none"], 64), (["--front-fd", "3"], 64),
        ] as [([String], Int32)])
    func arguments(words: [String], expected: Int32) async throws {
        let status = try await onThread { try Program([Home.program("thumbturnd")] + words, environment: [:]).status() }
        #expect(status == expected)
    }

    @Test("a state folder that others can write is refused, and nothing is written into it")
    func openFolder() async throws {
        let home = try Home()
        try FileManager.default.setAttributes([.posixPermissions: 0o770], ofItemAtPath: home.state.path)
        let answer = try await onThread { try home.ask("pid") }
        #expect(answer?.hasPrefix("failed notFound: thumbturnd ended with status 73") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.state.path).isEmpty)
    }

    @Test(
        "a daemon beside the program that wants one is started only from a folder where nobody else could have put it",
        .enabled(if: getuid() == 0, "takes root, to make folders of others"))
    func beside() async throws {
        let started = try await onThread {
            let home = try Home()
            let folder = home.folder.appending(path: "own")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            let (copy, mark) = (folder.appending(path: "client").path, home.folder.appending(path: "mark").path)
            try copyProgram(at: Home.program("thumbturn-test-client"), to: copy)
            try writeScript("#!/bin/sh\n: >'\(mark)'\n", to: folder.appending(path: "thumbturnd").path)
            let environment = home.environment.filter { $0.key != "THUMBTURN_LIBEXEC" }
            return try [
                (0, 0, 0o755), (0, 0, 0o775), (0, 7, 0o775), (0, 0, 0o777), (0, 0, 0o1777), (65534, 0, 0o755),
            ].map { user, group, mode in
                unlink(mark)
                try #require(chown(folder.path, uid_t(user), gid_t(group)) == 0 && chmod(folder.path, mode_t(mode)) == 0)
                _ = try Program([copy], environment: environment).ask("pid")
                home.endDaemon()
                return FileManager.default.fileExists(atPath: mark)
            }
        }
        #expect(started == [true, true, false, false, false, false])
    }
}
