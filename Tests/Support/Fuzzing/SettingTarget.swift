import ThumbCommands

/// A file of settings. An administrator writes it, or a program that generates it from what others said.
enum SettingTarget {
    static let target = FuzzTarget(
        "settings", longest: 256,
        sources: ["completed", "check", "lines", "trimmed"].map { "Sources/Rules/Commands/SettingPlaces.swift#\($0)" },
        words: ["place = ", "kind = ", "count = ", "loud = ", "yes", "no", "small", "# ", "\r\n", "settings = "],
        seeds: { seeds },
        parse: { input in
            guard let given = try completed(input) else { return nil }
            if let kind = given.value(kind) { try must(["small", "large"].contains(kind), "'\(kind)' is a kind") }
            if let count = given.value(count) { try must((1...9).contains(Int(count) ?? 0), "'\(count)' is from 1 to 9") }
            try must(!given.has(settings), "a file names a file")
            // Written again, it says the same.
            let written = [place, kind, count].compactMap { option in given.value(option).map { "\(option.name) = \($0)\n" } }
            let flag = given.has(loud) ? "loud = yes\n" : ""
            guard let again = try completed(Array((written.joined() + flag).utf8)) else {
                throw Wrong("what was read isn't read again")
            }
            for option in [place, kind, count, loud] {
                try must(
                    again.value(option) == given.value(option) && again.has(option) == given.has(option),
                    "\(option.name) is another when it is read again")
            }
            return given.value(place).map { Array($0.utf8) }
        })

    /// The line of a program with these settings and nothing else; nil if they are refused.
    private static func completed(_ text: [UInt8]) throws(Wrong) -> Invocation? {
        let reading = try accepted { () throws(Misuse) in
            try program.read([])
        } or: { _ in
            false
        }
        guard case .work(_, let line)? = reading else { throw Wrong("a line of nothing isn't read") }
        return try accepted { () throws(LineProblem) in
            try program.completed(line, variable: { _ in nil }, file: text, named: "/etc/tool.conf")
        } or: { problem in
            // It names a place, and can't draw on the screen.
            problem.message.contains("/etc/tool.conf")
                && problem.message.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        }
    }

    private static let place = Option("place", "where", .text("PLACE"))
    private static let kind = Option("kind", "which kind", .choice("KIND", ["small", "large"]))
    private static let count = Option("count", "how many", .number("NUMBER", 1...9))
    private static let loud = Option("loud", "say more")
    private static let settings = Option("settings", "from where", .file("FILE"))

    private static let program = Program<String, LineProblem>(
        Command("tool", "do things", options: [place, kind, count, loud, settings]) { _ throws(LineProblem) in "" },
        settings: SettingPlaces(file: settings, usualFile: "/etc/tool.conf", prefix: "TOOL_"), exits: [],
        manual: ManualFacts(section: 8))

    private static var seeds: [[UInt8]] {
        [
            "place = somewhere\nkind = small\ncount = 5\nloud = yes\n", "# a comment\r\n\r\n \tplace=a = b\t\r\nloud=no",
            "place =\n", "kind = blue\n", "count = 10\n", "loud = on\n", "place = a\nplace = b\n", "nowhere = a\n", "place\n",
            "settings = /etc/other.conf\n", "help = yes\n", "= a\n", "",
        ].map { Array($0.utf8) } + [[0x70, 0xC3, 0x28, 0x0A]]
    }
}
