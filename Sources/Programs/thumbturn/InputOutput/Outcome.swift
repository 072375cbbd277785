import ThumbSecrets

/// What a command has to say. It says nothing itself: main prints this and exits.
struct Outcome: Sendable {
    /// For a person, on standard output.
    var text: [Piece] = []
    /// The same, for a program, with `--json`.
    var json: JSON
    /// Beside the point and not for a pipe: on standard error, with or without `--json`.
    var asides: [Notice] = []
    var exit = Exit.done
    /// The exit status of another program that ran in this one's place, handed on as it is. That program said what there is to
    /// say, so nothing is printed.
    var handedOn: Int32?

    /// Text, or a secret that goes out of locked memory without another copy.
    enum Piece: Sendable {
        case text(String)
        case secret(SecretBytes, SecretEncoding)
    }

    /// Lines that aren't sentences, such as lists.
    init(lines: [String], json: JSON, asides: [Notice] = [], exit: Exit = .done) {
        self.init(text: lines.map { .text($0 + "\n") }, json: json, asides: asides, exit: exit)
    }

    init(_ notices: Notice..., json: JSON, asides: [Notice] = [], exit: Exit = .done) {
        self.init(lines: notices.map(\.text), json: json, asides: asides, exit: exit)
    }

    init(text: [Piece], json: JSON, asides: [Notice] = [], exit: Exit = .done) {
        self.text = text
        self.json = json
        self.asides = asides
        self.exit = exit
    }

    /// Of another program that ran in this one's place.
    init(handedOn status: Int32) {
        self.init(text: [], json: .object([("exitStatus", .number(Int64(status)))]))
        handedOn = status
    }
}
