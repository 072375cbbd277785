public import ThumbAccess
public import ThumbConversation
internal import ThumbLoop
internal import ThumbSecrets

/// The connection of a prompt, or of an agent, to the daemon.
public final class Link {
    public let fd: Int32
    private var frames = FrameReader(least: WireLimit.headBytes, limit: WireLimit.frame)
    /// False when the daemon is gone.
    public private(set) var isOpen = true

    /// Takes a ticket to the daemon; nil if the ticket isn't good or nobody listens. What to show comes later, when it is this
    /// prompt's turn.
    ///
    /// - Parameter surface: what the prompt draws on; nil if it can't tell.
    public convenience init?(_ ticket: Ticket, surface: PromptSurface?) {
        guard case .success(let fd) = UnixSocket.connect(to: ticket.socket) else { return nil }
        self.init(fd, Hello(role: .prompt, ticket: ticket.ticket, surface: surface))
    }

    /// Says hello on a new connection, and closes that at its own end; nil if the daemon doesn't welcome us.
    public init?(_ fd: Int32, _ hello: Hello) {
        self.fd = fd
        // A listener that doesn't answer must not hold a window up for ever.
        UnixSocket.limitReading(fd, seconds: WireLimit.secondsForHello)
        guard tell(.hello(hello)) else { return nil }
        guard case .welcome? = next(waiting: true) else { return nil }
    }

    deinit { UnixSocket.close(fd) }

    /// False when the daemon is gone.
    public func tell(_ request: Request) -> Bool {
        let encoded = request.frame(call: 1)
        var frame = OutgoingFrame(plain: encoded.plain, secrets: encoded.secrets)
        return frame.send(to: fd, waiting: true) == .sent
    }

    /// The daemon's next message; nil if there is none now, or never again (`isOpen` tells which).
    public func next(waiting: Bool) -> Answer? {
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
