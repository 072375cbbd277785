internal import ThumbConversation
internal import ThumbLoop
internal import ThumbSecrets

/// The prompt's own connection to the daemon.
final class Link {
    let fd: Int32
    private var frames = FrameReader(least: WireLimit.headBytes, limit: WireLimit.frame)

    init?(_ ticket: Ticket) {
        guard case .success(let fd) = UnixSocket.connect(to: ticket.socket) else { return nil }
        self.fd = fd
        guard tell(.hello(Hello(role: .prompt, ticket: ticket.ticket))) else { return nil }
        guard case .welcome? = next(waiting: true) else { return nil }
    }

    deinit { UnixSocket.close(fd) }

    /// False when the daemon is gone.
    func tell(_ request: Request) -> Bool {
        let encoded = request.frame(call: 1)
        var frame = OutgoingFrame(plain: encoded.plain, secrets: encoded.secrets)
        return frame.send(to: fd, waiting: true) == .sent
    }

    private(set) var isOpen = true

    /// The daemon's next word; nil when there is none now, or never again (`isOpen` tells).
    func next(waiting: Bool) -> Answer? {
        switch frames.read(from: fd, waiting: waiting) {
        case .frame(let body):
            guard let (_, answer) = try? Answer.read(body) else {
                isOpen = false
                return nil
            }
            return answer
        case .later: return nil
        case .closed, .badLength, .noRoom, .failed:
            isOpen = false
            return nil
        }
    }
}
