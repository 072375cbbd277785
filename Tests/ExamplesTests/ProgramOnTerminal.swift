import CThumbLinux
import Foundation
import thumbturn_test_programs

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
        let place = try makeTerminal()
        defer { close(place.theirs) }
        pid = try spawn(arguments, environment, [.file(place.path), .same(0), .same(0)])
        terminal = place.mine
        output = Self.chunks(of: place.mine).makeAsyncIterator()
    }

    deinit {
        if status == nil {
            kill(pid, SIGKILL)
            _ = waited(for: pid)
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
