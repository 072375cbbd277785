import ThumbConversation
import ThumbLoop
import ThumbSecrets

/// A device's connection to the reader's broker, on the loop.
@OnLoop final class ReaderWire {
    private let fd: Int32
    private var frames = FrameReader(least: WireLimit.headBytes, limit: WireLimit.brokerFrame)
    private var watch: Watch?
    private var lastCall: UInt32 = 0
    private let hears: (FromReader, UInt32) -> Void
    private let onLoss: () -> Void

    /// - Parameters:
    ///   - hears: called with each word and the call that it answers.
    ///   - onLoss: called once, when the other end goes away or says something that it shouldn't.
    init(_ fd: Int32, hears: @escaping (FromReader, UInt32) -> Void, onLoss: @escaping () -> Void) {
        (self.fd, self.hears, self.onLoss) = (fd, hears, onLoss)
        watch = Watch(fd, .readable) { [weak self] _ in self?.read() }
    }

    deinit {
        guard let watch else { return }
        let fd = fd
        // The last reference may be released on another thread.
        EventLoop.shared.post {
            watch.remove()
            UnixSocket.close(fd)
        }
    }

    /// Sends a word and returns its call's number. A frame is far smaller than a socket's buffer. If it can't be sent at once, nobody
    /// reads.
    @discardableResult
    func tell(_ word: some Word) -> UInt32 {
        lastCall &+= 1
        let encoded = word.frame(call: lastCall)
        var frame = OutgoingFrame(plain: encoded.plain, secrets: encoded.secrets)
        // The loss is reported later, once the caller has noted the call's number.
        if watch != nil, frame.send(to: fd, waiting: false) != .sent { EventLoop.shared.post { [weak self] in self?.lose() } }
        return lastCall
    }

    /// Closes it. Nothing more is reported.
    func close() {
        guard let watch else { return }
        watch.remove()
        self.watch = nil
        UnixSocket.close(fd)
    }

    private func lose() {
        guard watch != nil else { return }
        close()
        onLoss()
    }

    private func read() {
        switch frames.read(from: fd, waiting: false) {
        case .later: return
        case .frame(let body):
            do throws(Refusal) {
                let frame = try Frame(body)
                hears(try FromReader(frame), frame.call)
            } catch {  // A refusal, or a word that no broker says: nothing better will come.
                lose()
            }
        case .closed, .badLength, .noRoom, .failed: lose()
        }
    }
}
