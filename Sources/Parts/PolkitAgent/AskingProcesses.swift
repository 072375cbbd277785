import ThumbAccess
import ThumbPeers

/// Who has polkit ask, from the two process numbers that polkit gives its agents: the program that will act, and the one it acts for.
///
/// All that polkit tells an agent about what will be done is the action's message. The message of pkexec's action doesn't name the command's
/// arguments.
struct AskingProcesses: Sendable, Equatable {
    /// What a program of root's was told to do by the user who started it, as pkexec was. Nobody but root can change that any more.
    var command: String?
    /// What the asking program was started with, if a service acts for it. It can say what it likes there.
    var asker: String?
    /// Whether all that could be known is known.
    var isKnown: Bool

    init(command: String? = nil, asker: String? = nil, isKnown: Bool) {
        (self.command, self.asker, self.isKnown) = (command, asker, isKnown)
    }

    /// - Parameters:
    ///   - caller: the process that will act.
    ///   - subject: the process that it acts for.
    init(caller: Int32?, subject: Int32?) {
        guard let caller, let acting = ProcessFolder(of: caller), let users = acting.users() else {
            self.init(isKnown: false)
            return
        }
        guard users.real != 0, users.effective == 0 else {
            var asker: String?
            if let subject, let asking = ProcessFolder(of: subject) { asker = Self.line(asking) }
            self.init(asker: asker, isKnown: asker != nil)
            return
        }
        let command = Self.line(acting)
        self.init(command: command, isKnown: command != nil)
    }

    /// Its arguments in one line. Those that have blanks, or nothing at all, stand in quotation marks.
    private static func line(_ process: borrowing ProcessFolder) -> String? {
        guard let arguments = process.arguments(), !arguments.isEmpty else { return nil }
        var words: [String] = []
        for argument in arguments {
            guard let text = String(validating: argument, as: UTF8.self) else { return nil }
            words.append(text.isEmpty || text.contains(where: \.isWhitespace) ? "'\(text)'" : text)
        }
        return words.joined(separator: " ")
    }
}
