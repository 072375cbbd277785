import ThumbCommands
import ThumbSecrets

/// `thumbturn secret edit`
enum SecretEdit {
    static let command = Command(
        "edit", "change a secret in your editor",
        discussion: [
            "Opens the secret in the editor that $VISUAL or $EDITOR names, and keeps what you save. Asks you once, and again only if your "
                + "session was locked meanwhile. If you change nothing, or the editor fails, the secret stays as it was.",
            "If what you saved can't be kept, you are told why and can open the editor again with what you typed. That is so, for example, if "
                + "you cancel a prompt, or if a line of a secret with fields isn't a field any more.",
            "The file that the editor opens is in memory, in a folder that only you can enter, and is removed when the secret is kept or you give up. vim, "
                + "neovim, nano, emacs and micro are told to keep no swap file, backup, history or undo file elsewhere. Any other editor keeps "
                + "what it is set to keep, and the machine may write memory to swap.",
            "An editor in a window has to wait until you close the file: `code --wait`. A newline that the editor puts at the end isn't kept, "
                + "unless the secret ended with one.",
        ],
        operands: [SecretName.known], options: [SecretName.accountOption],
        examples: [
            Example("Change a secret", "thumbturn secret edit mail"),
            Example("Change it in another editor", "EDITOR='code --wait' thumbturn secret edit mail"),
        ]
    ) { invocation throws(Failure) in
        // Before anybody is asked.
        let editor = try Editor.chosen()
        let folder = try MemoryFolder.made()
        try Daemon.connect()
        let kept = try WantedSecret(invocation).kept()
        let name = kept.name
        let reason = "edit the \(name.shown)"
        let releasing = Releasing([kept], reason: reason)
        let secret = try releasing.secrets()[0]
        guard UTF8Scalars.areValid(secret) else { throw .secret(.notEditable(name.thing)) }
        // The file is always removed: until it is, signals that would end this program wait. While a prompt was up, Ctrl-C was the prompt's.
        let interruption = Interruption()
        defer { withExtendedLifetime(interruption) {} }
        let editing = try SecretEditing(
            secret, of: kept, releasing, reason: reason, with: editor, until: interruption, in: folder)
        let isChanged = try editing.finish()
        return outcome(name, isChanged ? .changed(name.thing) : .unchanged(name.thing), isChanged)
    }

    private static func outcome(_ name: SecretName, _ notice: Notice, _ isChanged: Bool) -> Outcome {
        Outcome(notice, json: .object(name.json + [("changed", .flag(isChanged))]))
    }
}
