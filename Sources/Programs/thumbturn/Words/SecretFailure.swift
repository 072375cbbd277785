import ThumbAccess

/// Why something wasn't done with fields, templates, editors and the clipboard.
enum SecretFailure: Sendable {
    // Fields and references.
    case noFields(Thing)
    case noField(String, of: Thing, has: [String])
    case fieldsUnreadable(Thing, line: Int)
    case fieldsNewer(Thing)
    case tooManyFields(limit: Int)
    case fieldLines(Int)
    /// In a file, or in a template from standard input; and which reference was probably meant.
    case badReference(line: Int, of: String?, meant: String?)
    case templateNotText
    case environmentLine(Int, of: String)

    // Editing.
    case noMemoryFolder
    case notEditable(Thing)
    case noEditor(String)
    case editorFailed
    case editedEmpty
    /// A secret with fields isn't one any more.
    case editedFields(Thing, line: Int)
    case changedMeanwhile(Thing)

    // The clipboard.
    case noDisplay
    case noClipboardTool(String)
    case notForClipboard(Thing)
    case clipboardFailed
    /// A secret was made up and kept, and didn't get onto the clipboard.
    case keptNotCopied(Notice, SecretReference)
    /// wl-copy would keep the secret in a file on a disk; and whether the session has an X server too.
    case clipboardOnDisk(hasX11: Bool)

    var words: Words {
        switch self {
        case .noFields(let secret):
            Words("noField", .notFound, "The \(secret.name) has no fields: it is one secret as a whole.", "Leave out the field.")
        case .noField(let field, let secret, let names):
            Words(
                "noField", .notFound, "The \(secret.name) has no field '\(SafeText(field, limit: 64))'.",
                names.isEmpty ? "It has no fields at all." : "It has: \(names.joined(separator: ", ")).")
        case .fieldsUnreadable(let secret, let line):
            Words(
                "fieldsUnreadable", .failed, "Line \(line) of the \(secret.name) isn't a field.",
                "Run 'thumbturn secret edit' to mend it.")
        case .fieldsNewer(let secret):
            Words(
                "fieldsNewer", .failed, "A later version of Thumbturn wrote the fields of the \(secret.name).",
                "Install that version, or read the secret as a whole.")
        case .tooManyFields(let limit):
            Words("dataTooLarge", .input, "A secret can have at most \(limit) fields.", "Put some of them into another one.")
        case .fieldLines(let count):
            Words(
                "noInput", .input, "Standard input must have \(count) lines.",
                "Give the value of each --field on a line of its own, in their order.")

        case .badReference(let line, let path, let meant):
            Words(
                "badReference", .input,
                "Line \(line) of the \(path.map { "file '\(SafeText($0, limit: 60))'" } ?? "template") has a reference that can't be "
                    + "understood.",
                meant.map { "Write it as '\($0)'." }
                    ?? "Write it as thumbturn://NAME/FIELD, with %20 for a blank and %2F for a slash in NAME.")
        case .templateNotText: Words("notText", .input, "The template isn't text in UTF-8.", "Check that it is the right file.")
        case .environmentLine(let line, let path):
            Words(
                "environmentFile", .input,
                "Line \(line) of the file '\(SafeText(path, limit: 60))' doesn't have the form NAME=VALUE.",
                "A NAME has letters, digits and underscores only; a remark begins with '#'.")

        case .noMemoryFolder:
            Words(
                "noFolder", .failed,
                "The secret isn't written to a disk, and there is no private folder in memory to use instead.",
                "Set XDG_RUNTIME_DIR to a folder of your own on a tmpfs, such as /run/user/UID.")
        case .notEditable(let secret):
            Words(
                "notText", .failed, "The \(secret.name) isn't text, and an editor would change more than you see.",
                "Replace it with 'thumbturn secret add --replace'.")
        case .noEditor(let line):
            Words(
                "noEditor", .failed, "The editor '\(SafeText(line, limit: 60))' can't be run, so nothing was changed.",
                "Set VISUAL or EDITOR to an editor that is installed.")
        case .editorFailed:
            Words("editorFailed", .failed, "The editor failed, so nothing was changed.", "Try again.")
        case .editedEmpty:
            Words(
                "noInput", .input, "The secret would be empty, so nothing was changed.",
                "To remove it, run 'thumbturn secret remove'.")
        case .editedFields(let secret, 1):
            Words(
                "fieldsUnreadable", .failed,
                "The first line of the \(secret.name) isn't 'thumbturn fields 1' any more, so nothing was changed.",
                "Leave that line as it is, and the fields below it.")
        case .editedFields(let secret, let line):
            Words(
                "fieldsUnreadable", .failed, "Line \(line) of the \(secret.name) isn't a field any more, so nothing was changed.",
                "Write a field as 'NAME: VALUE', and begin every further line of a value with a space.")
        case .changedMeanwhile(let secret):
            Words(
                "changedMeanwhile", .failed, "The \(secret.name) was changed elsewhere meanwhile, so what you saved wasn't kept.",
                "Run the command again.")

        case .noDisplay:
            Words(
                "noClipboard", .failed, "There is no desktop session here, and so no clipboard.",
                "Run the command in a terminal of your desktop session.")
        case .noClipboardTool(let packages):
            Words(
                "noClipboard", .failed, "No program that is installed here puts text on the clipboard.",
                "Install the package \(packages).")
        case .notForClipboard(let secret):
            Words("notText", .failed, "The \(secret.name) isn't text that could be pasted.", "Use --output FILE or a pipe.")
        case .clipboardFailed:
            Words(
                "clipboardFailed", .failed, "The clipboard could not be taken.",
                "Check that DISPLAY or WAYLAND_DISPLAY names your session's display.")
        case .keptNotCopied(let kept, let reference):
            Words(
                "clipboardFailed", .failed, "\(kept.text) But the clipboard could not be taken.",
                "Run 'thumbturn secret get \(reference.shortest) --clipboard' to try that again.")
        case .clipboardOnDisk(let hasX11):
            Words(
                "clipboardOnDisk", .failed,
                "The wl-copy that is installed here would write the secret to the disk, into a file below /tmp.",
                hasX11
                    ? "Install the package xclip or xsel."
                    : "Mount a tmpfs on /tmp, or install a version of wl-clipboard that is later than 2.2.1.")
        }
    }
}
