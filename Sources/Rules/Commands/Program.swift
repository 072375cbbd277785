/// A program: its command, and what applies to all of it.
public struct Program<Work: Sendable, Failure: Error>: Sendable {
    let command: Command<Work, Failure>
    let everywhere: [Option]
    /// Where its options can be set besides the line; nil if nowhere.
    let settings: SettingPlaces?
    private let version: String
    private let exits: [ExitStatus]
    private let manual: ManualFacts

    /// - Parameters:
    ///   - command: The program itself. If it has subcommands, it also gets `completions` and `help`. It always gets `man-page`, which the
    ///     installation calls.
    ///   - everywhere: The options of every command, besides `--help`.
    ///   - settings: Where its options can be set besides the line.
    public init(
        _ command: Command<Work, Failure>, version: String = ProductVersion.current, everywhere: [Option] = [],
        settings: SettingPlaces? = nil, exits: [ExitStatus], manual: ManualFacts
    ) {
        self.settings = settings
        var whole = command
        if !command.listed.isEmpty {
            whole.subcommands.append(.completions(of: command.name))
            whole.subcommands.append(.help(of: command.name, about: whole.listed.map(\.name)))
        }
        whole.subcommands.append(.manualPage)
        (self.command, self.everywhere, self.version, self.exits, self.manual) = (whole, everywhere, version, exits, manual)
    }

    /// The source of help, completions and man pages.
    public var overview: Overview {
        Overview(
            version: version, exits: exits, manual: manual, settings: settings, places: Self.places(command, [], everywhere))
    }

    /// A command and everything below it that help shows.
    private static func places(_ command: Command<Work, Failure>, _ above: [String], _ everywhere: [Option]) -> [Place] {
        let place = Place(command, above, everywhere)
        return [place] + command.listed.flatMap { places($0, place.path, everywhere) }
    }
}

/// A program's description, without what its commands do.
public struct Overview: Sendable {
    public let version: String
    public let exits: [ExitStatus]
    public let manual: ManualFacts
    let settings: SettingPlaces?
    /// The program, and every command below it that help shows. Each comes before its subcommands.
    public let places: [Place]

    public var name: String { places[0].name }
    /// Whether it has commands, and so help and completions for them.
    var hasCommands: Bool { !places[0].subcommands.isEmpty }

    /// The place that a path leads to, beginning with the program's own name; nil if it leads nowhere.
    public func place(_ path: [String]) -> Place? { places.first { $0.path == path } }
}

/// A command in its program.
public struct Place: Sendable {
    /// The words that lead to it: `thumbturn`, `secret`, `add`.
    public let path: [String]
    public let command: Description
    /// Every option that it takes, both its own and the shared ones.
    public let options: [Option]
    /// The subcommands that help shows.
    public let subcommands: [Description]
    /// Whether it does something if none of them is named.
    public let actsAlone: Bool

    init<Work, Failure>(_ command: Command<Work, Failure>, _ above: [String], _ everywhere: [Option]) {
        path = above + [command.name]
        self.command = command.description
        options = command.description.options + everywhere + [.help] + (above.isEmpty ? [.version] : [])
        subcommands = command.listed.map(\.description)
        actsAlone = command.deed != nil
    }

    public var name: String { path.joined(separator: " ") }
    /// The options that help shows.
    public var listedOptions: [Option] { options.filter { !$0.isHidden } }
}

/// What a program's man pages say besides its commands.
public struct ManualFacts: Sendable {
    /// 1 for what everybody runs, 8 for what an administrator runs.
    public let section: Int
    public let environment: [(name: String, meaning: String)]
    public let files: [(name: String, meaning: String)]
    /// Pages of other programs, such as `fprintd(1)`.
    public let seeAlso: [String]
    /// Further pages that aren't about commands. The program prints them too.
    public let further: [FurtherPage]

    public init(
        section: Int, environment: [(name: String, meaning: String)] = [], files: [(name: String, meaning: String)] = [],
        seeAlso: [String] = [], further: [FurtherPage] = []
    ) {
        (self.section, self.environment, self.files, self.seeAlso) = (section, environment, files, seeAlso)
        self.further = further
    }
}
