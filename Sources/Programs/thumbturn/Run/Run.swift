import ThumbAccess
import ThumbCommands

/// `thumbturn run`
enum Run {
    static let command = Command(
        "run", "run a program and give it secrets",
        discussion: [
            "Asks you once, however many secrets there are, and then executes the program in its own place. Nothing of thumbturn "
                + "stays behind.",
            "With --secret the variable NAME has the path of a file that holds the secret exactly as it was kept. The file exists only in "
                + "memory. The program and those that it starts can read it as often as they like, nobody can write it, and it is gone when "
                + "they have ended. A program that closes all descriptors that it doesn't know closes this one too.",
            "With --in-environment the variable has the secret itself. Your other programs can read a program's environment, every program that "
                + "it starts inherits it, and logs and crash reports often print it. Use it only for a program that can't read a file. There "
                + "is no way to make a secret an argument.",
            "ITEM is a secret's name, or a reference such as `thumbturn://mail/password` for a field of it. With --env-file the variables are "
                + "those of a file, NAME=VALUE on each line, and a VALUE that is a reference becomes the secret. The secrets are then in "
                + "the environment, so the warning about --in-environment applies. No variable can be named twice.",
            "What the program prints is left as it is, so --json has an effect only if the program could not be started.",
        ],
        operands: [Operand(.text("PROGRAM"), "the program to run, and its arguments", .program)],
        options: [HandedSecret.fileOption, HandedSecret.environmentOption, EnvironmentFile.option, HandedSecret.accountOption],
        exits: [
            Exit.cannotRun.status, Exit.noProgram.status,
        ],
        examples: [
            Example("Let psql read its password from a file in memory", "thumbturn run --secret PGPASSFILE=pgpass -- psql"),
            Example(
                "Hand over two secrets, one of a certain account",
                "thumbturn run --secret CERT=tls --secret KEY=tls --account KEY=server -- ./serve"),
        ]
    ) { invocation throws(Failure) in
        let environments = try invocation.values(EnvironmentFile.option).map { path throws(Failure) in try EnvironmentFile(path) }
        let handed = try HandedSecret.all(invocation, and: environments)
        let plain = environments.flatMap(\.plain)
        try Successor.check(invocation.operands[0], setting: handed.map(\.variable) + plain.map(\.0))
        let question = try OneQuestion(handed.map(\.reference))
        let secrets = try question.open(reason: "run '\(SafeText(invocation.operands[0], limit: 60))' with the \(question.words)")
        for (variable, value) in plain { Successor.setVariable(variable, to: value) }
        var files: [SecretFile] = []
        for (handed, (thing, secret)) in zip(handed, zip(question.things, secrets)) {
            if handed.isInEnvironment {
                try Successor.setVariable(handed.variable, to: secret, of: thing)
            } else {
                let file = try SecretFile(secret)
                Successor.setVariable(handed.variable, to: file.path)
                files.append(file)
            }
        }
        try Successor.become(invocation.operands, with: files)
    }
}
