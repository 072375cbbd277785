import CThumbLinux
import Foundation

/// A program, of this build where it has no path, started without a terminal and with no descriptors of ours.
public final class Child: @unchecked Sendable {
    // @unchecked: used by one thread at a time.
    public struct CannotStart: Error {
        let program: String
        public init(program: String) { self.program = program }
    }

    /// Where the programs lie: beside these tests.
    public static let programs = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    public let pid: pid_t
    private var status: Int32?

    /// `descriptor` becomes its number 3; `path`, where it is given, one of its variables.
    public init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], passing descriptor: Int32? = nil,
        path searched: String? = nil
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for target: Int32 in 0...2 { posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_RDWR, 0) }
        if let descriptor { posix_spawn_file_actions_adddup2(&actions, descriptor, 3) }
        thumb_spawn_closefrom(&actions, descriptor == nil ? 3 : 4)
        // The tests' threads block signals that a program started from a shell gets.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let path = program.hasPrefix("/") ? program : Self.programs.appending(path: program).path
        var argv = ([program] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { "\($0.key)=\($0.value)" } + (searched.map { ["PATH=" + $0] } ?? [])
        var envp = variables.map { strdup($0) } + [nil]
        defer { for pointer in argv + envp { free(pointer) } }
        var pid: pid_t = 0
        guard posix_spawn(&pid, path, &actions, &attributes, &argv, &envp) == 0 else { throw CannotStart(program: program) }
        self.pid = pid
    }

    /// Copies a program of this build to where other users reach it. Another program writes it: a file that this process had open
    /// for writing while some thread of it starts a program can't be run for a moment.
    public static func copy(_ program: String, to path: String) throws {
        let source = programs.appending(path: program).path
        let status = try Child("/bin/cp", ["--no-preserve=all", "--remove-destination", source, path]).end()
        guard status == 0, chmod(path, 0o755) == 0 else { throw CannotStart(program: "a copy of \(program)") }
    }

    deinit { killed() }

    /// Waits for its end; its exit status, or 128 and the signal that ended it.
    @discardableResult
    public func end() -> Int32 {
        if let status { return status }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && thumb_errno() == EINTR {}
        let end = thumb_exited(status) != 0 ? thumb_exit_status(status) : 128 + thumb_term_signal(status)
        self.status = end
        return end
    }

    public func killed() {
        guard status == nil else { return }
        kill(pid, SIGKILL)
        end()
    }
}

/// Runs what blocks on a thread of its own: the pool that tests run on has only as many threads as the machine has cores.
/// Expectations stay outside: on that thread nobody knows which test they belong to.
public func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Value, any Error>) in
        Thread.detachNewThread { done.resume(with: Result(catching: body)) }
    }
}
