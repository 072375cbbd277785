/// A path that somebody else chose, made safe to show: one line without control characters or writing direction overrides. A long path
/// loses its middle. It keeps its first folders, which say whose it is, and the file's name.
public struct SafePath: Sendable, Hashable, CustomStringConvertible {
    /// Longest path that is shown whole, in characters: two lines of a prompt.
    public static let limit = 120

    public let description: String

    public init(_ path: ExactName, limit: Int = SafePath.limit) {
        let whole = SafeText(path.text, limit: .max).description
        guard whole.unicodeScalars.count > limit else {
            description = whole
            return
        }
        let parts = whole.split(separator: "/", omittingEmptySubsequences: false)
        let name = Self.shortened(parts.last ?? "", to: limit / 2)
        var (head, isCut) = ("", false)
        // An ellipsis and its slashes take the place of the middle.
        for part in parts.dropLast() {
            guard head.unicodeScalars.count + part.unicodeScalars.count + 1 + name.unicodeScalars.count + 2 <= limit else {
                isCut = true
                break
            }
            head += part + "/"
        }
        description = head + (isCut ? "…/" : "") + name
    }

    /// A name without its middle, because both its beginning and its end tell it from others.
    private static func shortened(_ name: Substring, to limit: Int) -> String {
        let scalars = name.unicodeScalars
        guard scalars.count > limit else { return String(name) }
        return String(scalars.prefix((limit - 1) / 2)) + "…" + String(scalars.suffix(limit / 2))
    }
}
