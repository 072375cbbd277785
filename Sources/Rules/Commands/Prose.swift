/// Prose on a terminal.
public enum Prose {
    /// The assumed width of a terminal.
    public static let width = 80

    /// Turns backquotes into quotes that people know from a terminal.
    static func plain(_ text: String) -> String { String(text.map { $0 == "`" ? "'" : $0 }) }

    /// Lines of at most `width` characters; always at least one.
    public static func wrapped(_ text: String, indent: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in plain(text).split(separator: " ") {
            if !line.isEmpty && indent + line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return (lines + [line]).map { String(repeating: " ", count: indent) + $0 }
    }

    /// Rows of a name and a text. The texts line up below each other.
    static func rows(_ rows: [(name: String, text: String)]) -> [String] {
        // If a name is too wide, its text begins on the next line.
        let column = min((rows.map(\.name.count).max() ?? 0) + 4, widestName + 4)
        return rows.flatMap { name, text in
            let lines = wrapped(text, indent: column)
            guard name.count + 4 <= column else { return ["  " + name] + lines }
            return ["  " + name + lines[0].dropFirst(name.count + 2)] + lines.dropFirst()
        }
    }

    private static let widestName = 28
}
