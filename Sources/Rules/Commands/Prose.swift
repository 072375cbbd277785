/// Prose on a terminal.
public enum Prose {
    /// How wide a terminal is taken to be.
    public static let width = 80

    /// Backquotes as the quotes that a terminal's reader knows.
    static func plain(_ text: String) -> String { String(text.map { $0 == "`" ? "'" : $0 }) }

    /// Lines of at most `width` characters; never none.
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

    /// Rows of a name and a text, the texts below each other.
    static func rows(_ rows: [(name: String, text: String)]) -> [String] {
        // A name that is too wide has its text on the next line.
        let column = min((rows.map(\.name.count).max() ?? 0) + 4, widestName + 4)
        return rows.flatMap { name, text in
            let lines = wrapped(text, indent: column)
            guard name.count + 4 <= column else { return ["  " + name] + lines }
            return ["  " + name + lines[0].dropFirst(name.count + 2)] + lines.dropFirst()
        }
    }

    private static let widestName = 28
}
