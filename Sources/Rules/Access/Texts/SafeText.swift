/// Words that somebody else chose, made safe to show: one line, no control characters, no writing direction overrides, of limited length.
public struct SafeText: Sendable, Hashable, CustomStringConvertible {
    /// Longest text shown, in characters. Nobody would read more, and it could push our own words off the screen.
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

    /// The same for a sentence of ours: in quotation marks, and with no quotation mark inside, so that nobody can end the
    /// quotation.
    public static func quoted(_ untrusted: String, limit: Int = SafeText.limit) -> String {
        "‘\(SafeText(untrusted, limit: limit).withoutMarks)’"
    }

    /// The text without quotation marks and anything like them, and with single blanks. It can neither end a quotation nor push what
    /// follows onto another line.
    public var withoutMarks: String {
        var plain = String.UnicodeScalarView()
        for scalar in description.unicodeScalars {
            if scalar.properties.isWhitespace {
                if plain.last != " " { plain.append(" ") }
            } else {
                plain.append(Self.isMark(scalar) ? "'" : scalar)
            }
        }
        return String(plain)
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .initialPunctuation, .finalPunctuation: return true
        default: break
        }
        switch scalar.value {
        // Quotation marks of other categories: " ` ´, low marks, primes, modifier letters, ornaments, East Asian marks, and wide forms.
        case 0x22, 0x60, 0xB4, 0x201A, 0x201E, 0x2032...0x2037, 0x02B9...0x02BF, 0x02C8, 0x02CA, 0x02CB, 0x02EE, 0x2E42,
            0x275B...0x2760, 0x300C...0x300F, 0x301D...0x301F, 0xFF02, 0xFF07, 0xFF40, 0xFF62, 0xFF63, 0x1F676...0x1F678:
            return true
        default: return false
        }
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        default: false
        }
    }
}
