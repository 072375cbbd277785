import ThumbCommands

/// What is said about something that wasn't done.
struct Words: Sendable {
    /// For programs, the same in every version.
    let code: String
    let exit: Exit
    /// What happened: a sentence.
    let message: String
    /// What to do next: a sentence, where there is something to do.
    let next: String?

    init(_ code: String, _ exit: Exit, _ message: String, _ next: String? = nil) {
        (self.code, self.exit, self.message, self.next) = (code, exit, message, next)
    }

    /// The same with something else to do.
    func next(_ next: String?) -> Words { Words(code, exit, message, next) }

    /// On standard error.
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
    /// What another room says in lower case, as a sentence; nil for nothing.
    var sentence: String? {
        if isEmpty { return nil }
        let capital = prefix(1).uppercased() + dropFirst()
        return last == "." || last == "?" ? capital : capital + "."
    }

    /// With a capital at its beginning.
    var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
