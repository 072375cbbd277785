import CThumbLinux
import Foundation

/// A program that a test started, with an environment of its own, and its output as lines.
final class Running {
    struct CannotStart: Error { let program: String }
    struct Silence: Error { let after: String }

    let pid: pid_t
    private let input: Int32
    private let output: Int32
    private var pending: [UInt8] = []
    private var ended: Int32?
    private var last = ""

    /// Longest silence: a toolkit's start, on a busy machine.
    static let patience: Int32 = 60_000

    /// Where the programs of this build lie: beside these tests.
    static let programs = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path

    /// - Parameter passing: become its descriptors from 3 on.
    init(_ words: [String], _ environment: [String: String], passing: [Int32] = []) throws {
        var (into, out): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard thumb_pipe2(&into, O_CLOEXEC) == 0, thumb_pipe2(&out, O_CLOEXEC) == 0 else { throw CannotStart(program: "a pipe") }
        (input, output) = (into[1], out[0])
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Copied up first: what is passed may itself stand where another is to go.
        let high = passing.map { thumb_fcntl($0, F_DUPFD_CLOEXEC, 100) }
        defer { for fd in high + [into[0], out[1]] { close(fd) } }
        for (target, fd) in zip(Int32(0)..., [into[0], out[1]]) { posix_spawn_file_actions_adddup2(&actions, fd, target) }
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_RDWR, 0)
        for (target, fd) in zip(Int32(3)..., high) { posix_spawn_file_actions_adddup2(&actions, fd, target) }
        thumb_spawn_closefrom(&actions, 3 + Int32(passing.count))
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // In a session of its own it has no terminal.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | thumb_POSIX_SPAWN_SETSID)
        var argv = words.map { strdup($0) } + [nil]
        var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in argv + envp { free(pointer) } }
        var pid: pid_t = 0
        guard posix_spawnp(&pid, words[0], &actions, &attributes, &argv, &envp) == 0 else { throw CannotStart(program: words[0]) }
        self.pid = pid
    }

    deinit {
        end()
        close(output)
        close(input)
    }

    func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(input, bytes, bytes.count)
    }

    /// The next line of its output; nil at the end of all.
    func line() throws -> String? {
        while true {
            if let end = pending.firstIndex(of: 10) {
                last = String(decoding: pending[..<end], as: UTF8.self)
                pending.removeSubrange(...end)
                return last
            }
            var wait = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, Self.patience) > 0 else { throw Silence(after: last) }
            var buffer = [UInt8](repeating: 0, count: 65536)
            let count = read(output, &buffer, buffer.count)
            if count <= 0 { return nil }
            pending += buffer[..<count]
        }
    }

    /// Its exit status once it has ended by itself, or 128 and the signal that ended it.
    func status() -> Int32 {
        if let ended { return ended }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && thumb_errno() == EINTR {}
        let result = thumb_exited(status) != 0 ? thumb_exit_status(status) : 128 + thumb_term_signal(status)
        ended = result
        return result
    }

    func end() {
        if ended != nil { return }
        kill(pid, SIGTERM)
        _ = status()
    }

    /// Runs a program to its end; what it said.
    static func run(_ words: [String], _ environment: [String: String]) throws -> String {
        let program = try Running(words, environment)
        var lines: [String] = []
        while let line = try program.line() { lines.append(line) }
        guard program.status() == 0 else { throw CannotStart(program: words.joined(separator: " ")) }
        return lines.joined(separator: "\n")
    }
}

/// Runs what blocks on a thread of its own: the pool that tests run on has only as many threads as the machine has cores.
/// Expectations stay outside: on that thread nobody knows which test they belong to.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Value, any Error>) in
        Thread.detachNewThread { done.resume(with: Result(catching: body)) }
    }
}

extension Running {
    /// What the daemon calls a caller in this process.
    static let ownName = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().lastPathComponent
}
