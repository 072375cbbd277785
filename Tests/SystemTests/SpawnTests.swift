import CThumbLinux
import Foundation
import Testing
import thumbturn_test_programs

@testable import ThumbSystem

@Suite("Programs that are started") struct SpawnTests {
    /// What a shell's script says, run as `change` has it.
    private func said(_ script: String, _ change: (inout Spawn) -> Void = { _ in }) throws -> [String] {
        let pipe = try PipeEnds()
        var shell = Spawn("/bin/sh", ["sh", "-c", script], descriptors: .only([nil, pipe.writing.number, 2]))
        change(&shell)
        let child = try shell.start()
        let reading = pipe.takenReading()
        let bytes = try Transfer.all(from: reading.number, atMost: 64 << 10)
        #expect(child.wait() == 0)
        return String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("It has the descriptors that are named, and no others")
    func descriptors() throws {
        // Inheritable, and none of its business.
        let stray = thumb_fcntl(2, F_DUPFD, 700)
        try #require(stray >= 700)
        defer { close(stray) }
        // The shell has none of its own; the folder that ls reads is its third.
        #expect(try said("ls /proc/self/fd") == ["0", "1", "2", "3"])
        #expect(try said("readlink /proc/self/fd/0") == ["/dev/null"])
        #expect(try said("ls /proc/self/fd") { $0.descriptors = $0.descriptors.with(stray) } == ["0", "1", "2", "3", "4"])
    }

    @Test("One that isn't open can't be handed on")
    func missing() throws {
        #expect(throws: SystemError(EBADF)) { try Spawn("/bin/true", ["true"], descriptors: .only([nil, nil, 988])).start() }
    }

    @Test("Descriptors may change places")
    func places() throws {
        let folder = try Scratch()
        let one = try Descriptor(opening: folder.path, O_RDONLY | O_DIRECTORY)
        // What is to be 4 lies where another one goes first.
        #expect(
            try said("readlink /proc/self/fd/3 /proc/self/fd/4; test -e /proc/self/fd/5 || echo none") {
                $0.descriptors = $0.descriptors.with(one.number).with(0)
            } == [folder.path, try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/0"), "none"])
    }

    @Test("It has the variables that are named, and no others")
    func environment() throws {
        setenv("THUMBTURN_STRAY", "1", 1)
        defer { unsetenv("THUMBTURN_STRAY") }
        let own = ["PWD", "SHLVL", "_", "OLDPWD"]
        let names = try said("/usr/bin/env") { $0.environment = .only(["NAMED=yes"]) }
        #expect(names.filter { line in !own.contains { line.hasPrefix($0 + "=") } } == ["NAMED=yes"])
        #expect(try said("echo $THUMBTURN_STRAY") { $0.environment = .own } == ["1"])
    }

    @Test("No signal is blocked unless that is wished")
    func signals() throws {
        var (mine, before) = (sigset_t(), sigset_t())
        sigemptyset(&mine)
        sigaddset(&mine, SIGUSR1)
        pthread_sigmask(SIG_BLOCK, &mine, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        // No shell: some clear the mask themselves.
        func grep(_ pattern: String) -> (inout Spawn) -> Void {
            { ($0.program, $0.arguments) = ("/bin/grep", ["grep", "-E", pattern, "/proc/self/status"]) }
        }
        #expect(try said("", grep("SigBlk")) == ["SigBlk:\t0000000000000000"])
        let blocked = try said("") {
            grep("SigBlk")(&$0)
            $0.blocked = mine
        }
        #expect(blocked.first?.hasSuffix(String(1 << UInt64(SIGUSR1 - 1), radix: 16)) == true)
    }

    @Test("It has a session of its own where that is wished")
    func session() throws {
        let own = try said("echo $$; cut -d ' ' -f 6 /proc/$$/stat") { $0.hasOwnSession = true }
        #expect(own.count == 2 && own[0] == own[1])
        let shared = try said("cut -d ' ' -f 6 /proc/$$/stat")
        #expect(shared == ["\(getsid(0))"])
    }

    @Test("It doesn't get the group that this program has from a set-group-ID bit", .enabled(if: getuid() == 0, "takes root"))
    func group() throws {
        let own = Int(getgid())
        // As such a program has it. The bare call changes this thread alone.
        try #require(thumb_syscall(Int(SYS_setresgid), -1, 990, 990, 0) == 0)
        defer { _ = thumb_syscall(Int(SYS_setresgid), -1, own, own, 0) }
        #expect(getgid() == own && getegid() == 990)
        let groups = try said("") { ($0.program, $0.arguments) = ("/bin/grep", ["grep", "^Gid:", "/proc/self/status"]) }
        #expect(groups == ["Gid:" + String(repeating: "\t\(own)", count: 4)])
    }

    @Test("How it ended is told, and a program that isn't there")
    func endings() throws {
        #expect(try Spawn("/bin/sh", ["sh", "-c", "exit 7"]).start().ending() == .exited(7))
        #expect(try Spawn("/bin/sh", ["sh", "-c", "kill -TERM $$"]).start().wait() == 128 + SIGTERM)
        let child = try Spawn("/bin/sleep", ["sleep", "60"]).start()
        child.kill()
        #expect(child.ending() == .killed(SIGKILL))
        #expect(throws: SystemError(ENOENT)) { _ = try Spawn("/nowhere", ["nowhere"]).start() }
    }
}

extension Spawn.Descriptors {
    /// With another one after those that are named.
    fileprivate func with(_ descriptor: Int32) -> Spawn.Descriptors {
        guard case .only(let given) = self else { return self }
        return .only(given + [descriptor])
    }
}
