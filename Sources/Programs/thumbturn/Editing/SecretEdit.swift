import ThumbAccess
import ThumbClient
import ThumbCommands
import ThumbSecrets

/// `thumbturn secret edit`
enum SecretEdit {
    static let command = Command(
        "edit", "change a secret in your editor",
        discussion: [
            "Opens the secret in the editor that $VISUAL or $EDITOR names, and keeps what you save. Asks you once. If nothing was changed, "
                + "nothing is kept, and neither if the editor fails.",
            "The file that the editor opens is in memory, in a folder that only you can enter, and is removed when the editor has ended. vim, "
                + "neovim, nano, emacs and micro are told to keep no swap file, backup, history or undo file elsewhere. Any other editor keeps "
                + "what it is set to keep, and the machine may write memory to swap.",
            "An editor in a window has to wait until you close the file: `code --wait`. A newline that the editor puts at the end isn't kept, "
                + "unless the secret ended with one. If a secret with fields isn't one any more, the editor opens again.",
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
        // The file is always removed: from here on signals that would end this program wait. While a prompt was up, Ctrl-C was the prompt's.
        let interruption = Interruption()
        guard let changed = try edited(secret, name, editor, in: folder) else {
            return outcome(name, .unchanged(name.thing), false)
        }
        if interruption.hasCome { throw .cancelled }
        let now = try WantedSecret(name).kept()
        guard now.attributes[.modified] == kept.attributes[.modified] else { throw .secret(.changedMeanwhile(name.thing)) }
        let query = name.query(limit: nil, reason: reason, context: releasing.context)
        let change = ItemChange(attributes: SecretForm.attributes(of: changed, replacing: kept.attributes), secret: changed)
        try Daemon.release(about: name.thing, reason: reason) { () throws(ReleaseFailure) in
            try DeviceClient.shared.change(query, to: change)
        }
        return outcome(name, .changed(name.thing), true)
    }

    /// What the person made of the secret; nil if nothing was changed. Fields that can't be read any more are shown again, as long as the
    /// person goes on changing them.
    private static func edited(
        _ secret: SecretBytes, _ name: SecretName, _ editor: Editor, in folder: consuming MemoryFolder
    ) throws(Failure) -> SecretBytes? {
        let hasFields = (try? Fields(secret)) != nil
        let file = try EditedSecret(secret, in: folder)
        var last: SecretBytes?
        while let changed = try file.edit(with: editor) {
            guard hasFields else { return changed }
            do throws(Failure) {
                _ = try name.fields(of: changed)
                return changed
            } catch {
                if changed == last { throw error }
                error.words.lines.prefix(1).forEach(Output.say)
                last = changed
            }
        }
        return nil
    }

    private static func outcome(_ name: SecretName, _ notice: Notice, _ isChanged: Bool) -> Outcome {
        Outcome(notice, json: .object(name.json + [("changed", .flag(isChanged))]))
    }
}
