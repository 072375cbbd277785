import ThumbAccess
import ThumbCredentialForms

/// Why a tool doesn't get what it asked its helper for.
enum HelperFailure: Sendable {
    /// What the tool sent.
    case notUnderstood(FormRefusal, from: String)
    /// The tool's protocol has no room for the secret.
    case notOneLine(Thing, tool: String)
    case notText(Thing, tool: String)
    case fieldsNeeded(Thing, [String], tool: String)
    case unknownOperation(tool: String)
    /// A terminal is needed to type something that standard input can't have.
    case noTerminal

    // Files of age.
    case keyNotForAge(Thing)
    case notAnAgeKey
    case noAgeKey
    case notWrapped

    // What ssh and others ask in words for people.
    case sudo
    case promptNotAnswered
    case passphraseWrong(Thing)

    var words: Words {
        switch self {
        case .notUnderstood(.noMemory, from: _): Failure.noLockedMemory.words
        case .notUnderstood(let refusal, let tool):
            Words(
                "notUnderstood", .input, "What \(tool) sent \(refusal.reason).",
                "Check that \(tool) itself starts this helper, and not a person or another program.")
        case .notOneLine(let secret, let tool):
            Words(
                "notText", .failed, "The \(secret.name) isn't one line of text, which is all that \(tool) can take.",
                "Run 'thumbturn secret edit' to make it one.")
        case .notText(let secret, let tool):
            Words(
                "notText", .failed, "The \(secret.name) isn't text in UTF-8, which is all that \(tool) can take.",
                "Keep it as text with 'thumbturn secret add --replace'.")
        case .fieldsNeeded(let secret, let fields, let tool):
            Words(
                "noField", .notFound,
                "The \(secret.name) has no fields, and \(tool) needs "
                    + "\(fields.joined(separator: " and ")).",
                "Keep it anew with 'thumbturn secret add --replace\(fields.map { " --field \($0)" }.joined())'.")
        case .unknownOperation(let tool):
            Words(
                "unknownOperation", .failed, "This version of Thumbturn doesn't know what \(tool) asked for.",
                "Install a later version, or use what \(tool) keeps without a helper.")
        case .noTerminal:
            Words(
                "noTerminal", .couldNotAsk, "There is no terminal to type in.",
                "Run the command in a terminal, or keep the secret with 'thumbturn secret add'.")
        case .keyNotForAge(let key):
            Words(
                "wrongKey", .failed, "The \(key.name) isn't a P-256 key, and files of age take no other.",
                "Run 'thumbturn key create NAME' to make one.")
        case .notAnAgeKey:
            Words(
                "wrongKey", .failed, "This isn't a recipient or an identity that 'thumbturn helper age' printed.",
                "Copy it again, all of it.")
        case .noAgeKey:
            Words(
                "itemNotFound", .notFound, "The key of this identity isn't on this device, or was removed.",
                "Decrypt on the device that made it, or with another of the file's recipients.")
        case .notWrapped:
            Words(
                "notEncrypted", .failed, "The file's key could not be encrypted.",
                "Close programs that you don't need, and try again.")

        case .sudo:
            Words(
                "refused", .failed,
                "No password is given to sudo: you would say yes to a command that the question doesn't name.",
                "Type your password at sudo's own prompt, or let your fingers through PAM, where sudo asks itself.")
        case .promptNotAnswered:
            Words(
                "refused", .failed, "Only the passphrase of a private key is given to ssh, and this isn't its question.",
                "Answer it yourself: run the command once in a terminal, without SSH_ASKPASS.")
        case .passphraseWrong(let secret):
            Words(
                "wrongPassphrase", .failed, "The \(secret.name) isn't the passphrase of that key.",
                "Run 'thumbturn secret add' with its name and --replace to keep the right one.")
        }
    }
}

extension FormRefusal {
    /// What is wrong with what was sent, to be used after it.
    fileprivate var reason: String {
        switch self {
        case .malformed: "doesn't have the form of its protocol"
        case .incomplete: "lacks a part that its protocol demands"
        case .unspeakable: "has characters that its protocol has no place for"
        case .tooLong: "is longer than anything that it would send"
        case .noMemory: "could not be held in locked memory"
        }
    }
}
