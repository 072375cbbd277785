import ThumbAccess
import ThumbPeers

/// Who has polkit ask, from the two process numbers that polkit gives its agents: the program that will act, and the one it acts for.
///
/// All that polkit tells an agent about what will be done is the action's message. The message of pkexec's action doesn't name the command's
/// arguments.
struct AskingProcesses: Sendable, Equatable {
    /// What pkexec was told to run by the user who started it. Nobody but root can change that any more.
    var command: String?
    /// What the asking program was started with, or one of root's that it started. It can say what it likes there.
    var asker: String?
    /// Whether all that could be known is known.
    var isKnown: Bool

    init(command: String? = nil, asker: String? = nil, isKnown: Bool) {
        (self.command, self.asker, self.isKnown) = (command, asker, isKnown)
    }

    /// - Parameters:
    ///   - caller: the process that will act.
    ///   - subject: the process that it acts for.
    ///   - message: polkit's message, if it is about a program that root will run; otherwise nil. Polkit takes that program's path from root
    ///     alone, and any program that asks can become one of root's later, as by starting su.
    init(caller: Int32?, subject: Int32?, message: String?) {
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
        guard let line = Line(acting) else {
            self.init(isKnown: false)
            return
        }
        guard let message else {
            self.init(asker: line.text, isKnown: line.isExact)
            return
        }
        let isNamed = line.isNamed(in: message)
        self.init(command: isNamed ? line.text : nil, isKnown: isNamed && line.isExact)
    }

    /// A process's arguments in one line. Those that have blanks, or nothing at all, stand in quotation marks.
    private struct Line {
        let text: String
        private let words: [String]
        /// Whether no argument has such a mark itself, with which it could pass for several.
        let isExact: Bool

        init?(_ process: borrowing ProcessFolder) {
            guard let arguments = process.arguments(), !arguments.isEmpty else { return nil }
            var words: [String] = []
            for argument in arguments {
                guard let text = String(validating: argument, as: UTF8.self) else { return nil }
                words.append(text)
            }
            self.words = words
            isExact = !words.contains { $0.contains("'") }
            text = words.map { $0.isEmpty || $0.contains(where: \.isWhitespace) ? "'\($0)'" : $0 }.joined(separator: " ")
        }

        /// Whether the message has a path that ends in the name of an argument's file.
        func isNamed(in message: String) -> Bool {
            let ends = message.split(separator: "/").dropFirst()
            return words.dropFirst().contains { word in
                guard let name = word.split(separator: "/").last else { return false }
                return ends.contains { end in
                    guard end.hasPrefix(name) else { return false }
                    // A mark or a blank ends the path.
                    return end.dropFirst(name.count).first.map { !$0.isLetter && !$0.isNumber } ?? true
                }
            }
        }
    }
}
