import Foundation

/// Output as a transcript expects it, with its wildcards.
struct Expectation {
    private let pattern: NSRegularExpression

    init(_ lines: [String]) throws {
        let patterns = Self.meaningful(lines).map { line in
            line == "…"
                ? "(?:[^\n]*\n)*?"
                : NSRegularExpression.escapedPattern(for: line).replacingOccurrences(of: "…", with: "[^\n]*") + "\n"
        }
        pattern = try NSRegularExpression(pattern: "\\A" + patterns.joined() + "\\z")
    }

    /// Whether the whole output is what was expected.
    func isMet(by output: String) -> Bool {
        let text = Self.meaningful(output.components(separatedBy: "\n")).map { $0 + "\n" }.joined()
        return pattern.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    }

    private static func meaningful(_ lines: [String]) -> [String] {
        lines.map { line in
            var line = line
            while let last = line.last, last.isWhitespace { line.removeLast() }
            return line
        }.filter { !$0.isEmpty }
    }
}

/// What a terminal shows of these bytes, as far as transcripts care: no colours, no bells, plain ends of lines.
func shown(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
        .replacingOccurrences(of: "\u{1b}\\[[0-9;]*m", with: "", options: .regularExpression)
        .replacingOccurrences(of: "\u{7}", with: "").replacingOccurrences(of: "\r", with: "")
}
