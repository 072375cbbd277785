import CThumbLinux
import Foundation
import thumbturn_test_programs

/// A program started for a test, in a session of its own: without a terminal, or with one that the test holds.
final class Child {
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
        let (into, out) = (try makePipe(), try makePipe())
        output = out.reading
        do {
            defer {
                close(into.reading)
                close(out.writing)
            }
            pid = try spawn(arguments, environment, [.descriptor(into.reading), .descriptor(out.writing), .same(1)])
        }
        let writing = FileHandle(fileDescriptor: into.writing, closeOnDealloc: true)
        Thread.detachNewThread { writeQuietly([UInt8](input), to: writing.fileDescriptor) }
    }

    /// In a terminal.
    init(inTerminal arguments: [String], environment: [String: String]) throws {
        let terminal = try makeTerminal()
        defer { close(terminal.theirs) }
        output = terminal.mine
        pid = try spawn(arguments, environment, [.file(terminal.path), .same(0), .same(0)])
    }

    deinit {
        end()
        close(output)
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
        isWaitedFor = true
        return waited(for: pid)
    }

    func end() {
        if isWaitedFor { return }
        // Its whole session ends: a program that runs another one may wait for it before it ends itself.
        kill(-pid, SIGTERM)
        _ = status()
    }
}
