import CThumbLinux
import Foundation
import thumbturn_test_support

/// A program started for a test, in a session of its own: with two pipes, or in a terminal that the test holds.
final class Program {
    struct CannotStart: Error { let program: String }
    struct TookTooLong: Error { let output: String }

    let pid: pid_t
    private let input: Int32
    private let output: Int32
    private var pendingBytes: [UInt8] = []
    /// Everything it has said so far.
    private(set) var said = ""
    private var ended: Int32?

    /// Longest silence; the slowest step stretches a passcode, in a debug build on a busy machine.
    private static let patience: Int32 = 60_000

    enum Place { case pipes, terminal }

    /// - Parameter inherited: becomes descriptor 3.
    init(_ arguments: [String], environment: [String: String], in place: Place = .pipes, inherited: Int32? = nil) throws {
        switch place {
        case .pipes:
            var into: [Int32] = [-1, -1]
            var out: [Int32] = [-1, -1]
            guard thumb_pipe2(&into, O_CLOEXEC) == 0, thumb_pipe2(&out, O_CLOEXEC) == 0 else {
                throw CannotStart(program: "a pipe")
            }
            defer {
                close(into[0])
                close(out[1])
            }
            (input, output) = (into[1], out[0])
            pid = try Self.spawn(arguments, environment, inherited) { actions in
                posix_spawn_file_actions_adddup2(&actions, into[0], 0)
                for target: Int32 in 1...2 { posix_spawn_file_actions_adddup2(&actions, out[1], target) }
            }
        case .terminal:
            var (terminal, other): (Int32, Int32) = (-1, -1)
            var path = [CChar](repeating: 0, count: Int(PATH_MAX))
            guard openpty(&terminal, &other, &path, nil, nil) == 0 else { throw CannotStart(program: "a terminal") }
            // Kept open until the program has it: a terminal that nobody has open is at its end.
            defer { close(other) }
            (input, output) = (terminal, terminal)
            let name = path
            // The leader of a new session gets the first terminal that it opens.
            pid = try Self.spawn(arguments, environment, inherited) { actions in
                posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
                for target: Int32 in 1...2 { posix_spawn_file_actions_adddup2(&actions, 0, target) }
            }
        }
    }

    deinit {
        end()
        close(output)
        if input != output { close(input) }
    }

    private static func spawn(
        _ arguments: [String], _ environment: [String: String], _ inherited: Int32?,
        _ descriptors: (inout posix_spawn_file_actions_t) -> Void
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        descriptors(&actions)
        if let inherited { posix_spawn_file_actions_adddup2(&actions, inherited, 3) }
        thumb_spawn_closefrom(&actions, inherited == nil ? 3 : 4)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A worker's thread has every signal blocked, and a program would begin so.
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

    func type(_ text: String) {
        // What a program that has ended doesn't read shows in what it doesn't answer.
        writeQuietly(Array(text.utf8), to: input)
    }

    /// The next line of output, without its end; nil at the end of all.
    func line() throws -> String? {
        while true {
            if let end = pendingBytes.firstIndex(of: 10) {
                let line = String(decoding: pendingBytes[..<end], as: UTF8.self)
                pendingBytes.removeSubrange(...end)
                return line.hasSuffix("\r") ? String(line.dropLast()) : line
            }
            guard try readMore() else { return nil }
        }
    }

    /// Reads until these words have been said; false if it ends without.
    func wait(for words: String) throws -> Bool {
        while true {
            let text = String(decoding: pendingBytes, as: UTF8.self)
            if let found = text.range(of: words) {
                pendingBytes = Array(text[found.upperBound...].utf8)
                return true
            }
            guard try readMore() else { return false }
        }
    }

    /// The next answer of the test's own client: a line that begins with a `>`.
    func answer() throws -> String? {
        while let line = try line() { if line.hasPrefix("> ") { return String(line.dropFirst(2)) } }
        return nil
    }

    func ask(_ command: String) throws -> String? {
        type(command + "\n")
        return try answer()
    }

    private func readMore() throws -> Bool {
        var wait = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, Self.patience) > 0 else { throw TookTooLong(output: said) }
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = CThumbLinux.read(output, &buffer, buffer.count)
        // A terminal that everybody has closed says EIO.
        if count <= 0 { return false }
        pendingBytes += buffer[..<count]
        said += String(decoding: buffer[..<count], as: UTF8.self)
        return true
    }

    /// Its exit status, or 128 and the signal that ended it.
    func status() -> Int32 {
        if let ended { return ended }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && thumb_errno() == EINTR {}
        let result = thumb_exited(status) != 0 ? thumb_exit_status(status) : 128 + thumb_term_signal(status)
        ended = result
        return result
    }

    func end(_ signal: Int32 = SIGTERM) {
        if ended != nil { return }
        kill(pid, signal)
        _ = status()
    }
}

/// Runs what blocks on a thread of its own: the pool that tests run on has only as many threads as the machine has cores.
/// Expectations stay outside: on that thread nobody knows which test they belong to.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Value, any Error>) in
        Thread.detachNewThread { done.resume(with: Result(catching: body)) }
    }
}
