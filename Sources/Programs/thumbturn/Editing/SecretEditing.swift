import CThumbLinux
import ThumbAccess
import ThumbClient
import ThumbSecrets

/// A secret that a person is editing. What they typed stays, in memory, until it is kept or given up.
struct SecretEditing: ~Copyable {
    private let file: EditedSecret
    private let editor: Editor
    private let releasing: Releasing
    private let interruption: Interruption
    private let hasFields: Bool
    private let reason: String
    private var kept: KeptSecret

    init(
        _ secret: SecretBytes, of kept: KeptSecret, _ releasing: Releasing, reason: String, with editor: Editor,
        until interruption: Interruption, in folder: consuming MemoryFolder
    ) throws(Failure) {
        file = try EditedSecret(secret, in: folder)
        (self.editor, self.releasing, self.interruption) = (editor, releasing, interruption)
        hasFields = (try? Fields(secret)) != nil
        (self.reason, self.kept) = (reason, kept)
    }

    /// Has the secret edited, and keeps it. If that fails, the person can go on with what they typed. Returns whether anything was changed.
    /// The file is gone afterwards.
    consuming func finish() throws(Failure) -> Bool {
        while true {
            do throws(Failure) {
                guard let edited = try edited() else { return false }
                try keep(edited)
                return true
            } catch {
                try askToGoOn(after: error)
            }
        }
    }

    /// What the person made of the secret; nil if it is what it was.
    private func edited() throws(Failure) -> SecretBytes? {
        defer { interruption.forgetKeys() }
        return try file.edit(with: editor)
    }

    private mutating func keep(_ typed: SecretBytes) throws(Failure) {
        if interruption.hasCome { throw .cancelled }
        let name = kept.name
        if hasFields { try Self.checkFields(of: typed, name) }
        let now = try WantedSecret(name).kept()
        let isSame = now.attributes[.modified] == kept.attributes[.modified]
        // Whoever goes on has been told.
        kept = now
        guard isSame else { throw .secret(.changedMeanwhile(name.thing)) }
        let query = name.query(limit: nil, reason: reason, context: releasing.context)
        let change = ItemChange(attributes: SecretForm.attributes(of: typed, replacing: now.attributes), secret: typed)
        try Daemon.release(about: name.thing, reason: reason) { () throws(ReleaseFailure) in
            try DeviceClient.shared.change(query, to: change)
        }
    }

    private static func checkFields(of typed: SecretBytes, _ name: SecretName) throws(Failure) {
        do throws(Fields.Problem) { _ = try Fields(typed) } catch {
            switch error {
            case .none, .newer: throw .secret(.editedFields(name.thing, line: 1))
            case .line(let number): throw .secret(.editedFields(name.thing, line: number))
            case .tooMany, .noMemory: throw name.failure(error)
            }
        }
    }

    /// Says why it wasn't kept, and returns if the person wants to edit it again.
    private func askToGoOn(after failure: Failure) throws(Failure) {
        var next = failure.words.next
        switch failure {
        // Nothing was typed that could be lost.
        case .cancelled, .secret(.editorFailed), .secret(.noEditor): throw failure
        case .secret(.changedMeanwhile): next = "If you save it again, that change is lost."
        default: break
        }
        // Where nobody can answer, it is said at the end.
        guard isatty(0) == 1 else { throw failure }
        failure.words.next(next).lines.forEach(Output.say)
        guard Confirmation.isWanted("Open the editor again with what you typed?", until: interruption) else { throw .cancelled }
    }
}
