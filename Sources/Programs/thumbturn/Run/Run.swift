internal import ThumbAccess

extension Command {
    static let run: Command = .init(
        name: "run", summary: "run a program with secrets in its hands",
        discussion: [
            """
            Asks for the owner once, however many secrets there are, and then becomes the program: nothing of thumbturn stays \
            behind. 'thumbturn run --secret PGPASSFILE=pgpass -- psql' is an example.
            """,
            """
            With --secret the variable NAME has the path of a file that holds the secret exactly as it was kept. The file lies \
            in memory alone. The program and those it starts can read it as often as they like, nobody can write it, and it is \
            gone when they have ended. A program that closes every descriptor it doesn't know closes this one too.
            """,
            """
            With --in-environment the variable has the secret itself. Other programs of the user can read a program's \
            environment, all that it starts inherits it, and logs and crash reports like to print it: only for a program that \
            can't read a file. There is no way to make a secret an argument.
            """,
            """
            The exit status is the program's, 126 and 127 if it couldn't be started. What it prints is left as it is, so \
            --json speaks only where the program wasn't started.
            """,
        ],
        operands: [
            Operand(name: "PROGRAM", help: "the program to run, and its arguments", takesAll: true, isProgram: true)
        ],
        options: [.secretFile, .inEnvironment, .accountOf]
    ) { invocation throws(Failure) in
        let handed = try HandedSecret.all(invocation)
        let secrets = try Releasing(handed, to: invocation.operands[0]).secrets()
        var files: [SecretFile] = []
        for (handed, secret) in zip(handed, secrets) {
            if handed.isInEnvironment {
                try Successor.setVariable(handed.variable, to: secret, of: handed.name)
            } else {
                let file = try SecretFile(secret)
                Successor.setVariable(handed.variable, to: file.path)
                files.append(file)
            }
        }
        try Successor.become(invocation.operands, with: files)
    }
}

extension Command.Option {
    static let secretFile = Command.Option(
        name: "secret", help: "the variable NAME has the path of a file with the secret ITEM", value: .text("NAME=ITEM"),
        isRepeatable: true)
    static let inEnvironment = Command.Option(
        name: "in-environment", help: "the variable NAME has the secret ITEM itself, where other programs can read it",
        value: .text("NAME=ITEM"), isRepeatable: true)
    static let accountOf = Command.Option(
        name: "account", help: "whose secret NAME has, where there are several of that name", value: .text("NAME=ACCOUNT"),
        isRepeatable: true)
}

/// A secret that a program is to have: which one, in which variable, and how.
struct HandedSecret: Sendable {
    let variable: String
    let name: SecretName
    let isInEnvironment: Bool

    /// All that the line names, in its order: files, then what goes into the environment.
    static func all(_ invocation: Invocation) throws(Failure) -> [HandedSecret] {
        let path = invocation.path
        var accounts: [String: String] = [:]
        for word in invocation.values(.accountOf) {
            let (variable, account) = try parts(of: word, .accountOf, path)
            if accounts.updateValue(account, forKey: variable) != nil { throw .usage("--account names one NAME twice", path) }
        }
        var all: [HandedSecret] = []
        for option in [Command.Option.secretFile, .inEnvironment] {
            for word in invocation.values(option) {
                let (variable, item) = try parts(of: word, option, path)
                if item.isEmpty { throw .usage("\(option.flag) is NAME=ITEM", path) }
                if all.contains(where: { $0.variable == variable }) { throw .usage("two secrets can't have one NAME", path) }
                all.append(
                    HandedSecret(
                        variable: variable, name: SecretName(item, account: accounts.removeValue(forKey: variable) ?? ""),
                        isInEnvironment: option.name == Command.Option.inEnvironment.name))
            }
        }
        if all.isEmpty { throw .usage("say which secrets: --secret NAME=ITEM", path) }
        if !accounts.isEmpty { throw .usage("--account has a NAME that no secret has", path) }
        return all
    }

    private static func parts(
        of word: String, _ option: Command.Option, _ path: [String]
    ) throws(Failure) -> (variable: String, rest: String) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, isVariable(parts[0]) else {
            throw .usage(
                "\(option.flag) is \(option.value?.placeholder ?? ""), and NAME has letters, digits and underscores", path)
        }
        return (String(parts[0]), String(parts[1]))
    }

    /// What every shell can read as `$NAME`.
    private static func isVariable(_ name: Substring) -> Bool {
        guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
        return name.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || $0 == "_" || ("0"..."9").contains($0))
        }
    }
}
