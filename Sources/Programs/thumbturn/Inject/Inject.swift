import CThumbLinux
import ThumbAccess
import ThumbCommands
import ThumbSecrets

/// `thumbturn inject`
enum Inject {
    static let command = Command(
        "inject", "fill secrets into a template",
        discussion: [
            "Copies a template to standard output, with a secret in place of each reference in double braces: "
                + "`{{ thumbturn://NAME/FIELD }}` for a field, `{{ thumbturn://NAME }}` for a whole secret, and `?account=ACCOUNT` behind either "
                + "where there are several of that name. Everything else stays as it is, other double braces too.",
            "Asks you once, however many secrets there are. If one is missing, nothing is written.",
            "What is written has the secrets in it. With --output it goes to a new file that only you can read. A program that can read a "
                + "secret from a file of its own is better served by `thumbturn run`.",
            "With --json the object has the result as `text`, or as `textBase64` if it isn't text.",
        ],
        operands: [Operand(.file("TEMPLATE"), "the template, instead of standard input", .optional)], options: [Output.option],
        examples: [
            Example("Fill in a configuration and give it to a program", "thumbturn inject app.conf.template | app --config -"),
            Example("See what a template is", "echo 'password = {{ thumbturn://mail/password }}' | thumbturn inject"),
        ]
    ) { invocation throws(Failure) in
        let path = invocation.operands.first
        let template = try read(path)
        let output = invocation.value(Output.option)
        try Output.check(invocation)
        let question = try OneQuestion(template.references)
        let isForTerminal = output == nil && !invocation.wantsJSON && Output.isTerminal
        // As far as that is known before anybody is asked.
        if isForTerminal, question.hasBinary { throw notForTerminal }
        let secrets = try question.open(reason: reason(question, path))
        var rest = secrets[...]
        let pieces: [Outcome.Piece] = template.parts.map {
            switch $0 {
            case .text(let text): .text(text)
            // There are as many secrets as references.
            case .reference: .secret(rest.removeFirst(), .raw)
            }
        }
        if let output {
            try Output.write(pieces, toNew: output)
            return Outcome(json: .object([("output", .text(output))]))
        }
        if invocation.wantsJSON { return Outcome(json: .object([try member(pieces)])) }
        if isForTerminal, !secrets.allSatisfy(UTF8Scalars.areShowable) { throw notForTerminal }
        return Outcome(text: pieces, json: .null)
    }

    private static var notForTerminal: Failure { .notForTerminal("the filled-in template") }

    private static func read(_ path: String?) throws(Failure) -> Template {
        let bytes = try KeyInput(path).all(atMost: Template.mostBytes)
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .secret(.templateNotText) }
        do throws(Template.Problem) { return try Template(text) } catch {
            throw .secret(.badReference(line: error.line, of: path, meant: error.meant))
        }
    }

    /// The template's name comes last, so that nothing in it can pass for the rest of the sentence.
    private static func reason(_ question: OneQuestion, _ path: String?) -> String {
        "fill in a template with the \(question.words)"
            + (path.map { ": \(SafePath(ExactName($0), limit: 60))" } ?? "")
    }

    /// The whole result as a member of an object.
    private static func member(_ pieces: [Outcome.Piece]) throws(Failure) -> (String, JSON) {
        let parts: [SecretBytes] = try pieces.map { piece throws(Failure) in
            switch piece {
            case .text(let text): try KeyResult.locked(Array(text.utf8))
            case .secret(let secret, _): secret
            }
        }
        let whole = try? unsafe SecretBytes(count: parts.reduce(0) { $0 + $1.count }) { room in
            var writer = unsafe SecretWriter(room)
            for part in parts { writer.add(part, 0..<part.count) }
        }
        guard let whole else { throw .noLockedMemory }
        return UTF8Scalars.areValid(whole) ? ("text", .secret(whole, .jsonText)) : ("textBase64", .secret(whole, .base64))
    }
}
