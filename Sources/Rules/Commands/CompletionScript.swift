/// What the completions of every shell need to know.
struct CompletionScript {
    let name: String
    let places: [Place]

    init(_ program: Overview) { (name, places) = (program.name, program.places) }

    /// The shell function that completes the program.
    var function: String { "_" + name.split(separator: "-").joined(separator: "_") }
    /// The script's first comment.
    var origin: String { "printed by '\(name) completions SHELL'; changes here are lost" }

    /// Every option that takes a value, with the place where it may be used.
    var valued: [(place: String, option: Option, value: Value)] {
        places.flatMap { place in
            place.listedOptions.compactMap { option in option.value.map { (place.name, option, $0) } }
        }
    }

    /// The words other than options that may be used at a place.
    func words(at place: Place) -> [String] {
        place.subcommands.map(\.name) + (place.command.operands.first?.value.choices ?? [])
    }

    /// The kind of names that a place's first operand is one of; nil if it is something else.
    func listedKind(at place: Place) -> String? {
        if case .listed(_, let kind, _)? = place.command.operands.first?.value { kind } else { nil }
    }

    /// Whether a name is completed anywhere.
    var completesNames: Bool {
        valued.contains { if case .listed = $0.value { true } else { false } } || places.contains { listedKind(at: $0) != nil }
    }

    /// The shell function that completes names. Two underscores: the function of a command has one.
    var namesFunction: String { "_" + function + "_names" }
    /// The command line that prints the names of a kind, with `kind` as the shell has it. Why it prints none isn't for a line that is
    /// being typed.
    func namesLine(_ kind: String) -> String { "\(name) \(namesCommand) \(kind) 2>/dev/null" }

    /// Whether a place accepts a file.
    func takesFiles(at place: Place) -> Bool {
        place.command.operands.contains {
            switch $0.value {
            case .file, .folder: true
            case .text, .choice, .number, .seconds, .listed: false
            }
        }
    }
}
