/// Words chosen by somebody else, made safe to show: one line, no control characters, no writing direction overrides, of bounded length.
public struct SafeText: Sendable, Hashable, CustomStringConvertible {
    /// Longest text shown, in characters: more wouldn't be read and could push our own words off the screen.
    public static let limit = 200

    public let description: String

    public init(_ untrusted: String, limit: Int = SafeText.limit) {
        var shown = ""
        var length = 0
        for scalar in untrusted.unicodeScalars {
            if length >= limit {
                shown += "…"
                break
            }
            if Self.isUnsafe(scalar) {
                shown += scalar.properties.isWhitespace ? " " : "\u{fffd}"
            } else {
                shown.unicodeScalars.append(scalar)
            }
            length += 1
        }
        description = shown
    }

    /// The same within a sentence of ours: in quotation marks, of which there are none inside, so that nobody ends them before their end.
    public static func quoted(_ untrusted: String, limit: Int = SafeText.limit) -> String {
        let marks: Set<Unicode.Scalar> = ["‘", "’", "‚", "‛", "“", "”", "„", "‟", "«", "»", "‹", "›", "\"", "`", "´", "′", "″"]
        let plain = SafeText(untrusted, limit: limit).description.unicodeScalars.map { marks.contains($0) ? "'" : $0 }
        return "‘\(String(String.UnicodeScalarView(plain)))’"
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        default: false
        }
    }
}
