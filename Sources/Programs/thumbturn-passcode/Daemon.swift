import CThumbLinux
import ThumbAccess
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import ThumbSystem

/// The daemon at the other end of descriptor 0. When it goes, so does this process, whatever a module is doing.
final class Daemon {
    private let fd: Int32
    private let uid: UInt32
    /// For whom system mode's front has said that the conversation is: who goes on with it can ask about nobody else.
    private var served: UInt32?
    private var hasBegun = false
    /// Seconds that the daemon may take for its question: it connects when it has one. A person's answers take longer.
    private static let secondsForQuestion = 5.0
    private var frames = FrameReader(least: WireLimit.headBytes, limit: WireLimit.helperFrame)

    /// nil unless it is a socket whose other end is root's or this user's own.
    init?(fd: Int32) {
        guard let peer = UnixSocket.peer(of: fd), peer.uid == 0 || peer.uid == getuid() else { return nil }
        self.fd = fd
        uid = peer.uid
        UnixSocket.limitReading(fd, seconds: Self.secondsForQuestion)
        Self.endWithPeer(fd)
    }

    /// The next word; nil where there is none, or it concerns an account that isn't the daemon's to ask about.
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

    /// Takes root's word for whose conversation it is, before any other, and goes on to the next.
    private func serve(_ said: Serve) -> ToHelper? {
        guard uid == 0, !hasBegun else { return nil }
        (served, hasBegun) = (said.uid, true)
        return next()
    }

    /// Has the person asked; nil where nobody answers.
    func ask(_ question: AccountQuestion) -> SecretBytes? {
        guard tell(question), case .reply(let reply)? = next() else { return nil }
        return reply.typed
    }

    /// False when the daemon is gone.
    func tell(_ word: some Word) -> Bool {
        let encoded = word.frame(call: 1)
        var frame = OutgoingFrame(plain: encoded.plain, secrets: encoded.secrets)
        return frame.send(to: fd, waiting: true) == .sent
    }

    /// A thread that waits for nothing but the other end's end: a module may be waiting for a camera or a server.
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
