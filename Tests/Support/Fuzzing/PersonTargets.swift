import CThumbLinux
import ThumbAccess
import ThumbCommands
import ThumbConversation
import ThumbPrompting
import ThumbSecrets

/// What a person types at a prompt, byte by byte in a terminal or key by key in a window, and the ticket that a prompt gets. An input's
/// first byte says which of the three the rest is.
enum TypedTarget {
    static let target = FuzzTarget(
        "typed", longest: 320,
        sources: [
            "Sources/Secrets/SecretField.swift", "Sources/Parts/Prompting/KeyMeaning.swift",
            "Sources/Parts/Prompting/Ticket.swift",
            "Sources/Parts/Prompting/PromptLanguage.swift",
        ],
        seeds: { seeds },
        parse: { input in
            let rest = Array(input.dropFirst())
            switch input.first {
            case 0: return try terminal(rest)
            case 1: return try window(rest)
            case 2: return try ticket(rest)
            case 3: language(rest)
            default: break
            }
            return nil
        })

    private static let capacity = 24

    /// A pipe with these bytes in it, and nobody who writes more.
    private static func reading<Result>(_ bytes: [UInt8], _ body: (Int32) throws -> Result) throws -> Result {
        var ends: [Int32] = [-1, -1]
        try must(pipe(&ends) == 0, "there is no pipe")
        // A pipe holds far more than the longest input.
        let count = bytes.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
        close(ends[1])
        try must(count == bytes.count, "a pipe took \(count) of \(bytes.count) bytes")
        return try body(ends[0])
    }

    /// The keys of a terminal, beside a field that isn't secret.
    private static func terminal(_ bytes: [UInt8]) throws -> [UInt8]? {
        try reading(bytes) { fd in
            defer { close(fd) }
            let field = try SecretField(capacity: capacity)
            var (model, taken): ([UInt8], [UInt8]?) = ([], nil)
            for byte in bytes {
                switch field.readKey(from: fd) {
                case .text:
                    try must(byte >= 0x20 && byte != 0x7f && model.count < capacity, "\(byte) is text")
                    model.append(byte)
                case .control(let key):
                    try must(key == byte && (byte < 0x20 || byte == 0x7f), "\(byte) is a control character")
                    if let line = try control(key, field, &model) { taken = line }
                case .full: try must(model.count == capacity, "a field is full before its end")
                case .ended, .nothingYet: throw Wrong("a byte that was written isn't read")
                }
                try must(field.count == model.count, "a field has \(field.count) bytes, and \(model.count) were typed")
            }
            try must(field.readKey(from: fd) == .ended, "more is read than was written")
            let characters = model.reduce(0) { $0 + ($1 & 0xc0 == 0x80 ? 0 : 1) }
            try must(field.characters == characters, "a field counts \(field.characters) characters")
            return taken
        }
    }

    /// Does what the prompt does for a control character; returns the line that was taken.
    private static func control(_ key: UInt8, _ field: SecretField, _ model: inout [UInt8]) throws -> [UInt8]? {
        switch key {
        case 0x7f, 0x08:
            field.removeLast()
            // A character of several bytes goes as a whole.
            while let last = model.popLast(), last & 0xc0 == 0x80 {}
        case 0x15:
            field.clear()
            model = []
        case 0x0d:
            let line = try field.take().plain
            try must(line == model, "another line is taken than was typed")
            model = []
            return line
        default: break
        }
        return nil
    }

    /// The keys of a window: each with its number, its character and whether Control is held.
    private static func window(_ bytes: [UInt8]) throws -> [UInt8]? {
        var feed = ByteFeed(bytes)
        let field = try SecretField(capacity: capacity)
        var typed = ""
        while !feed.isAtEnd {
            let (key, character) = (UInt32(feed.number(bytes: 2)), UInt32(feed.number(bytes: 3)))
            let isControl = feed.byte() & 1 == 1
            switch KeyMeaning(key: key, character: character, isCommand: isControl, isControl: isControl) {
            case .character(let scalar):
                try must(scalar.value >= 0x20 && scalar.value != 0x7f && !isControl, "\(scalar.value) is typed")
                if field.append(scalar) { typed.unicodeScalars.append(scalar) }
            case .removeLast:
                field.removeLast()
                if !typed.isEmpty { typed.unicodeScalars.removeLast() }
            case .clear:
                field.clear()
                typed = ""
            case .enter, .cancel, .composing, .other: break
            }
            try must(field.count == typed.utf8.count && field.count <= capacity, "a field has \(field.count) bytes")
        }
        var shown = ""
        field.reveal { shown.unicodeScalars.append($0) }
        try must(Array(shown.utf8) == Array(typed.utf8), "a field shows what wasn't typed")
        let line = try field.take().plain
        try must(line == Array(typed.utf8), "another line is taken than was typed")
        return nil
    }

