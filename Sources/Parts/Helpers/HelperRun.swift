import ThumbAccess
import ThumbConversation
import ThumbLoop
import ThumbSecrets

/// One conversation with a helper process: a question, the helper's own questions, a verdict. Anything that goes wrong is *unavailable*.
@OnLoop final class HelperRun {
    private let fd: Int32
    private let asking: (AccountQuestion, @escaping (SecretBytes?) -> Void) -> Void
    private var answer: ((AccountVerdict) -> Void)?
    private var frames = FrameReader(least: WireLimit.headBytes, limit: WireLimit.helperFrame)
    private var watch: Watch?
    private var timer: LoopTimer?

    /// Begins; `answer` is called once, later, unless the run is ended first.
    init(
        _ fd: Int32, _ question: some Word,
        asking: @escaping (AccountQuestion, @escaping (SecretBytes?) -> Void) -> Void,
        _ answer: @escaping (AccountVerdict) -> Void
    ) {
        self.fd = fd
        self.asking = asking
        self.answer = answer
        // The closure keeps this object alive until there is a verdict.
        watch = Watch(fd, .readable) { _ in self.read() }
        wait()
        if !tell(question) { EventLoop.shared.post { self.end(.unavailable) } }
    }

    /// Ends the conversation and with it the helper. There is no answer any more.
    func end() {
        answer = nil
        close()
    }

    private func end(_ verdict: AccountVerdict) {
        let answer = answer
        self.answer = nil
        close()
        answer?(verdict)
    }

    private func close() {
        timer?.cancel()
        guard let watch else { return }
        watch.remove()
        self.watch = nil
        UnixSocket.close(fd)
    }

    private func wait() {
        timer?.cancel()
        timer = EventLoop.shared.after(WireLimit.secondsForHelper) { [weak self] in self?.end(.unavailable) }
    }

    /// A helper's frame is far smaller than a socket's buffer. If it can't be sent at once, nobody reads it.
    private func tell(_ word: some Word) -> Bool {
        let encoded = word.frame(call: 1)
        var frame = OutgoingFrame(plain: encoded.plain, secrets: encoded.secrets)
        return frame.send(to: fd, waiting: false) == .sent
    }

    private func read() {
        while watch != nil {
            switch frames.read(from: fd, waiting: false) {
            case .later: return
            case .frame(let body):
                guard let frame = try? Frame(body), let word = try? FromHelper(frame) else { return end(.unavailable) }
                take(word)
            case .closed, .badLength, .noRoom, .failed: return end(.unavailable)
            }
        }
    }

    private func take(_ word: FromHelper) {
        switch word {
        case .question(let question):
            // A person may take as long as they like. When the prompt ends, so does the waiting.
            timer?.cancel()
            asking(question) { [weak self] reply in
                guard let self, self.watch != nil else { return }
                guard let reply, self.tell(HelperReply(reply)) else { return self.end(.unavailable) }
                self.wait()
            }
        case .verdict(let said):
            guard said.delay > 0 else { return end(said.verdict) }
            // The helper has said everything, so it may end now.
            let answer = answer
            self.answer = nil
            close()
            _ = EventLoop.shared.after(min(said.delay, WireLimit.secondsOfDelay)) { answer?(said.verdict) }
        }
    }
}
