import CThumbLinux
import Foundation

/// A program run to its end, with no environment, little or no input and the signals that a shell would give it.
///
/// Not Foundation's: that one waits on its thread's run loop, and the house's loop has none.
public enum Program {
    public struct Failed: Error, CustomStringConvertible {
        public let status: Int32
        public let said: String
        public var description: String { "status \(status): \(said)" }
    }

    /// What it wrote, to its output and its errors; fails unless its status is 0.
    @discardableResult
    public static func run(
        _ path: String, _ arguments: [String], input: [UInt8] = [], keepsOutput: Bool = true
    ) throws -> [UInt8] {
        var (ends, into): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard thumb_pipe2(&ends, O_CLOEXEC) == 0, thumb_pipe2(&into, O_CLOEXEC) == 0 else {
            throw Failed(status: -1, said: "no pipe")
        }
        defer { for end in [ends[0], into[0]] { close(end) } }
        // What fits into a pipe waits there.
        precondition(input.count <= 4096)
        _ = write(into[1], input, input.count)
        close(into[1])
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, into[0], 0)
        for target: Int32 in 1...2 {
            // A program that goes into the background would hold the pipe open.
            if keepsOutput {
                posix_spawn_file_actions_adddup2(&actions, ends[1], target)
            } else {
                posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_WRONLY, 0)
            }
        }
        thumb_spawn_closefrom(&actions, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let argv = ([path] + arguments).map { strdup($0) } + [nil]
        let envp: [UnsafeMutablePointer<CChar>?] = [nil]
        defer { for pointer in argv { free(pointer) } }
        var pid: pid_t = 0
        let spawned = posix_spawn(&pid, path, &actions, &attributes, argv, envp)
        close(ends[1])
        guard spawned == 0 else { throw Failed(status: spawned, said: "it couldn't be started") }
        var said: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(ends[0], &buffer, buffer.count)
            if count < 0 && thumb_errno() == EINTR { continue }
            guard count > 0 else { break }
            said += buffer[..<count]
        }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && thumb_errno() == EINTR {}
        let end = thumb_exited(status) != 0 ? thumb_exit_status(status) : 128 + thumb_term_signal(status)
        guard end == 0 else { throw Failed(status: end, said: String(decoding: said, as: UTF8.self)) }
        return said
    }
}
