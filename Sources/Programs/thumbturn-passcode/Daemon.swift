import CThumbLinux
import ThumbAccess
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import ThumbSystem

/// The daemon at the other end of descriptor 0. When it goes away this process ends, whatever a module is doing.
final class Daemon {
    private let fd: Int32
    private let uid: UInt32
    /// The user that system mode's front named for this conversation. It can ask about nobody else.
    private var served: UInt32?
    private var hasBegun = false
    /// How many seconds the daemon may take to ask: it connects when it has a question. A person's answers may take longer.
    private static let secondsForQuestion = 5.0
    private var frames = FrameReader(least: WireLimit.headBytes, limit: WireLimit.helperFrame)

    /// nil unless it is a socket whose other end belongs to root or to this user.
    init?(fd: Int32) {
        guard let peer = UnixSocket.peer(of: fd), peer.uid == 0 || peer.uid == getuid() else { return nil }
        self.fd = fd
        uid = peer.uid
        UnixSocket.limitReading(fd, seconds: Self.secondsForQuestion)
        Self.endWithPeer(fd)
    }

    /// The next word. nil if there is none, or if it is about an account that the daemon may not ask about.
    func next() -> ToHelper? {
        guard case .frame(let body) = frames.read(from: fd, waiting: true), let frame = try? Frame(body),
            let word = try? ToHelper(frame)
        else { return nil }
        let account: UInt32?
        switch word {
        case .serve(let said): return serve(said)
        case .check(let asked): account = asked.uid
        case .look(let asked): account = asked.uid
        case .reply: account = nil
        }
        hasBegun = true
        UnixSocket.limitReading(fd, seconds: 0)
        return account == nil || account == (served ?? uid) || served == nil && uid == 0 ? word : nil
    }

    /// Root's first word may say which user the conversation is for. This takes it and goes on to the next word.
    private func serve(_ said: Serve) -> ToHelper? {
        guard uid == 0, !hasBegun else { return nil }
        (served, hasBegun) = (said.uid, true)
        return next()
    }

    /// Has the daemon ask the person; nil if nobody answers.
    func ask(_ question: AccountQuestion) -> SecretBytes? {
        guard tell(question), case .reply(let reply)? = next() else { return nil }
        return reply.typed
    }

    /// Returns false if the daemon is gone.
    func tell(_ word: some Word) -> Bool {
        let encoded = word.frame(call: 1)
        var frame = OutgoingFrame(plain: encoded.plain, secrets: encoded.secrets)
        return frame.send(to: fd, waiting: true) == .sent
    }

    /// Starts a thread that only waits for the other end to close, because a module may be waiting for a camera or a server.
    private static func endWithPeer(_ fd: Int32) {
        NamedThread("peer's end") {
            var wait = pollfd(fd: fd, events: thumb_POLLRDHUP, revents: 0)
            _ = uninterrupted { unsafe poll(&wait, 1, -1) }
            Descendants.end()
            _exit(1)
        }.detach()
    }
}

extension SecretBytes {
    var hasZero: Bool { (0..<count).contains { self[$0] == 0 } }
}
