import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbLoop
import ThumbSecrets

/// A judge of passwords at the other end of a connection: it may ask more, and it has the last word. One that says nothing for long has
/// judged nothing, so that a stopped process doesn't hold the screen.
@OnLoop final class RelayedPassword {
    private let seconds: Double
    private let reply: (HelperReply) -> Void
    private let send: (SecretBytes) -> Void
    private var asking: ((AccountQuestion, @escaping (SecretBytes?) -> Void) -> Void)?
    private var answer: ((AccountVerdict) -> Void)?
    private var timer: LoopTimer?

    /// - Parameters:
    ///   - seconds: how long it may take to say something.
    ///   - reply: brings it what was typed for its question.
    ///   - send: brings it a password.
    init(
        within seconds: Double = WireLimit.secondsForHelper, reply: @escaping (HelperReply) -> Void,
        send: @escaping (SecretBytes) -> Void
    ) {
        (self.seconds, self.reply, self.send) = (seconds, reply, send)
    }

    func asks(_ question: AccountQuestion) {
        guard let asking else { return }
        // A person may take as long as they like. When the prompt ends, so does the waiting.
        timer?.cancel()
        asking(question) { [weak self] typed in
            // Nobody answers: the question is over, and its end tells the one who asked.
            guard let self, let typed, answer != nil else { return }
            reply(HelperReply(typed))
            wait()
        }
    }

    func says(_ verdict: AccountVerdict) {
        let answer = answer
        (self.answer, asking) = (nil, nil)
        timer?.cancel()
        answer?(verdict)
    }

    private func wait() {
        timer?.cancel()
        timer = EventLoop.shared.after(seconds) { [weak self] in self?.says(.unavailable) }
    }
}

extension RelayedPassword: @OnLoop AccountPassword {
    func check(
        _ password: SecretBytes, asking: @escaping (AccountQuestion, @escaping (SecretBytes?) -> Void) -> Void,
        _ answer: @escaping (AccountVerdict) -> Void
    ) {
        (self.asking, self.answer) = (asking, answer)
        send(password)
        wait()
    }
}
