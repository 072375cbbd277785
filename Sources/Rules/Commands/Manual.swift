/// The man pages: one for the program, one for each of its commands with everything below it, and the program's further pages.
enum Manual {
    struct Page {
        /// The file's name: `thumbturn-secret.1`.
        let name: String
        let text: String
    }

    static func pages(of program: Overview) -> [Page] {
        let places = program.places
        return places.filter { $0.path.count <= 2 }.map { place in
            let below = places.filter { $0.path.count > 2 && $0.path.starts(with: place.path) }
            let title = place.path.joined(separator: "-")
            var page = Roff(title, program.manual.section, program)
            page.write(place, below, program)
            return Page(name: "\(title).\(program.manual.section)", text: page.text)
        }
            + (program.manual.further + (program.settingsPage.map { [$0] } ?? [])).map { further in
                var page = Roff(further.name, further.section, program)
                page.write(further)
                return Page(name: "\(further.name).\(further.section)", text: page.text)
            }
    }
}

/// A page in the macros of man(7).
private struct Roff {
    private(set) var text = ""

    init(_ title: String, _ section: Int, _ program: Overview) {
        let kind =
            switch section {
            case 5: "File formats"
            case 8: "System administration"
            default: "User commands"
            }
        line(".\\\" Made from the description of the program's commands; changes here are lost.")
        line(
            ".TH \(title.uppercased()) \(section) \"\" \"\(program.name) \(program.version)\" \"\(kind)\"")
        // Neither justified nor hyphenated, so that what people type stays in one piece.
        line(".nh")
        line(".ad l")
    }

    mutating func write(_ place: Place, _ below: [Place], _ program: Overview) {
        let isProgram = place.path.count == 1
        line(".SH NAME")
        line("\(Self.literal(place.path.joined(separator: "-"))) \\- \(Self.prose(place.command.summary))")
        line(".SH SYNOPSIS")
        for each in isProgram || below.isEmpty ? [place] : places(place, below) { synopsis(each) }
        line(".SH DESCRIPTION")
        paragraphs(place.command)
        if isProgram {
            list(
                "COMMANDS",
                place.subcommands.map { command in
                    (Self.bold("\(place.name)-\(command.name)") + "(\(program.manual.section))", Self.prose(command.summary))
                })
        }
        list("ARGUMENTS", arguments(place))
        if !isProgram, !below.isEmpty {
            line(".SH COMMANDS")
            for each in below { write(each) }
        }
        list("OPTIONS", options(place.listedOptions))
        list(
            "EXIT STATUS",
            (place.command.exits.isEmpty ? program.exits : place.command.exits).map { exit in
                (Self.bold("\(exit.number)"), Self.prose(exit.meaning))
            })
        if isProgram {
            list("ENVIRONMENT", environment(program).map { (Self.bold($0.name), Self.prose($0.meaning)) })
            list("FILES", program.manual.files.map { (Self.italic($0.name), Self.prose($0.meaning)) })
        }
        let examples = place.command.examples + (isProgram ? [] : below.flatMap(\.command.examples))
        if !examples.isEmpty { line(".SH EXAMPLES") }
        for example in examples { write(example) }
        seeAlso(place, program)
    }

    mutating func write(_ page: FurtherPage) {
        line(".SH NAME")
        line("\(Self.literal(page.name)) \\- \(Self.prose(page.summary))")
        if !page.synopsis.isEmpty { line(".SH SYNOPSIS") }
        for each in page.synopsis {
            line(Self.bold(each))
            line(".br")
        }
        line(".SH DESCRIPTION")
        for paragraph in page.paragraphs {
            line(".PP")
            line(Self.prose(paragraph))
        }
        for (title, rows) in page.lists { list(title, rows.map { (Self.bold($0.name), Self.prose($0.text)) }) }
        if !page.examples.isEmpty { line(".SH EXAMPLES") }
        for example in page.examples { write(example) }
        seeAlso(page.seeAlso)
    }

    /// A command that this page has in addition to the one that it is named for.
    private mutating func write(_ place: Place) {
        line(".SS \"\(Self.literal(place.name))\"")
        paragraphs(place.command)
        let own = place.command.options.filter { !$0.isHidden }
        for (name, text) in arguments(place) + options(own)
            + place.command.exits.map({ exit in
                ("Exit status " + Self.bold("\(exit.number)"), Self.prose(exit.meaning))
            })
        { item(name, text) }
    }

