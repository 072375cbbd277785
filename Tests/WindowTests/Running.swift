import CThumbLinux
import Foundation
import thumbturn_test_programs

/// A program that a test started, with an environment of its own, and its output as lines.
final class Running {
    struct Silence: Error { let after: String }

    let pid: pid_t
    private let input: Int32
    private let output: Int32
    private var pending: [UInt8] = []
    private var ended: Int32?
    private var last = ""

    /// Longest silence: a toolkit's start, on a busy machine.
    static let patience: Int32 = 60_000

    /// - Parameter passing: become its descriptors from 3 on.
    init(_ words: [String], _ environment: [String: String], passing: [Int32] = []) throws {
        let (into, out) = (try makePipe(), try makePipe())
        defer {
            close(into.reading)
            close(out.writing)
        }
        (input, output) = (into.writing, out.reading)
        // In a session of its own it has no terminal.
        pid = try spawn(
            words, environment, [.descriptor(into.reading), .descriptor(out.writing), .nothing] + passing.map(Given.descriptor))
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
        let result = waited(for: pid)
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

extension Running {
    /// What the daemon calls a caller in this process.
    static let ownName = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().lastPathComponent
}
