public import ThumbConversation
public import ThumbLoop
import ThumbSecrets

/// One connection to a broker. It serves nobody until the front has said `serve`, then one user for good.
@OnLoop public final class BrokerConnection {
    private let fd: Int32
    private var frames = FrameReader(least: WireLimit.headBytes, limit: WireLimit.brokerFrame)
    private var watch: Watch?
    private var timer: LoopTimer?
    private let isWelcome: (UInt32) -> Bool
    /// Gets each frame that comes after `serve`.
    var hears: (Frame) throws(Refusal) -> Void = { (_: Frame) throws(Refusal) in throw .notAllowedInThisRole }
    /// Called once, when either side has closed it.
    var onEnd: () -> Void = {}

    /// The user it serves; nil until the front has said so.
    public private(set) var uid: UInt32?

    /// - Parameters:
    ///   - patience: the seconds that the front has to name the user.
    ///   - isWelcome: whether this user may have one more connection.
    init(_ fd: Int32, _ patience: Double, isWelcome: @escaping (UInt32) -> Bool) {
        self.fd = fd
        self.isWelcome = isWelcome
        // The watch keeps this object alive until it is closed.
        watch = Watch(fd, .readable) { ready in self.turn(ready) }
        timer = EventLoop.shared.after(patience) { [weak self] in self?.refuse(.helloExpected, 0) }
    }

    /// Whether it hasn't been closed yet.
    public var isOpen: Bool { watch != nil }

    /// Reads nothing more until `resume`. What its device says meanwhile waits in the socket.
    public func pause() { watch?.change(to: []) }

    /// Reads again.
    public func resume() { watch?.change(to: .readable) }

    /// Sends a word that answers a call of the device's. A broker's frames are far smaller than a socket's buffer. A device that leaves the
    /// buffer full doesn't read, and is closed.
    public func send(_ word: some Word, to call: UInt32) {
        guard isOpen else { return }
        let encoded = word.frame(call: call)
        var frame = OutgoingFrame(plain: encoded.plain, secrets: encoded.secrets)
        if frame.send(to: fd, waiting: false) != .sent { close() }
    }

    /// Says why, then closes.
    func refuse(_ why: Refusal, _ call: UInt32) {
        send(why, to: call)
        close()
    }

    func close() {
        guard let watch else { return }
        timer?.cancel()
        watch.remove()
        self.watch = nil
        UnixSocket.close(fd)
        onEnd()
    }

    /// Reads one frame in each turn, so that other connections get theirs in between.
    private func turn(_ ready: Readiness) {
        // The peer hung up while reading was paused, so nobody waits for an answer.
        if watch?.interest == [] { return close() }
        switch frames.read(from: fd, waiting: false) {
        case .later: return
        case .frame(let body): take(body)
        case .badLength: refuse(.tooLarge, 0)
        case .noRoom: refuse(.noRoom, 0)
        case .closed, .failed: close()
        }
    }

    private func take(_ body: SecretBytes) {
        var call: UInt32 = 0
        do throws(Refusal) {
            let frame = try Frame(body)
            call = frame.call
            if uid != nil { return try hears(frame) }
            guard frame.kind == .serve else { throw .helloExpected }
            let served = try frame.word(Serve.self).uid
            guard isWelcome(served) else { throw .tooManyConnections }
            uid = served
            timer?.cancel()
        } catch {
            refuse(error, call)
        }
    }
}