    private mutating func write(_ example: Example) {
        line(".PP")
        line(Self.prose(example.purpose) + ":")
        line(".PP")
        line(".in +4n")
        line(".nf")
        for each in example.lines { line(Self.guarded(Self.literal(each))) }
        line(".fi")
        line(".in")
    }

    // MARK: Parts

    private func environment(_ program: Overview) -> [(name: String, meaning: String)] {
        guard let settings = program.settings else { return program.manual.environment }
        let variables = (program.settable + [settings.file]).map { (settings.variable($0), "The same as `\($0.flag)`.") }
        return program.manual.environment + variables
    }

    /// The places in a page's synopsis: the command itself if it does something, and everything below it.
    private func places(_ place: Place, _ below: [Place]) -> [Place] {
        (place.actsAlone ? [place] : []) + below.filter { $0.actsAlone }
    }

    private mutating func synopsis(_ place: Place) {
        let usage = Help.usage(of: place).dropFirst(place.name.count)
        line(Self.bold(place.name) + Self.literal(String(usage)))
        line(".br")
    }

    private mutating func paragraphs(_ command: Description) {
        for paragraph in command.paragraphs {
            line(".PP")
            line(Self.prose(paragraph))
        }
    }

    private func arguments(_ place: Place) -> [(String, String)] {
        place.command.operands.map { (Self.italic($0.name), Self.prose(Help.described($0.help, $0.value))) }
    }

    private func options(_ options: [Option]) -> [(String, String)] {
        options.map { option in
            let value = option.value.map { " " + Self.italic($0.name) } ?? ""
            let short = option.short.map { ", " + Self.bold($0) } ?? ""
            return (Self.bold(option.flag) + value + short, Self.prose(Help.described(option.help, option.value)))
        }
    }

    private mutating func list(_ title: String, _ rows: [(name: String, text: String)]) {
        if rows.isEmpty { return }
        line(".SH \(title)")
        for (name, text) in rows { item(name, text) }
    }

    private mutating func item(_ name: String, _ text: String) {
        line(".TP")
        line(name)
        line(text)
    }

    private mutating func seeAlso(_ place: Place, _ program: Overview) {
        let own = place.path.count == 1 ? [] : ["\(program.name)(\(program.manual.section))"]
        let settings = program.settingsPage.map { ["\($0.name)(\($0.section))"] } ?? []
        seeAlso(own + settings + program.manual.seeAlso)
    }

    private mutating func seeAlso(_ pages: [String]) {
        if pages.isEmpty { return }
        line(".SH SEE ALSO")
        line(
            pages.map { page in
                let parts = page.split(separator: "(")
                return Self.bold(String(parts[0])) + "(" + parts.dropFirst().joined()
            }.joined(separator: ", "))
    }

    // MARK: Letters

    private mutating func line(_ line: String) { text += line + "\n" }

    private static func bold(_ text: String) -> String { "\\fB\(literal(text))\\fR" }
    private static func italic(_ text: String) -> String { "\\fI\(literal(text))\\fR" }

    /// Text that is typed or printed exactly so.
    private static func literal(_ text: String) -> String { escaped(text, hyphen: "\\-", quote: "\\(aq") }

    /// Prose, with text between backquotes in bold.
    private static func prose(_ text: String) -> String {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
        let whole = parts.enumerated().map { place, part in
            place % 2 == 1 ? bold(part) : escaped(part, hyphen: "-", quote: "'")
        }.joined()
        return guarded(whole)
    }

    /// A line of text, guarded so that roff never takes it for a request.
    private static func guarded(_ line: String) -> String { line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line }

    private static func escaped(_ text: String, hyphen: String, quote: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\e"
            case "-": hyphen
            case "'": quote
            case "\"": "\\(dq"
            case "^": "\\(ha"
            case "~": "\\(ti"
            case "…": "..."
            case "\u{20}"..."\u{7e}": String(Character(scalar))
            default: "\\[u\(hexadecimal(scalar))]"
            }
        }.joined()
    }

    /// At least four digits, as roff wants them.
    private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