    private static func ticket(_ bytes: [UInt8]) throws -> [UInt8]? {
        try reading(bytes) { fd in
            guard let ticket = Ticket.read(from: fd) else {
                close(fd)
                try must(bytes.count <= WireLimit.ticketBytes, "a ticket of \(bytes.count) bytes isn't read")
                return nil
            }
            try must(ticket.ticket == Array(bytes.prefix(WireLimit.ticketBytes)), "a ticket is read as another")
            return nil
        }
    }

    private static func language(_ bytes: [UInt8]) {
        let name = String(decoding: bytes, as: UTF8.self)
        _ = PromptLanguage { $0 == "LANG" ? name : nil }
    }

    private static var seeds: [[UInt8]] {
        let typed = [
            "hunter22\r", "hünt\u{7f}\u{7f}er\r", "abc\u{15}def\u{08}g\r", "a\u{1}b\u{1b}\r\r",
            "four score and seven years ago\r",
        ]
        let keys: [(key: Int, character: Int, isControl: Int)] = [
            (0x61, 0x61, 0), (0xe4, 0xe4, 0), (0xff08, 8, 0), (0x75, 0x75, 1), (0xff0d, 13, 0), (0xff1b, 27, 0), (0xfe51, 0, 0),
        ]
        let window = keys.flatMap {
            bigEndian($0.key, bytes: 2) + bigEndian($0.character, bytes: 3) + bigEndian($0.isControl, bytes: 1)
        }
        var seeds = typed.map { [0] + Array($0.utf8) }
        seeds.append([1] + window)
        seeds.append([2] + [UInt8](repeating: 7, count: WireLimit.ticketBytes) + Array("/run/thumbturn/socket".utf8))
        seeds.append([2, 1, 2, 3])
        seeds.append([3] + Array("ja_JP.UTF-8".utf8))
        return seeds
    }
}

/// Words that somebody else chose, made safe to show.
enum TextTarget {
    static let target = FuzzTarget(
        "texts", longest: 400,
        sources: [
            "Sources/Rules/Access/Texts/SafeText.swift", "Sources/Rules/Access/Texts/SafePath.swift",
            "Sources/Rules/Access/Texts/ExactName.swift", "Sources/Rules/Access/Texts/SameBytes.swift",
            "Sources/Rules/Access/Callers/GroupName.swift", "Sources/Rules/Access/Callers/ProgramWords.swift",
        ],
        words: ["protected:", "flatpak:", "snap:", "/usr/bin/", "\u{202e}", "\u{2019}", "\u{1b}[2J", "\u{301}"], seeds: { seeds },
        parse: { input in
            let text = String(decoding: input, as: UTF8.self)
            try safe(text)
            try program(ExactName(text))
            guard case .program(let name, .protected) = GroupName.owner(of: ExactName(text)) else { return nil }
            try must(GroupName.protected(name) == ExactName(text), "a protected program has two groups")
            return Array(name.utf8)
        })

    /// What would draw on a screen, turn the direction of writing, or end a line.
    private static func isSafe(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
            default: true
            }
        }
    }

    private static func safe(_ text: String) throws(Wrong) {
        for limit in [5, SafeText.limit] {
            let shown = SafeText(text, limit: limit)
            try must(isSafe(shown.description), "a text can draw on the screen")
            // The last one is the mark that something was cut off.
            try must(shown.description.unicodeScalars.count <= limit + 1, "a text of \(limit) is longer")
            try must(SafeText(shown.description, limit: limit) == shown, "a safe text isn't safe")
            let quoted = SafeText.quoted(text, limit: limit).unicodeScalars.dropFirst().dropLast()
            try must(!quoted.contains { "‘’'\"“”«»‹›`".unicodeScalars.contains($0) && $0 != "'" }, "a quotation ends early")
        }
        for limit in [20, SafePath.limit] {
            let path = SafePath(ExactName(text), limit: limit).description
            try must(isSafe(path) && path.unicodeScalars.count <= limit, "a path of \(limit) is longer, or draws")
        }
    }

    private static func program(_ name: ExactName) throws(Wrong) {
        try must([name, name, ""].distinct.count == (name.isEmpty ? 1 : 2), "a name is there twice")
        try must(name == ExactName(String(decoding: Array(name.utf8), as: UTF8.self)), "a name isn't itself")
        if GroupName.isPlain(name) { try must(isSafe(name.text) && name.utf8.count <= GroupName.limit, "a plain name draws") }
        if let own = GroupName.own(label: name) {
            try must(GroupName.owner(of: own) == .nobody, "a program gives itself the name of another")
        }
        for words in [
            ProgramWords(path: name, claim: name, process: 7), ProgramWords(kind: .sandboxed, name: name), ProgramWords(),
        ] {
            try must(isSafe(words.inWords) && isSafe(words.quoted), "a program's words draw on the screen")
            _ = (words.isInterpreter, words.shortName)
        }
    }

    private static var seeds: [[UInt8]] {
        [
            "a plain text", "a\u{1b}[2Jb\nc\u{202e}d\u{0}e\u{2028}f", "‘quoted’ “words”  \"here\"", "protected:vault",
            "flatpak:org.example",
            "snap:example", "/usr/bin/python3.11", "/usr/lib/ld-linux-x86-64.so.2", "org.example.App", "process",
            String(repeating: "/a long folder", count: 20) + "/" + String(repeating: "x", count: 70), "",
        ].map { Array($0.utf8) }
    }
}

