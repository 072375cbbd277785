import CThumbLinux
import Foundation
import ThumbLoop
import thumbturn_test_programs

/// A program that asks for a password, on a terminal that the test holds.
public final class Applicant {
    public struct TookTooLong: Error { public let said: String }

    public let pid: pid_t
    /// There for as long as the program is.
    private let stage: LoginStage
    private let terminal: (mine: Int32, theirs: Int32, path: String)
    /// Marks the program and whatever it starts.
    private let mark = UUID().uuidString
    public private(set) var said = ""
    private var ended: Int32?
    private static let patience = 60.0

    init(_ words: [String], on stage: LoginStage) throws {
        self.stage = stage
        terminal = try makeTerminal()
        pid = try spawn(
            words, ["PATH": "/usr/bin:/bin", "TURN_MARK": mark, "LANG": "C.UTF-8"], [.file(terminal.path), .same(0), .same(0)])
    }

    deinit {
        if ended == nil {
            kill(pid, SIGKILL)
            _ = waited(for: pid)
        }
        close(terminal.mine)
        close(terminal.theirs)
    }

    public func type(_ text: String) { writeQuietly(Array(text.utf8), to: terminal.mine) }

    /// Reads what has come within a moment.
    private func read(within milliseconds: Int32) {
        var wait = pollfd(fd: terminal.mine, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, milliseconds) > 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = CThumbLinux.read(terminal.mine, &buffer, buffer.count)
        if count > 0 { said += String(decoding: buffer[..<count], as: UTF8.self) }
    }

    public func wait(for words: String, times: Int = 1) throws {
        let end = EventLoop.now + Self.patience
        while said.ranges(of: words).count < times {
            guard EventLoop.now < end else { throw TookTooLong(said: said) }
            read(within: 50)
        }
    }

    /// Presses a key, and again each second until it has had its effect: a program that takes a signal between its question and its reading,
    /// as sudo can, reads on.
    public func press(_ key: Character, until isDone: () -> Bool) throws {
        let end = EventLoop.now + Self.patience
        while EventLoop.now < end {
            type(String(key))
            let next = EventLoop.now + 1
            while EventLoop.now < next {
                read(within: 20)
                if isDone() { return }
            }
        }
        throw TookTooLong(said: said)
    }

    /// Whether it has ended.
    public var hasEnded: Bool {
        var status: Int32 = 0
        if ended == nil, waitpid(pid, &status, WNOHANG) == pid {
            ended = thumb_exited(status) != 0 ? thumb_exit_status(status) : 128 + thumb_term_signal(status)
        }
        return ended != nil
    }

    /// Whether it ends within so many seconds. What it says meanwhile is read.
    public func ends(within seconds: Double) -> Bool {
        let end = EventLoop.now + seconds
        while !hasEnded {
            guard EventLoop.now < end else { return false }
            read(within: 5)
        }
        readRest()
        return true
    }

    /// Reads what it said last. The kernel passes that on a moment after its end, and before whatever is said later.
    private func readRest() {
        let last: Character = "\u{1e}"
        writeQuietly([0x1e], to: terminal.theirs)
        let end = EventLoop.now + Self.patience
        while !said.contains(last), EventLoop.now < end { read(within: 50) }
        said.removeAll { $0 == last }
    }

    /// Its exit status, or 128 and the signal that ended it.
    public func end() throws -> Int32 {
        guard ends(within: Self.patience), let ended else { throw TookTooLong(said: said) }
        return ended
    }

    /// The group of processes that the terminal listens to.
    public var front: pid_t { tcgetpgrp(terminal.mine) }

    /// Waits until that group is in front.
    public func wait(forFront group: pid_t) throws {
        let end = EventLoop.now + Self.patience
        while front != group {
            guard EventLoop.now < end else { throw TookTooLong(said: said) }
            read(within: 5)
        }
    }

    /// Whether the terminal shows what is typed.
    public var echoes: Bool {
        var modes = termios()
        return tcgetattr(terminal.theirs, &modes) == 0 && modes.c_lflag & UInt32(ECHO) != 0
    }

    /// What a shell would read behind the program: the line that was begun, ended now.
    public func lineLeft() -> String {
        type("\n")
        var wait = pollfd(fd: terminal.theirs, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, 60_000) == 1 else { return "nothing" }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = CThumbLinux.read(terminal.theirs, &buffer, buffer.count)
        return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
    }

    /// The processes that it has left, or that it still has beside itself.
    public var others: [pid_t] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return entries.compactMap { pid_t($0) }.filter { found in
            guard found != pid, let bytes = try? Data(contentsOf: URL(filePath: "/proc/\(found)/environ")) else { return false }
            return String(decoding: bytes, as: UTF8.self).contains(mark)
        }
    }

    /// Waits until it has left none.
    public func isAlone() -> Bool {
        for _ in 0..<2000 {
            if others.isEmpty { return true }
            usleep(5000)
        }
        return false
    }
}
