extension Program {
    /// What a command line asks for.
    public enum Reading: Sendable {
        case work(Command<Work, Failure>.Action, Invocation)
        case about(About)
    }

    /// Parses a command line without the program's own name. It only accepts what the description has.
    public func read(_ words: [String]) throws(Misuse) -> Reading {
        var line = Line(self)
        try line.take(words)
        return try line.reading()
    }

    /// A line that is being parsed.
    private struct Line {
        let program: Program
        var command: Command<Work, Failure>
        var place: Place
        var invocation: Invocation

        init(_ program: Program) {
            self.program = program
            command = program.command
            place = Place(command, [], program.everywhere)
            invocation = Invocation(place.path)
        }

        func misuse(_ kind: Misuse.Kind, meant: [String] = []) -> Misuse { Misuse(kind, place.path, meant: meant) }

        /// A word that has no place here, with what it may have been meant to be.
        private func unknown(command word: String, at place: Place) -> Misuse {
            let near = Nearest.words(to: word, among: place.subcommands.map(\.name))
            return misuse(
                .unknownCommand(word),
                meant: near.isEmpty ? Nearest.places(of: word, below: place, in: program.overview) : near)
        }

        private func refused(_ word: String, _ value: Value, at name: String) -> Misuse? {
            value.objection(to: word, at: name).map { misuse($0, meant: Nearest.words(to: word, among: value.choices)) }
        }

        mutating func take(_ words: [String]) throws(Misuse) {
            var rest = words[...]
            while let word = rest.popFirst() {
                if word == "--" {
                    invocation.operands += rest
                    return
                }
                if word.hasPrefix("-") && word != "-" {
                    try takeOption(word, &rest)
                } else {
                    try takeWord(word)
                }
            }
        }

        private mutating func takeWord(_ word: String) throws(Misuse) {
            if invocation.operands.isEmpty, let next = command.subcommand(word) {
                command = next
                place = Place(next, place.path, program.everywhere)
                invocation.path = place.path
            } else if place.command.takesProgram {
                throw misuse(.programWithoutDashes)
            } else if !place.subcommands.isEmpty {
                throw unknown(command: word, at: place)
            } else {
                invocation.operands.append(word)
            }
        }

        private mutating func takeOption(_ word: String, _ rest: inout ArraySlice<String>) throws(Misuse) {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let flag = String(parts[0])
            let attached = parts.count == 2 ? String(parts[1]) : nil
            guard let option = place.options.first(where: { $0.flag == flag || $0.short == flag }) else {
                throw misuse(.unknownOption(flag), meant: Nearest.words(to: flag, among: place.listedOptions.map(\.flag)))
            }
            guard let kind = option.value else {
                if attached != nil { throw misuse(.takesNoValue(flag)) }
                return try invocation.give(option, nil)
            }
            guard let value = attached ?? rest.popFirst() else { throw misuse(.needsValue(flag, kind.name)) }
            if let misuse = refused(value, kind, at: flag) { throw misuse }
            try invocation.give(option, value)
        }

        func reading() throws(Misuse) -> Reading {
            // Somebody who asks for help hasn't finished the line, so nothing else is checked.
            if invocation.has(.help) { return .about(.help(place.path)) }
            if invocation.has(.version) { return .about(.version) }
            guard let deed = command.deed else {
                // A command that only groups others shows which ones these are.
                guard let word = invocation.operands.first else { return .about(.help(place.path)) }
                throw misuse(.unknownCommand(word))
            }
            try checkOperands()
            switch deed {
            case .action(let action): return .work(action, invocation)
            case .help: return .about(try topic())
            // Parsing accepts no other names.
            case .completions: return .about(.completions(Shell(rawValue: invocation.operands[0]) ?? .bash))
            case .manualPage: return .about(invocation.operands.first.map { .manualPage($0) } ?? .manualPages)
            }
        }

        private func checkOperands() throws(Misuse) {
            let (operands, given) = (place.command.operands, invocation.operands)
            let needed = operands.filter(\.isNeeded)
            if given.count < needed.count { throw misuse(.missing(needed[given.count].name)) }
            if given.count > operands.count, operands.last?.takesMany != true { throw misuse(.tooMuch(place.command.excess)) }
            for (operand, word) in zip(operands, given) {
                if let misuse = refused(word, operand.value, at: operand.name) { throw misuse }
            }
        }

        private func topic() throws(Misuse) -> About {
            if invocation.operands == [exitCodesTopic] { return .exits }
            let overview = program.overview
            var path = Array(place.path.prefix(1))
            for word in invocation.operands {
                guard let above = overview.place(path) else { break }
                path.append(word)
                if overview.place(path) == nil { throw unknown(command: word, at: above) }
            }
            return .help(path)
        }
    }
}