/// A command line. Whoever writes one may have its words from anywhere.
enum CommandLineTarget {
    static let target = FuzzTarget(
        "command-line", longest: 200,
        sources: ["Reading", "Misuse", "Invocation"].map { "Sources/Rules/Commands/\($0).swift" } + [
            "Sources/Rules/Commands/Operand.swift#Value"
        ],
        words: [
            "--kind", "--wait", "--place", "--loud", "--help", "--version", "completions", "man-page", "add", "run", "=", "--",
        ],
        seeds: { seeds },
        parse: { input in
            let words = input.split(separator: 0x0a, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
            let reading = try accepted { () throws(Misuse) -> Program<String, LineProblem>.Reading in
                try program.read(words)
            } or: { misuse in
                !misuse.message.isEmpty && !misuse.advice.isEmpty
                    && misuse.message.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            }
            guard case .work(let action, let given)? = reading else { return nil }
            _ = try? action(given)
            try must(given.path.first == "tool" && !given.has(.help) && !given.has(.version), "a line asks for help and for work")
            if let number = given.operands.count == 2 && given.path == ["tool", "add"] ? given.operands[1] : nil {
                try must((1...9).contains(Int(number) ?? 0), "'\(number)' is from 1 to 9")
            }
            if let kind = given.value(kind) { try must(["small", "large"].contains(kind), "'\(kind)' is a kind") }
            try must(given.seconds(wait).map { $0.isFinite && $0 >= 0 } ?? true, "a time ends before it begins")
            try must(given.values(place).allSatisfy { $0.hasPrefix("/") }, "a place isn't absolute")
            try must(given.values(kind).count <= 1 && given.number(wait) ?? 0 >= 0, "an option is given twice")
            return given.operands.first.map { Array($0.utf8) }
        })

    private static let kind = Option("kind", "which kind", .choice("KIND", ["small", "large"]))
    private static let wait = Option("wait", "how long", .seconds("SECONDS"))
    private static let place = Option("place", "where", .file("FILE", isAbsolute: true), isRepeatable: true)
    private static let loud = Option("loud", "say more")

    private static let program = Program<String, LineProblem>(
        Command(
            "tool", "do things",
            subcommands: [
                Command(
                    "add", "add a thing",
                    operands: [
                        Operand(.text("NAME"), "its name"), Operand(.number("COUNT", 1...9), "how many", .optional),
                    ], options: [kind, wait, place]
                ) { given throws(LineProblem) in given.operands.joined(separator: " ") },
                Command("run", "run a program", operands: [Operand(.text("PROGRAM"), "what to run", .program)]) {
                    given throws(LineProblem) in given.operands.joined(separator: " ")
                },
                Command("some", "take some", operands: [Operand(.folder("FOLDER", isAbsolute: true), "from where", .several)]) {
                    given throws(LineProblem) in given.operands.joined(separator: " ")
                },
            ]), everywhere: [loud], exits: [], manual: ManualFacts(section: 1))

    private static var seeds: [[UInt8]] {
        [
            "add\nname thing\n5\n--kind\nsmall\n--wait=1.5\n--place=/a\n--place\n/b\n--loud", "run\n--\nls\n-l", "run\nls",
            "some\n/a\n/b",
            "some\na", "add", "add\na\n99", "add\na\n1\nb", "--help", "help\nadd", "help\nexit-codes", "--version",
            "completions\nbash",
            "man-page", "add\n--kind", "add\na\n--kind=blue", "add\na\n--wait\nsoon", "--loud\n--loud", "--loud=1", "nothing",
            "--nothing",
            "add\n-h", "-",
        ].map { Array($0.utf8) }
    }
}
