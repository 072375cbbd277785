import ThumbCommands
import ThumbSecrets

/// `thumbturn secret generate`
enum SecretGenerate {
    static let command = Command(
        "generate", "make up a secret and keep it",
        discussion: [
            "Makes up a secret of random characters, or with --words of random words, and keeps it as `thumbturn secret add` does. Each "
                + "character and each word is as likely as every other.",
            "The secret isn't printed unless you ask for it with --print. With --clipboard you can paste it, as `thumbturn secret get` "
                + "describes.",
            "--alphabet takes `all` (letters, digits and signs), `alphanumeric` (letters and digits), `readable` (the same without 0, O, 1, I "
                + "and l), `letters`, `digits` or `hex`. The words are from a list of 2,048, with hyphens between them: six have 66 bits, as "
                + "eleven characters of `alphanumeric` have.",
        ],
        operands: [SecretName.operand],
        options: [
            length, alphabet, words, print, SecretName.accountOption, SecretAdd.label, Protection.option, Protection.classOption,
            Protection.staysHereOption, SecretAdd.replace, field, Clipboard.option,
            Clipboard.clearOption,
        ],
        examples: [
            Example("Make up a password and keep it", "thumbturn secret generate mail"),
            Example("Six words, printed once so that you can learn them", "thumbturn secret generate disk --words 6 --print"),
            Example("A PIN, in place of the old one", "thumbturn secret generate card --alphabet digits --length 6 --replace"),
        ]
    ) { invocation throws(Failure) in
        let name = try SecretName(new: invocation)
        let form = try form(invocation)
        let field = try FieldOption.one(invocation)
        let clipboard = try Clipboard(invocation, not: print)
        let addition = try SecretAddition(name, invocation, try Daemon.status())
        guard let secret = try? form.make() else { throw .noLockedMemory }
        let kept: AdditionReport
        if let field { kept = try addition.perform(fields: [(field, secret)]) } else { kept = try addition.perform(secret) }
        if let clipboard {
            let thing = addition.name.thing
            do throws(Failure) { try clipboard.take(secret, of: thing) } catch {
                // An old secret may be gone by now, so the first thing to say is what was kept.
                throw .secret(.keptNotCopied(kept.notice, SecretReference(WantedSecret(addition.name), field: field)))
            }
            return Outcome(kept.notice, clipboard.notice(of: thing, field: field), json: .object(kept.json + clipboard.json))
        }
        guard invocation.has(print) else { return kept.outcome }
        // In a pipe only the secret.
        return Outcome(
            text: [.secret(secret, .raw)] + (Output.isTerminal ? [.text("\n")] : []),
            json: .object(kept.json + [("secret", .secret(secret, .jsonText))]), asides: [kept.notice])
    }

    /// The fewest characters: a PIN has four. The most: longer ones are keys, and made otherwise.
    private static let length = Option("length", "how many characters, 24 by default", .number("NUMBER", 4...1024))
    private static let usualLength = 24
    private static let alphabet = Option(
        "alphabet", "what characters to draw from, all by default",
        .choice("ALPHABET", GeneratedSecret.Alphabet.allCases.map(\.rawValue)))
    private static let words = Option("words", "draw that many words instead of characters", .number("NUMBER", 3...64))
    private static let field = Option(
        FieldOption.option.name, "keep it as this field; with --replace the others stay", .text("FIELD"))
    private static let print = Option("print", "print the secret too")

    private static func form(_ invocation: Invocation) throws(Failure) -> GeneratedSecret {
        if let count = invocation.number(words) {
            for other in [length, alphabet] where invocation.has(other) {
                throw .usage(.together(other.flag, with: words.flag), invocation.path)
            }
            return .words(count)
        }
        let alphabet = invocation.value(alphabet).flatMap { GeneratedSecret.Alphabet(rawValue: $0) } ?? .all
        return .characters(alphabet, invocation.number(length) ?? usualLength)
    }
}
