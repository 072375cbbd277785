import ThumbAccess
import ThumbCommands
import ThumbCredentialForms
import ThumbSecrets

/// `thumbturn helper git`, or `git-credential-thumbturn`
enum GitHelper {
    static let name = "git"

    static let command = Command(
        name, "keep the passwords of git",
        discussion: [
            "git starts this as `git-credential-thumbturn` once you have run `git config --global credential.helper thumbturn`. It asks for a "
                + "password with `get`, keeps one that a server took with `store`, and forgets one that a server refused with `erase`.",
            "The secret is called `git:` and the URL, such as `git:https://example.com`; its account is the user's name there.",
            "With --timeout a password isn't handed out any more after that time, and is removed when somebody looks for it.",
        ],
        operands: [Operand(.text("OPERATION"), "what git wants: `get`, `store` or `erase`; any other does nothing")],
        options: StoringTerms.options + [timeout],
        examples: [
            Example("Have git keep its passwords here", "git config --global credential.helper thumbturn"),
            Example(
                "Have it ask for a finger, and forget them after an hour",
                "git config --global credential.helper \\",
                "    'thumbturn --protect biometry --timeout 3600'"),
            Example(
                "See what git would get",
                "printf 'protocol=https\\nhost=example.com\\n' |", "    thumbturn helper git get"),
        ]
    ) { invocation throws(Failure) in
        switch invocation.operands[0] {
        case "get": try get(try credential())
        case "store": try store(try credential(), StoringTerms(invocation), invocation.number(timeout))
        case "erase": try erase(try credential())
        // git may come to say more, and helpers are to pass that over.
        default: Outcome(forTool: [])
        }
    }

    private static let timeout = Option(
        "timeout", "how long to hand out what is kept now", .number("SECONDS", 1...(10 * 365 * 24 * 3600)))

    private static func credential() throws(Failure) -> GitCredential {
        let input = try SecretInput.readAll(from: 0)
        return try ToolText.understood(from: name) { () throws(FormRefusal) in try GitCredential(input) }
    }

    private static func get(_ wanted: GitCredential) throws(Failure) -> Outcome {
        try Daemon.connect()
        guard let kept = try ToolSecret.all(wanted.keptName, account: wanted.user).first else { return Outcome(forTool: []) }
        let name = kept.name
        let whose = name.account.isEmpty ? "" : " of '\(SafeText(name.account, limit: 40))'"
        let password = try name.open(reason: "give git the password\(whose) for \(SafeText(wanted.place, limit: 80))")
        let line = try ToolText.line(password, of: name.thing, for: "git")
        guard !name.account.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\n") }) else {
            throw .helper(.notOneLine(name.thing, tool: "git"))
        }
        let state = wanted.keepsState ? "capability[]=state\nstate[]=\(GitCredential.state)\n" : ""
        return Outcome(forTool: [
            .text("\(state)username=\(name.account)\npassword="), .secret(line, .raw), .text("\n"),
        ])
    }

    private static func store(
        _ credential: GitCredential, _ terms: StoringTerms, _ seconds: Int?
    ) throws(Failure) -> Outcome {
        // What comes back is what was handed out; and without a name and a password there is nothing to keep.
        guard !credential.isOurs, let user = credential.user, let password = credential.password else {
            return Outcome(forTool: [])
        }
        try Daemon.connect()
        try ToolSecret.keep(password, as: SecretName(credential.keptName, account: user), terms, seconds: seconds)
        return Outcome(forTool: [])
    }

    private static func erase(_ credential: GitCredential) throws(Failure) -> Outcome {
        try Daemon.connect()
        for kept in try ToolSecret.all(credential.keptName, account: credential.user) {
            // Another one may have been kept meanwhile. Nobody is asked only to find that out.
            if let password = credential.password, kept.rule.demands.isEmpty {
                let present = try ToolText.line(
                    kept.name.open(reason: "erase the \(kept.name.shown)"), of: kept.name.thing, for: "git")
                if present != password { continue }
            }
            try ToolSecret.remove(kept)
        }
        return Outcome(forTool: [])
    }
}

extension GitCredential {
    /// What the secret is called.
    fileprivate var keptName: String { "\(GitHelper.name):\(place)" }
}
