public import ThumbAccess
public import ThumbConversation
import ThumbLoop
import ThumbSecrets

/// The connection of a prompt, or of an agent, to the daemon.
public final class Link {
    public let fd: Int32
    private var frames = FrameReader(least: WireLimit.headBytes, limit: WireLimit.frame)
    /// False once the daemon is gone.
    public private(set) var isOpen = true

    /// Takes a ticket to the daemon; nil if the ticket isn't good or nobody listens. What to show comes later, on this prompt's turn.
    ///
    /// - Parameter surface: what the prompt draws on; nil if it can't tell.
    public convenience init?(_ ticket: Ticket, surface: PromptSurface?) {
        guard case .success(let fd) = UnixSocket.connect(to: ticket.socket) else { return nil }
        self.init(fd, Hello(role: .prompt, ticket: ticket.ticket, surface: surface))
    }

    /// Says hello on a new connection, and closes it when this object ends; nil if the daemon doesn't welcome us.
    public init?(_ fd: Int32, _ hello: Hello) {
        self.fd = fd
        // A listener that doesn't answer must not hold a window up for ever.
        UnixSocket.limitReading(fd, seconds: WireLimit.secondsForHello)
        guard tell(hello), next(waiting: true)?.kind == .welcome else { return nil }
    }

    deinit { UnixSocket.close(fd) }

    /// False once the daemon is gone.
    public func tell(_ word: some Word) -> Bool {
        let encoded = word.frame(call: 1)
        var frame = OutgoingFrame(plain: encoded.plain, secrets: encoded.secrets)
        return frame.send(to: fd, waiting: true) == .sent
    }

    /// The next thing that the daemon says to a prompt; nil if there is nothing now, or never again (`isOpen` tells which). A refusal
    /// counts as the end: the connection closes after it anyway.
    public func order() -> ToPrompt? {
        guard let frame = next(waiting: false), frame.kind != .refused else { return nil }
        guard let order = try? ToPrompt(frame) else {
            isOpen = false
            return nil
        }
        return order
    }

    /// The daemon's next frame; nil as above.
    public func next(waiting: Bool) -> Frame? {
        switch frames.read(from: fd, waiting: waiting) {
        case .frame(let body):
            guard let frame = try? Frame(body) else {
                isOpen = false
                return nil
            }
            return frame
        case .later: return nil
        case .closed, .badLength, .noRoom, .failed:
            isOpen = false
            return nil
        }
    }
}
