import CThumbLinux
import Foundation
import thumbturn_test_programs

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
        _ path: String, _ arguments: [String], input bytes: [UInt8] = [], keepsOutput: Bool = true
    ) throws -> [UInt8] {
        let (output, input) = (try makePipe(), try makePipe())
        defer { for end in [output.reading, input.reading] { close(end) } }
        // What fits into a pipe waits there.
        precondition(bytes.count <= 4096)
        _ = write(input.writing, bytes, bytes.count)
        close(input.writing)
        // A program that goes into the background would hold the pipe open.
        let heard: Given = keepsOutput ? .descriptor(output.writing) : .nothing
        let pid: pid_t
        do {
            defer { close(output.writing) }
            pid = try spawn([path] + arguments, [:], [.descriptor(input.reading), heard, heard], inOwnSession: false)
        }
        var said: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(output.reading, &buffer, buffer.count)
            if count < 0 && thumb_errno() == EINTR { continue }
            guard count > 0 else { break }
            said += buffer[..<count]
        }
        let end = waited(for: pid)
        guard end == 0 else { throw Failed(status: end, said: String(decoding: said, as: UTF8.self)) }
        return said
    }
}
