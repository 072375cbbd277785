import Foundation
import Testing

/// A session at a command line, written down: what is run, what is typed, what must be answered.
///
///     # a comment
///     $ command                 runs it in a shell without a terminal
///     % command                 runs it in a shell in a terminal of its own
///     < text                    what `$` reads: the lines joined by newlines, with \n, \0, \xHH and \\
///     > text                    what is typed into `%` when everything above has been shown; ^C, ^D, ^F are keys
///     ! restart                 ends the daemon and starts it anew
///     ? 1                       the exit status, 0 where nothing else is said
///
/// All other lines are the output, standard output and standard error together. `…` stands for anything within a line, a line
/// of `…` alone for any lines. Blank lines and blanks at the end of a line don't count.
struct Transcript: Sendable, CustomTestStringConvertible {
    struct Step: Sendable {
        enum Action: Sendable {
            case run(String, input: [UInt8]?)
            case runInTerminal(String)
            case restart
        }

        var action: Action
        let line: Int
        /// What must be shown before each typed line, and at last until the end.
        var expected: [[String]] = [[]]
        var typed: [[UInt8]] = []
        var status: Int32 = 0
    }

    let file: URL
    let steps: [Step]
    var testDescription: String { name }
    var name: String { file.deletingPathExtension().lastPathComponent }

    init(_ file: URL) throws {
        self.file = file
        var steps: [Step] = []
        for (index, line) in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n").enumerated() {
            let text = String(line.dropFirst(2))
            switch line.prefix(2) {
            case "$ ": steps.append(Step(action: .run(text, input: nil), line: index + 1))
            case "% ": steps.append(Step(action: .runInTerminal(text), line: index + 1))
            case "! ": steps.append(Step(action: .restart, line: index + 1))
            case "# ", "#": break
            default:
                if steps.isEmpty { continue }
                try steps[steps.count - 1].take(line, text)
            }
        }
        self.steps = steps
    }

    /// All that there are.
    static func all() throws -> [Transcript] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "transcripts")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "txt" }.sorted { $0.path < $1.path }.map { try Transcript($0) }
    }
}

extension Transcript.Step {
    struct Unreadable: Error { let line: String }

    fileprivate mutating func take(_ line: String, _ text: String) throws {
        switch line.prefix(2) {
        case "< ":
            guard case .run(let command, let before) = action else { throw Unreadable(line: line) }
            action = .run(command, input: (before.map { $0 + [0x0a] } ?? []) + Self.unescaped(text))
        case "> ":
            let keys: [UInt8] =
                switch text {
                case "^C": [0x03]
                case "^D": [0x04]
                case "^F": [0x06]
                default: Array(text.utf8) + [0x0d]
                }
            typed.append(keys)
            expected.append([])
        case "? ":
            guard let number = Int32(text) else { throw Unreadable(line: line) }
            status = number
        default: expected[expected.count - 1].append(line)
        }
    }

    private static func unescaped(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let next = rest.popFirst() else {
                bytes.append(byte)
                continue
            }
            switch next {
            case UInt8(ascii: "n"): bytes.append(0x0a)
            case UInt8(ascii: "0"): bytes.append(0)
            case UInt8(ascii: "x"):
                bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
                rest = rest.dropFirst(2)
            default: bytes.append(next)
            }
        }
        return bytes
    }
}
