internal import ThumbAccess

/// A command line, understood: the command and what was given to it.
struct Invocation: Sendable {
    let command: Command
    /// The command's names from the program down: `thumbturn secret add`.
    let path: [String]
    var operands: [String] = []
    private var values: [String: [String]] = [:]
    private(set) var flags: Set<String> = []

    init(_ command: Command, path: [String]) {
        self.command = command
        self.path = path
    }

    func has(_ option: Command.Option) -> Bool { flags.contains(option.name) || values[option.name] != nil }
    func value(_ option: Command.Option) -> String? { values[option.name]?.first }
    /// What a repeatable option was given, in the line's order.
    func values(_ option: Command.Option) -> [String] { values[option.name] ?? [] }
    var wantsJSON: Bool { has(.json) }

    fileprivate mutating func give(_ option: Command.Option, _ value: String?) throws(Failure) {
        if has(option) && !option.isRepeatable { throw Failure.usage("\(option.flag) was given twice", path) }
        if let value { values[option.name, default: []].append(value) } else { flags.insert(option.name) }
    }

    fileprivate func descended(to command: Command) -> Invocation {
        var deeper = Invocation(command, path: path + [command.name])
        deeper.values = values
        deeper.flags = flags
        return deeper
    }
}

/// Reads a command line against the table of commands. Nothing that isn't in the table is understood.
enum Arguments {
    static func parse(_ words: [String], _ program: Command = .program) throws(Failure) -> Invocation {
        var found = Invocation(program, path: [program.name])
        var rest = words[...]
        var optionsAreOver = false
        while let word = rest.popFirst() {
            if !optionsAreOver && word == "--" {
                optionsAreOver = true
                if found.command.takesProgram {
                    found.operands = Array(rest)
                    rest = []
                }
            } else if !optionsAreOver && word.hasPrefix("-") && word != "-" {
                try take(word, &rest, &found)
            } else if let next = found.command.subcommand(word) {
                found = found.descended(to: next)
            } else if found.command.takesProgram {
                throw .usage("the program to run stands behind --", found.path)
            } else if !found.command.subcommands.isEmpty {
                throw .usage("there is no command '\(SafeText(word, limit: 40))'", found.path)
            } else {
                found.operands.append(word)
            }
        }
        // Who asks for help has not finished the line.
        if !found.has(.help) && !found.has(.version) { try check(found) }
        return found
    }

    /// Whether errors are to be told as JSON, known even of a line that can't be understood.
    static func wantJSON(_ words: [String]) -> Bool { words.prefix { $0 != "--" }.contains(Command.Option.json.flag) }

    private static func take(
        _ word: String, _ rest: inout ArraySlice<String>, _ found: inout Invocation
    ) throws(Failure) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = word == "-h" ? Command.Option.help.flag : String(parts[0])
        let attached = parts.count == 2 ? String(parts[1]) : nil
        guard let option = found.command.allOptions.first(where: { $0.flag == name }) else {
            throw .usage("there is no option '\(SafeText(name, limit: 40))'", found.path)
        }
        guard let kind = option.value else {
            if attached != nil { throw .usage("\(option.flag) takes no value", found.path) }
            return try found.give(option, nil)
        }
        guard let value = attached ?? rest.popFirst() else {
            throw .usage("\(option.flag) needs a value: \(kind.placeholder)", found.path)
        }
        if !kind.choices.isEmpty && !kind.choices.contains(value) {
            throw .usage("\(option.flag) is one of: \(kind.choices.joined(separator: ", "))", found.path)
        }
        try found.give(option, value)
    }

    private static func check(_ found: Invocation) throws(Failure) {
        let command = found.command
        if command.action == nil {
            throw .usage("say what to do: \(command.subcommands.map(\.name).joined(separator: ", "))", found.path)
        }
        let needed = command.operands.filter { !$0.isOptional }
        if found.operands.count < needed.count {
            throw .usage("\(needed[found.operands.count].name) is missing", found.path)
        }
        // What is too much isn't repeated: it may be a secret that was meant for standard input.
        if found.operands.count > command.operands.count && command.operands.last?.takesAll != true {
            throw .usage(
                command.name == Command.secretAdd.name
                    ? "the secret is not an argument, where every program could read it: give it on standard input"
                    : "there is more on the line than the command takes", found.path)
        }
        for (operand, word) in zip(command.operands, found.operands)
        where !operand.values.isEmpty && !operand.takesAll && !operand.values.contains(word) {
            throw .usage("\(operand.name) is one of: \(operand.values.joined(separator: ", "))", found.path)
        }
    }
}
