import ThumbConversation
import ThumbLoop

/// A login that hasn't said yet whose device it wants. It says nothing else until it is answered, so this never reads beyond that word.
@OnLoop final class LoginWait {
    private let connection: Int32
    private var frames = FrameReader(least: WireLimit.headBytes, limit: WireLimit.frameBeforeWelcome)
    private var watch: Watch?
    private var timer: LoopTimer?
    private let known: (LoginWait, UInt32?) -> Void

    /// - Parameter known: called once, with the user whose device it wants; nil if it said something else or nothing.
    init(_ connection: Int32, _ known: @escaping (LoginWait, UInt32?) -> Void) {
        self.connection = connection
        self.known = known
        watch = Watch(connection, .readable) { [weak self] _ in self?.read() }
        timer = EventLoop.shared.after(WireLimit.secondsForHello) { [weak self] in self?.end(nil) }
    }

    private func read() {
        switch frames.read(from: connection, waiting: false) {
        case .later: break
        case .frame(let body):
            // A login gets no device, for whatever reason its word can't be read.
            guard !frames.hasAhead, let frame = try? Frame(body), let said = try? frame.word(Whose.self) else { return end(nil) }
            var answer = OutgoingFrame(plain: Done().frame(call: frame.call).plain, secrets: [])
            end(answer.send(to: connection, waiting: false) == .sent ? said.uid : nil)
        case .closed, .badLength, .noRoom, .failed: end(nil)
        }
    }

    private func end(_ uid: UInt32?) {
        timer?.cancel()
        watch?.remove()
        watch = nil
        known(self, uid)
    }
}
