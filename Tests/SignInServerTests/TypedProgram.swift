import CThumbLinux
import Foundation
import thumbturn_test_programs

/// The real program in a terminal that the test holds, with the terminal as its own.
final class TypedProgram {
    struct Surprise: Error { let shown: String }

    let pid: pid_t
    private var terminal: Int32
    /// What stands on the screen, and how much of it was waited for.
    private(set) var shown = ""
    private var place = ""
    private var isWaitedFor = false

    /// Longest silence; the slowest step stretches a password, in a debug build on a busy machine.
    private static let patience: Int32 = 60_000

    /// - Parameters:
    ///   - environment: variables beside the tests' own.
    ///   - ignoresHangUp: whether it is started as nohup starts programs.
    init(_ arguments: [String], environment: [String: String] = [:], ignoresHangUp: Bool = false) throws {
        let made = try makeTerminal()
        defer { close(made.theirs) }
        terminal = made.mine
        let program = builtPrograms.appending(path: "thumbturn-server").path
        // Tests that nohup started ignore a terminal's end, and so would what they start.
        let words = ["/usr/bin/env", ignoresHangUp ? "--ignore-signal=HUP" : "--default-signal=HUP", program] + arguments
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        pid = try spawn(words, variables, [.file(made.path), .same(0), .same(0)])
    }

    deinit {
        if !isWaitedFor {
            kill(pid, SIGKILL)
            _ = waited(for: pid)
        }
        if terminal >= 0 { close(terminal) }
    }

    /// Reads until these words have been shown after what was waited for last.
    func wait(for words: String) throws {
        while true {
            if let found = place.range(of: words) {
                place = String(place[found.upperBound...])
                return
            }
            guard try more() else { throw Surprise(shown: shown) }
        }
    }

    func type(_ keys: String) { writeQuietly(Array(keys.utf8), to: terminal) }

    /// Reads to the end, and waits for it; the status.
    func end() throws -> Int32 {
        while try more() {}
        isWaitedFor = true
        return waited(for: pid)
    }

    /// Takes the terminal away, as closing its window does.
    func loseTerminal() {
        close(terminal)
        terminal = -1
    }

    /// Waits for it; the status.
    func ended() -> Int32 {
        isWaitedFor = true
        return waited(for: pid)
    }

    /// Takes the terminal away, and waits; the status.
    func hangUp() -> Int32 {
        loseTerminal()
        return ended()
    }

    private func more() throws -> Bool {
        var wait = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, Self.patience) > 0 else { throw Surprise(shown: shown) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(terminal, &buffer, buffer.count)
        // A terminal that everybody has closed says EIO.
        if count <= 0 { return false }
        let text = String(decoding: buffer[..<count], as: UTF8.self)
        (shown, place) = (shown + text, place + text)
        return true
    }
}
