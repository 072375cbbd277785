import CThumbLinux
import Foundation

/// A program in a session and a terminal of its own, whose screens a test reads and whose keys it presses.
final class ProgramOnTerminal {
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    let pid: pid_t
    private let terminal: Int32
    private var output: AsyncStream<[UInt8]>.Iterator
    private var bytes: [UInt8] = []
    private var status: Int32?

    /// Longest silence; generous, since a busy machine may be slow to start a program.
    static let patience: Int32 = 60_000
    /// What begins a screen: it clears the one before.
    private static let clear = "\u{1B}[H\u{1B}[2J\u{1B}[3J"

    init(_ arguments: [String], environment: [String: String]) throws {
        var (mine, theirs): (Int32, Int32) = (-1, -1)
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard openpty(&mine, &theirs, &path, nil, nil) == 0 else { throw Missing(description: "a terminal") }
        // Kept open until the program has it: a terminal that nobody has open is at its end.
        defer { close(theirs) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The leader of a new session gets the first terminal that it opens.
        posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        thumb_spawn_closefrom(&actions, 3)
        pid = try spawn(arguments, environment, &actions)
        terminal = mine
        output = Self.chunks(of: mine).makeAsyncIterator()
    }

    deinit {
        if status == nil {
            kill(pid, SIGKILL)
            var ignored: Int32 = 0
            waitpid(pid, &ignored, 0)
        }
        close(terminal)
    }

    /// What it writes, read by a thread of its own: the pool that tests run on is small.
    private static func chunks(of terminal: Int32) -> AsyncStream<[UInt8]> {
        let (stream, chunks) = AsyncStream<[UInt8]>.makeStream()
        let copy = dup(terminal)
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 65536)
            var wait = pollfd(fd: copy, events: Int16(POLLIN), revents: 0)
            while poll(&wait, 1, patience) > 0 {
                let count = read(copy, &buffer, buffer.count)
                // A terminal that everybody has closed says EIO.
                if count <= 0 { break }
                chunks.yield(Array(buffer[..<count]))
            }
            close(copy)
            chunks.finish()
        }
        return stream
    }

    // MARK: Screens and keys

    /// Everything it wrote so far.
    var everything: String { String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n") }

    /// The next whole screen that has `text` on it.
    func screen(_ text: String) async throws -> String {
        while true {
            let screens = everything.components(separatedBy: Self.clear).dropFirst()
            if let last = screens.last, last.contains(text), last.hasSuffix("\n> ") { return last }
            guard let chunk = await output.next(isolation: #isolation) else {
                throw Missing(description: "no screen with “\(text)”, but:\n\(everything)")
            }
            bytes += chunk
        }
    }

    /// Types a line and gives the next whole screen that has `text` on it.
    func type(_ line: String, screen text: String) async throws -> String {
        bytes = []
        press(Array(line.utf8) + [0x0A])
        return try await screen(text)
    }

    func press(_ keys: [UInt8]) { _ = keys.withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) } }

    // MARK: Stopped and ended

    /// Presses Ctrl-Z and waits until the program stands still; what it showed before that.
    func putAside() async throws -> String {
        bytes = []
        press([0x1A])
        let shown = try await screen("put aside")
        let status = await wait(WUNTRACED)
        guard thumb_stopped(status) != 0 else { throw Missing(description: "it didn't stop but ended: \(status)") }
        return shown
    }

    /// Brings it back, as a shell's `fg` does.
    func bringBack() {
        bytes = []
        kill(pid, SIGCONT)
    }

    /// Waits for its end; its exit status, or 128 and the signal that ended it.
    func end() async -> Int32 {
        let status = await wait(0)
        self.status = status
        return thumb_exited(status) != 0 ? thumb_exit_status(status) : 128 + thumb_term_signal(status)
    }

    private func wait(_ options: Int32) async -> Int32 {
        let pid = pid
        return await withCheckedContinuation { done in
            Thread.detachNewThread {
                var status: Int32 = 0
                while waitpid(pid, &status, options) < 0 && thumb_errno() == EINTR {}
                done.resume(returning: status)
            }
        }
    }
}

/// Starts a program in a session of its own, with exactly this environment.
func spawn(
    _ arguments: [String], _ environment: [String: String], _ actions: inout posix_spawn_file_actions_t
) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, thumb_POSIX_SPAWN_SETSID)
    var argv = arguments.map { strdup($0) } + [nil]
    var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    var pid: pid_t = 0
    guard posix_spawn(&pid, arguments[0], &actions, &attributes, &argv, &envp) == 0 else {
        throw ProgramOnTerminal.Missing(description: "\(arguments[0]) can't be started")
    }
    return pid
}
