import CThumbLinux
import ThumbAccess
import ThumbClient
import ThumbCommands
import ThumbCredentialForms

/// `thumbturn helper askpass`, or `thumbturn-askpass`
enum AskpassHelper {
    static let name = "askpass"

    static let command = Command(
        name, "give ssh the passphrase of a private key",
        discussion: [
            "ssh and ssh-add run the program that SSH_ASKPASS names when they have no terminal, or with `SSH_ASKPASS_REQUIRE=prefer` always. This "
                + "one gives the passphrase of a private key: the secret `ssh:` and the whole path of the key's file.",
            "When ssh wants a yes, as for a key that was added with `ssh-add -c`, you are asked to show that you are there. What ssh only wants to be "
                + "shown goes to standard error. Everything else is refused: passwords, which a server can ask for in words of its own; whether a "
                + "host's key is right, which a finger doesn't tell; and sudo, because you would agree to whatever command it runs, "
                + "without seeing it.",
        ],
        operands: [Operand(.text("PROMPT"), "what ssh asks", .any)],
        examples: [
            Example(
                "Keep a key's passphrase, and add the key without typing it", "thumbturn secret add ssh:$HOME/.ssh/id_ed25519",
                "export SSH_ASKPASS=thumbturn-askpass SSH_ASKPASS_REQUIRE=force", "ssh-add ~/.ssh/id_ed25519"),
            Example(
                "See what ssh would get", "thumbturn helper askpass \\",
                "    \"Enter passphrase for key '$HOME/.ssh/id_ed25519': \""),
        ]
    ) { invocation throws(Failure) in
        let prompt = invocation.operands.joined(separator: " ")
        // What kind of question it is, ssh says in a variable and not in the words.
        switch unsafe getenv("SSH_ASKPASS_PROMPT").map({ unsafe String(cString: $0) }) {
        case "confirm": return try confirm(prompt)
        case "none":
            Output.say(SafeText(prompt, limit: longestShown).description)
            return Outcome(forTool: [])
        default: return try answer(AskpassPrompt(prompt))
        }
    }

    /// The longest prompt of ssh's that is repeated to a person.
    private static let longestShown = 400

    private static func confirm(_ prompt: String) throws(Failure) -> Outcome {
        if case .sudo = AskpassPrompt(prompt) { throw .helper(.sudo) }
        try Daemon.connect()
        // ssh's sentence is the question. Its words come from ssh, and a name in it from whoever added the key.
        let reply = Daemon.evaluate(.deviceOwner, reason: "tell ssh yes: \(SafeText(prompt, limit: longestShown))")
        if case .failure(let failure) = reply.result { throw .evaluation(failure) }
        return Outcome(forTool: [.text("yes\n")])
    }

    private static func answer(_ prompt: AskpassPrompt) throws(Failure) -> Outcome {
        switch prompt {
        case .sudo: throw .helper(.sudo)
        case .unknown: throw .helper(.promptNotAnswered)
        case .wrongPassphrase(let file): throw .helper(.passphraseWrong(secret(file).thing))
        case .passphrase(let file):
            try Daemon.connect()
            let name = try secret(file).kept().name
            let passphrase = try name.open(reason: "unlock the SSH key \(SafeText(file, limit: 100))")
            return Outcome(forTool: [
                .secret(try ToolText.line(passphrase, of: name.thing, for: "ssh"), .raw), .text("\n"),
            ])
        }
    }

    /// The secret of the key in a file. Its name has the whole path, and ssh may have been told a shorter one.
    private static func secret(_ file: String) -> WantedSecret {
        var folder: String?
        if !file.hasPrefix("/"), let path = unsafe getcwd(nil, 0) {
            folder = unsafe String(cString: path)
            unsafe free(path)
        }
        return WantedSecret("ssh:" + (folder.map { "\($0)/\(file)" } ?? file), account: nil)
    }
}
