/// From the words of a command line to what the program has to say.
enum Program {
    static func run(_ words: [String]) throws(Failure) -> Outcome {
        let invocation = try Arguments.parse(words)
        if invocation.has(.help) { return Help.outcome(invocation.command, path: invocation.path) }
        if invocation.has(.version) {
            return Outcome(["thumbturn \(Version.current)"], json: .object([("version", .text(Version.current))]))
        }
        // The parser lets no command through that has nothing to do.
        guard let action = invocation.command.action else { throw .usage("say what to do", invocation.path) }
        return try action(invocation)
    }
}
