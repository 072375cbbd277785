import CThumbLinux
import Foundation
import thumbturn_test_programs

/// A program started for a test, in a session of its own: with two pipes, or in a terminal that the test holds.
final class Program {
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
        let rest: [Given] = inherited.map { [.descriptor($0)] } ?? []
        switch place {
        case .pipes:
            let (into, out) = (try makePipe(), try makePipe())
            defer {
                close(into.reading)
                close(out.writing)
            }
            (input, output) = (into.writing, out.reading)
            pid = try spawn(arguments, environment, [.descriptor(into.reading), .descriptor(out.writing), .same(1)] + rest)
        case .terminal:
            let terminal = try makeTerminal()
            defer { close(terminal.theirs) }
            (input, output) = (terminal.mine, terminal.mine)
            pid = try spawn(arguments, environment, [.file(terminal.path), .same(0), .same(0)] + rest)
        }
    }

    deinit {
        end()
        close(output)
        if input != output { close(input) }
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
        let result = waited(for: pid)
        ended = result
        return result
    }

    func end(_ signal: Int32 = SIGTERM) {
        if ended != nil { return }
        kill(pid, signal)
        _ = status()
    }
}
