import ThumbAccess
import ThumbCommands
import ThumbCredentialForms
import ThumbSecrets

/// `thumbturn helper cargo`, or `cargo-credential-thumbturn`
enum CargoHelper {
    static let name = "cargo"

    static let command = Command(
        name, "keep cargo's tokens of registries",
        discussion: [
            "cargo starts this as `cargo-credential-thumbturn` if its configuration names it as a credential provider. They speak in lines of "
                + "JSON, so there is nothing to see for a person.",
            "The secret is called `cargo:` and the address of the registry's index, such as `cargo:sparse+https://crates.example.org/index/`. "
                + "`cargo login` keeps a token, `cargo logout` removes it, and you are asked once in each command that uses it. cargo gives no "
                + "options, so the protection of a new secret comes from the variable THUMBTURN_PROTECT.",
        ],
        options: [Option("cargo-plugin", "what cargo says to every provider")] + StoringTerms.options,
        examples: [
            Example(
                "Have cargo keep its tokens here: two lines of ~/.cargo/config.toml", "[registry]",
                "global-credential-providers = [\"cargo-credential-thumbturn\"]"),
            Example("Speak to it as cargo does", "thumbturn helper cargo --cargo-plugin"),
        ]
    ) { invocation throws(Failure) in
        try Output.write(JSON.object([("v", .list([.number(Int64(CargoRequest.version))]))]).line())
        while let line = try LineInput.next(atMost: FormLimit.lineBytes) {
            let answer: JSON
            do throws(Failure) {
                answer = .object([("Ok", try reply(line, invocation))])
            } catch .keychain(.itemNotFound, about: _) {
                answer = refusal("not-found")
            } catch .helper(.unknownOperation) {
                answer = refusal("operation-not-supported")
            } catch {
                error.words.lines.forEach(Output.say)
                answer = refusal(
                    "other", [("message", .text(error.words.message)), ("caused-by", .list([]))])
            }
            try Output.write(answer.line())
        }
        return Outcome(forTool: [])
    }

    private static func refusal(_ kind: String, _ more: [(String, JSON)] = []) -> JSON {
        .object([("Err", .object([("kind", .text(kind))] + more))])
    }

    private static func reply(_ line: SecretBytes, _ invocation: Invocation) throws(Failure) -> JSON {
        switch try ToolText.understood(from: name, { () throws(FormRefusal) in try CargoRequest(line) }) {
        case .unknown: throw .helper(.unknownOperation(tool: name))
        case .get(let index):
            let kept = try kept(index)
            let reason = "give cargo the token for \(SafeText(index, limit: 80))"
            let token = try ToolText.line(kept.name.open(reason: reason), of: kept.name.thing, for: name)
            // For cargo's own run, so that you are asked once in it.
            return .object([
                ("kind", .text("get")), ("token", try ToolText.json(token, of: kept.name.thing, for: name)),
                ("cache", .text("session")), ("operation_independent", .flag(true)),
            ])
        case .login(let index, let given, let page):
            let terms = try StoringTerms(invocation)
            try Daemon.connect()
            let token: SecretBytes
            if let given { token = given } else { token = try typed(for: index, page) }
            try ToolSecret.keep(token, as: SecretName(prefix + index, account: ""), terms)
            return .object([("kind", .text("login"))])
        case .logout(let index):
            try ToolSecret.remove(try kept(index))
            return .object([("kind", .text("logout"))])
        }
    }

    private static let prefix = "\(name):"

    private static func kept(_ index: String) throws(Failure) -> KeptSecret {
        try Daemon.connect()
        guard let kept = try ToolSecret.all(prefix + index).first else {
            throw .keychain(.itemNotFound, about: .secret(prefix + index, account: ""))
        }
        return kept
    }

    /// The token, which the owner types unseen. Standard input is cargo's.
    private static func typed(for index: String, _ page: String?) throws(Failure) -> SecretBytes {
        if let page { Output.say("You find a token at \(SafeText(page, limit: 200)).") }
        return try LineInput.fromTerminal("Token for \(SafeText(index, limit: 80)): ")
    }
}
