import ThumbCommands

/// What is said about something that wasn't done.
struct Words: Sendable {
    /// For programs; it is the same in every version.
    let code: String
    let exit: Exit
    /// What happened, as a sentence.
    let message: String
    /// What to do next, as a sentence; nil if there is nothing to do.
    let next: String?

    init(_ code: String, _ exit: Exit, _ message: String, _ next: String? = nil) {
        (self.code, self.exit, self.message, self.next) = (code, exit, message, next)
    }

    /// The same with another next step.
    func next(_ next: String?) -> Words { Words(code, exit, message, next) }

    /// The lines for standard error.
    var lines: [String] { ["thumbturn: \(message)"] + (next.map { ["  \($0)"] } ?? []) }

    var json: JSON {
        .object([
            (
                "error",
                .object([
                    ("code", .text(code)), ("message", .text(message)), ("advice", .optional(next)),
                    ("exitStatus", .number(Int64(exit.rawValue))),
                ])
            )
        ])
    }
}

extension String {
    /// Another room's lower-case text as a sentence; nil if it is empty.
    var sentence: String? {
        if isEmpty { return nil }
        let capital = prefix(1).uppercased() + dropFirst()
        return last == "." || last == "?" ? capital : capital + "."
    }

    /// The text with a capital letter at the beginning.
    var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
