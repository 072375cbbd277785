import CThumbLinux
import Foundation
import thumbturn_test_programs

/// A program that answers each line of its input with a line.
public final class Talker: @unchecked Sendable {
    // @unchecked: a test uses it from one thread at a time.
    public let pid: pid_t
    private let input: Int32
    private let output: Int32
    private var unread: [UInt8] = []
    private var isOver = false

    /// - Parameter variables: all that it has in its environment.
    public init(_ path: String, _ arguments: [String], variables: [String: String] = [:]) throws {
        let (theirInput, myInput) = try makePipe()
        let (myOutput, theirOutput) = try makePipe()
        defer {
            close(theirInput)
            close(theirOutput)
        }
        pid = try spawn(
            [path] + arguments, variables, [.descriptor(theirInput), .descriptor(theirOutput), .nothing], inOwnSession: false)
        (input, output) = (myInput, myOutput)
    }

    deinit { end() }

    /// Says a line and waits for the answer; nil if the program is gone.
    public func ask(_ line: String) -> String? {
        say(line)
        return self.line()
    }

    /// Says a line. A program that is gone hears nothing.
    public func say(_ line: String) {
        var rest = Array((line + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }

    /// The next line that it says; nil if the program is gone.
    public func line() -> String? {
        while true {
            if let end = unread.firstIndex(of: 0x0a) {
                defer { unread.removeFirst(end + 1) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            var room = [UInt8](repeating: 0, count: 4096)
            let count = read(output, &room, room.count)
            guard count > 0 else { return nil }
            unread += room.prefix(count)
        }
    }

    /// Ends it by ending its input, and by force if it is still there.
    public func end() {
        guard !isOver else { return }
        isOver = true
        close(input)
        kill(pid, SIGKILL)
        _ = waited(for: pid)
        close(output)
    }
}
