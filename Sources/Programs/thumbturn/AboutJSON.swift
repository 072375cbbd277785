import ThumbCommands

/// The description of the commands, for programs.
enum AboutJSON {
    static func of(_ about: About, in program: Overview) -> JSON {
        switch about {
        case .version: .object([("version", .text(program.version))])
        case .help(let path): program.place(path).map(help) ?? .null
        case .exits:
            .object([
                (
                    "exitCodes",
                    .list(program.exits.map { .object([("status", .number(Int64($0.number))), ("meaning", .text($0.meaning))]) })
                )
            ])
        case .completions(let shell):
            .object([("shell", .text(shell.rawValue)), ("script", .text(program.text(about)))])
        case .manualPages, .manualPage: .object([("text", .text(program.text(about)))])
        }
    }

    private static func help(_ place: Place) -> JSON {
        .object([
            ("command", .text(place.name)),
            ("summary", .text(place.command.summary)),
            (
                "operands",
                .list(place.command.operands.map { .object([("name", .text($0.name)), ("help", .text($0.help))]) })
            ),
            ("options", .list(place.listedOptions.map(option))),
            ("commands", .list(place.subcommands.map { .text($0.name) })),
        ])
    }

    private static func option(_ option: Option) -> JSON {
        .object([
            ("name", .text(option.flag)), ("value", .optional(option.value?.name)),
            ("choices", .list((option.value?.choices ?? []).map { .text($0) })), ("help", .text(option.help)),
        ])
    }
}
