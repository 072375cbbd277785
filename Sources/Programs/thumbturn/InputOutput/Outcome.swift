import ThumbSecrets

/// What a command has to say. It prints nothing itself: main prints this and exits.
struct Outcome: Sendable {
    /// For a person, on standard output.
    var text: [Piece] = []
    /// The same, for a program, with `--json`.
    var json: JSON
    /// Side remarks that don't belong into a pipe. They go to standard error, with or without `--json`.
    var asides: [Notice] = []
    var exit = Exit.done
    /// The exit status of another program that ran in place of this one. It is passed on unchanged. That program said all there is to say,
    /// so nothing is printed.
    var handedOn: Int32?
    /// Whether the text is what another tool's protocol wants, so that no option changes its form.
    var isForTool = false
    /// What went wrong although there is text: some protocols want to hear of it too. A person reads it on standard error.
    var failure: Failure?
    /// What it means if the text can't be written, where that is more than a result that nobody got.
    var lost: Failure?
    /// The exit status, where another tool's protocol has a number of its own.
    var toolStatus: Int32?

    /// Text, or a secret that is written from locked memory without another copy.
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

    /// What a tool that started this program as its helper wants to read, and nothing else.
    init(forTool text: [Piece], failure: Failure? = nil, status: Int32? = nil) {
        self.init(text: text, json: .null, exit: failure?.exit ?? .done)
        (isForTool, self.failure, toolStatus) = (true, failure, status)
    }

    /// The outcome of another program that ran in place of this one.
    init(handedOn status: Int32) {
        self.init(text: [], json: .object([("exitStatus", .number(Int64(status)))]))
        handedOn = status
    }
}
