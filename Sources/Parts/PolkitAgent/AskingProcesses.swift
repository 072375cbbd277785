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
    ///   - isVouchedFor: whether root, or the action's owner, has polkit ask. Any program can become one of root's later, as by starting su.
    init(caller: Int32?, subject: Int32?, isVouchedFor: Bool) {
        guard let caller, let acting = ProcessFolder(of: caller), let users = acting.users() else {
            self.init(isKnown: false)
            return
        }
        guard users.real != 0, users.effective == 0 else {
            guard let subject, let asking = ProcessFolder(of: subject), let line = Line(asking) else {
                self.init(isKnown: false)
                return
            }
            self.init(asker: line.text, isKnown: line.isExact)
            return
        }
        guard isVouchedFor, let line = Line(acting) else {
            self.init(isKnown: false)
            return
        }
        self.init(command: line.text, isKnown: line.isExact)
    }

    /// A process's arguments in one line. Those that have blanks, or nothing at all, stand in quotation marks.
    private struct Line {
        let text: String
        /// Whether no argument has such a mark itself, with which it could pass for several.
        let isExact: Bool

        init?(_ process: borrowing ProcessFolder) {
            guard let arguments = process.arguments(), !arguments.isEmpty else { return nil }
            var words: [String] = []
            for argument in arguments {
                guard let text = String(validating: argument, as: UTF8.self) else { return nil }
                words.append(text)
            }
            isExact = !words.contains { $0.contains("'") }
            text = words.map { $0.isEmpty || $0.contains(where: \.isWhitespace) ? "'\($0)'" : $0 }.joined(separator: " ")
        }
    }
}
