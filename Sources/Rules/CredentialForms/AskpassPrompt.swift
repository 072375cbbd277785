/// What a program of OpenSSH's asks a program that `SSH_ASKPASS` names, in one text that is meant for people.
///
/// Only what is known is answered, and whole prompts alone are: a server can choose what some of them say, and would get what it asks for.
public enum AskpassPrompt: Sendable, Hashable {
    /// The passphrase of the private key in that file.
    case passphrase(file: String)
    /// The same once more, because the one that was given is wrong.
    case wrongPassphrase(file: String)
    /// sudo wants the password of an account.
    case sudo
    /// Something else.
    case unknown

    /// How the prompts of ssh and ssh-add for a key's passphrase begin. The quoted one is ssh's.
    private static let keys = ["Enter passphrase for key '", "Enter passphrase for "]
    private static let again = ["Bad passphrase, try again for "]
    /// What ssh-add says behind a key's file.
    private static let remarks = [" (will confirm each use)"]

    /// Reads a prompt.
    public init(_ prompt: String) {
        guard prompt.utf8.count <= FormLimit.textBytes else {
            self = .unknown
            return
        }
        if prompt.hasPrefix("[sudo") {
            self = .sudo
        } else if let file = Self.file(in: prompt, after: Self.keys) {
            self = .passphrase(file: file)
        } else if let file = Self.file(in: prompt, after: Self.again) {
            self = .wrongPassphrase(file: file)
        } else {
            self = .unknown
        }
    }

    private static func file(in prompt: String, after heads: [String]) -> String? {
        guard let head = heads.first(where: { prompt.hasPrefix($0) }), prompt.hasSuffix(": ") else { return nil }
        var file = prompt.dropFirst(head.count).dropLast(2)
        if head.hasSuffix("'") {
            guard file.hasSuffix("'") else { return nil }
            file = file.dropLast()
        }
        for remark in remarks where file.hasSuffix(remark) { file = file.dropLast(remark.count) }
        guard !file.isEmpty, !file.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else { return nil }
        return String(file)
    }
}
