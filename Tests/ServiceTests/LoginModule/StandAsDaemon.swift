import ThumbAccess
import ThumbConversation
import thumbturn_test_login
import thumbturn_test_wire

extension LoginStage.Daemon {
    /// A stand in the daemon's place.
    static func service(_ stand: Stand) -> Self { .serves { fd in stand.onLoop { $0.service.serve(fd, as: .login) } } }

    /// Somebody who greets as a daemon does, and answers the question, which has this number, with such bytes.
    static func judges(_ answer: @escaping @Sendable (_ call: UInt32) -> [UInt8]) -> Self {
        .answers { _, frame in
            guard let frame else { return [] }
            return greeting(frame) ?? answer(frame.call)
        }
    }

    /// Somebody who has the owner asked at the login's own prompt, and is told what that prompt says; nil at its end.
    ///
    /// - Parameter dismisses: whether the prompt is taken away as soon as it is wanted.
    static func asks(dismisses: Bool = false, _ told: @escaping @Sendable (Frame?) -> Void) -> Self {
        .answers { role, frame in
            guard let frame else {
                if role == .prompt { told(nil) }
                return []
            }
            let words = greeting(frame) ?? []
            switch (role, frame.kind) {
            case (.prompt?, .hello):
                let content = PromptContent(program: ProgramWords(), words: PromptWords(ours: "log in"), listening: .touchID)
                let end = dismisses ? PromptEnding.cancelled.frame(call: frame.call).bytes : []
                return words + content.frame(call: frame.call).bytes + end
            case (.prompt?, _):
                told(frame)
                return []
            case (_, .askOwner):
                return PromptNeeded(ticket: [UInt8](repeating: 7, count: WireLimit.ticketBytes)).frame(call: frame.call).bytes
            default: return words
            }
        }
    }

    private static func greeting(_ frame: Frame) -> [UInt8]? {
        switch frame.kind {
        case .whose: Done().frame(call: frame.call).bytes
        case .hello: Welcome(mode: .system).frame(call: frame.call).bytes
        default: nil
        }
    }
}
