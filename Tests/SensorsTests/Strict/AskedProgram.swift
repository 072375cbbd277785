import CThumbLinux
import Foundation
import thumbturn_test_programs

/// A program on a terminal of its own, which is typed to and whose answers are lines that begin with a `>`. Prompts come up on that terminal.
final class AskedProgram: @unchecked Sendable {
    // @unchecked: used by one thread at a time.
    struct Silent: Error { let said: String }

    private let pid: pid_t
    private let terminal: Int32
    private var unread = ""
    private var said = ""

    /// Longest silence; the slowest step stretches a passcode, in a debug build on a busy machine.
    private static let patience: Int32 = 60_000

    init(_ words: [String], environment: [String: String]) throws {
        let place = try makeTerminal()
        defer { close(place.theirs) }
        pid = try spawn(words, environment, [.file(place.path), .same(0), .same(0)])
        terminal = place.mine
    }

    deinit {
        kill(pid, SIGKILL)
        _ = waited(for: pid)
        close(terminal)
    }

    func type(_ text: String) { writeQuietly(Array(text.utf8), to: terminal) }

    /// Waits for these words; false if the program answers before.
    func shows(_ words: String) throws -> Bool {
        while true {
            let shown = unread.range(of: words)
            let answered = unread.range(of: "\n> ")
            if let shown, answered == nil || shown.lowerBound < answered!.lowerBound {
                unread = String(unread[shown.upperBound...])
                return true
            }
            if answered != nil { return false }
            try readMore()
        }
    }

    /// The next answer.
    func answer() throws -> String {
        while true {
            if let begin = unread.range(of: "\n> "), let end = unread[begin.upperBound...].firstIndex(of: "\n") {
                let answer = String(unread[begin.upperBound..<end])
                unread = String(unread[end...])
                return answer
            }
            try readMore()
        }
    }

    private func readMore() throws {
        var wait = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
        var buffer = [UInt8](repeating: 0, count: 65536)
        guard poll(&wait, 1, Self.patience) > 0 else { throw Silent(said: said) }
        let count = read(terminal, &buffer, buffer.count)
        // A terminal that everybody has closed says EIO.
        guard count > 0 else { throw Silent(said: said) }
        // A character that is cut in two is none of those that are looked for.
        let text = String(decoding: buffer[..<count], as: UTF8.self).replacingOccurrences(of: "\r", with: "")
        unread += text
        said += text
    }
}
