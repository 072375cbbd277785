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

    /// Whether a place accepts a file.
    func takesFiles(at place: Place) -> Bool {
        place.command.operands.contains {
            switch $0.value {
            case .file, .folder: true
            case .text, .choice, .number, .seconds: false
            }
        }
    }
}
