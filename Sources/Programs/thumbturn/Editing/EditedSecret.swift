import CThumbLinux
import ThumbSecrets
import ThumbSystem

/// A secret in a file in memory, while a person edits it. The file is gone when this value ends.
struct EditedSecret: ~Copyable {
    private let folder: MemoryFolder
    private let original: SecretBytes

    private var path: String { folder.path + "/secret" }

    /// Writes the secret into a new file of this user's alone, in a folder that nothing else is in.
    init(_ secret: SecretBytes, in folder: consuming MemoryFolder) throws(Failure) {
        original = secret
        self.folder = folder
        try Output.write([.secret(secret, .raw)], toNew: path)
    }

    /// Has it edited. Returns what it is then; nil if it is the same as before.
    func edit(with editor: Editor) throws(Failure) -> SecretBytes? {
        let status: Int32
        do throws(SystemError) { status = try editor.edit(path, temporary: folder.path) } catch { throw .secret(.editorFailed) }
        switch status {
        case 0: break
        case 126, 127: throw .secret(.noEditor(editor.line))
        default: throw .secret(.editorFailed)
        }
        let after = try withoutNewline(try contents())
        if after.isEmpty { throw .secret(.editedEmpty) }
        return after == original ? nil : after
    }

    /// What the file has now. An editor may have put another file in its place.
    private func contents() throws(Failure) -> SecretBytes {
        let file = try opened()
        do throws(Failure) { return try SecretInput.readAll(from: file.number) } catch .inputEmpty { throw .secret(.editedEmpty) }
    }

    private func opened() throws(Failure) -> Descriptor {
        do throws(SystemError) {
            let file = try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            guard thumb_is_regular(try file.status().st_mode) != 0 else { throw SystemError(EINVAL) }
            return file
        } catch {
            throw .secret(.editorFailed)
        }
    }

    /// Without the newline that most editors put at the end, if the secret had none there.
    private func withoutNewline(_ after: SecretBytes) throws(Failure) -> SecretBytes {
        let newline = UInt8(ascii: "\n")
        guard after[after.count - 1] == newline, original.isEmpty || original[original.count - 1] != newline else { return after }
        guard let shorter = try? after.slice(0..<after.count - 1) else { throw .noLockedMemory }
        return shorter
    }
}
