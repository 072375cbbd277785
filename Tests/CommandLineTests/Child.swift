import CThumbLinux
import Foundation
import thumbturn_test_support

/// A program started for a test, in a session of its own: without a terminal, or with one that the test holds.
final class Child {
    struct CannotStart: Error { let program: String }
    struct TookTooLong: Error { let output: String }

    let pid: pid_t
    /// Where its output comes from; in a terminal also where its input goes.
    private let output: Int32
    private(set) var collected: [UInt8] = []
    private var isWaitedFor = false

    /// Longest silence; the slowest step stretches a passcode, in a debug build on a busy machine.
    static let patience: Int32 = 60_000

    /// Without a terminal: standard output and error are one pipe, standard input has `input` alone.
    init(_ arguments: [String], environment: [String: String], input: [UInt8] = []) throws {
        var into: [Int32] = [-1, -1]
        var out: [Int32] = [-1, -1]
        guard thumb_pipe2(&into, O_CLOEXEC) == 0, thumb_pipe2(&out, O_CLOEXEC) == 0 else { throw CannotStart(program: "a pipe") }
        output = out[0]
        pid = try Self.spawn(arguments, environment) { actions in
            posix_spawn_file_actions_adddup2(&actions, into[0], 0)
            posix_spawn_file_actions_adddup2(&actions, out[1], 1)
            posix_spawn_file_actions_adddup2(&actions, out[1], 2)
        }
        close(into[0])
        close(out[1])
        let writing = FileHandle(fileDescriptor: into[1], closeOnDealloc: true)
        Thread.detachNewThread { writeQuietly([UInt8](input), to: writing.fileDescriptor) }
    }

    /// In a terminal.
    init(inTerminal arguments: [String], environment: [String: String]) throws {
        var terminal: Int32 = -1
        var other: Int32 = -1
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard openpty(&terminal, &other, &path, nil, nil) == 0 else { throw CannotStart(program: "a terminal") }
        // Kept open until the program has it: a terminal that nobody has open is at its end.
        defer { close(other) }
        output = terminal
        let name = path
        // The leader of a new session gets the first terminal that it opens.
        pid = try Self.spawn(arguments, environment) { actions in
            posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, 0, 1)
            posix_spawn_file_actions_adddup2(&actions, 0, 2)
        }
    }

    deinit {
        end()
        close(output)
    }

    private static func spawn(
        _ arguments: [String], _ environment: [String: String], _ descriptors: (inout posix_spawn_file_actions_t) -> Void
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        descriptors(&actions)
        thumb_spawn_closefrom(&actions, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The tests' threads block signals that a program started from a shell gets.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, thumb_POSIX_SPAWN_SETSID | Int16(POSIX_SPAWN_SETSIGMASK))
        var argv = arguments.map { strdup($0) } + [nil]
        var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in argv + envp { free(pointer) } }
        var pid: pid_t = 0
        guard posix_spawn(&pid, arguments[0], &actions, &attributes, &argv, &envp) == 0 else {
            throw CannotStart(program: arguments[0])
        }
        return pid
    }

    func type(_ keys: [UInt8]) { _ = keys.withUnsafeBytes { write(output, $0.baseAddress, $0.count) } }

    /// Reads until what was shown since the last call is what is expected; false if it ends otherwise.
    func read(until isEnough: (String) -> Bool) throws -> (met: Bool, output: String) {
        collected = []
        while !isEnough(shown(collected)) {
            guard try readMore() else { return (isEnough(shown(collected)), shown(collected)) }
        }
        return (true, shown(collected))
    }

    /// Reads to the end of the output.
    func readToEnd() throws -> String {
        collected = []
        while try readMore() {}
        return shown(collected)
    }

    private func readMore() throws -> Bool {
        var wait = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, Self.patience) > 0 else { throw TookTooLong(output: shown(collected)) }
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = CThumbLinux.read(output, &buffer, buffer.count)
        // A terminal that everybody has closed says EIO.
        if count <= 0 { return false }
        collected += buffer[..<count]
        return true
    }

    /// Its exit status, or 128 and the signal that ended it.
    func status() -> Int32 {
        var status: Int32 = 0
        isWaitedFor = true
        while waitpid(pid, &status, 0) < 0 && thumb_errno() == EINTR {}
        return thumb_exited(status) != 0 ? thumb_exit_status(status) : 128 + thumb_term_signal(status)
    }

    func end() {
        if isWaitedFor { return }
        kill(pid, SIGTERM)
        _ = status()
    }
}
