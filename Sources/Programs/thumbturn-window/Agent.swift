import CThumbGTK
import CThumbLinux
import ThumbClient
import ThumbConversation
import ThumbLoop
import ThumbPrompting

/// The window as its session's agent. It takes tickets from the daemon that it is registered with, and from programs of its own user.
///
/// It registers whenever there is a daemon, but starts none. If the daemon has ended, it finds the new one with the next ticket.
final class Agent {
    private let desk: Desk
    private let socket: String
    private let owners: Set<UInt32>
    private var link: Link?
    private var source: guint = 0
    private var idle: guint = 0
    private let isActivated: Bool

    /// If the user's manager can start it again, the agent ends after this many seconds without a window.
    private static let idleSeconds: guint = 60
    /// Longest wait, in milliseconds, for a connected program to hand over its ticket.
    private static let patience: Int32 = 2000

    /// - Parameters:
    ///   - owners: the users who may listen at the daemon's socket.
    ///   - listener: where programs hand over tickets; nil if no manager listens there.
    init(_ desk: Desk, socket: String, owners: Set<UInt32>, listener: Int32?) {
        self.desk = desk
        self.socket = socket
        self.owners = owners
        isActivated = listener != nil
        desk.onEmpty = { [unowned self] in startIdle() }
        if let listener {
            _ = Self.watch(listener, self) { agent, fd in agent.accept(fd) }
        }
        register()
        startIdle()
    }

    // MARK: The daemon

    private func register() {
        guard link == nil, case .success(let fd) = UnixSocket.connect(to: socket) else { return }
        guard let peer = UnixSocket.peer(of: fd), owners.contains(peer.uid) else { return UnixSocket.close(fd) }
        guard let new = Link(fd, Hello(role: .agent)) else { return }
        link = new
        source = Self.watch(new.fd, self) { agent, _ in agent.hear() }
    }

    private func hear() {
        while let frame = link?.next(waiting: false) {
            guard let ticket = try? frame.word(PromptWanted.self).ticket else { continue }
            if !show(ticket) { _ = link?.tell(PromptUnavailable(ticket: ticket)) }
        }
        guard link?.isOpen == false else { return }
        g_source_remove(source)
        link = nil
    }

    private func show(_ ticket: [UInt8]) -> Bool {
        guard desk.show(Ticket(ticket: ticket, socket: socket)) else { return false }
        if idle != 0 { g_source_remove(idle) }
        idle = 0
        return true
    }

    // MARK: Programs

    /// Takes one ticket from one program: 32 bytes, answered with one byte that says whether it is shown.
    private func accept(_ listener: Int32) {
        guard let fd = UnixSocket.accept(listener, waiting: false) else { return }
        defer { UnixSocket.close(fd) }
        guard let peer = UnixSocket.peer(of: fd), peer.uid == getuid() else { return }
        var wait = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
        var ticket = [UInt8](repeating: 0, count: WireLimit.ticketBytes)
        guard unsafe poll(&wait, 1, Self.patience) == 1,
            unsafe recv(fd, &ticket, ticket.count, Int32(MSG_DONTWAIT)) == ticket.count
        else { return }
        let answer: [UInt8] = [show(ticket) ? 1 : 0]
        unsafe send(fd, answer, 1, Int32(MSG_NOSIGNAL))
        // There is a daemon now. Once registered, the agent gets the next ticket from it directly.
        register()
    }

    // MARK: The end

    private func startIdle() {
        guard isActivated, idle == 0 else { return }
        idle = unsafe g_timeout_add_seconds(
            Self.idleSeconds,
            { own in
                guard let own = unsafe own else { return 0 }
                let agent = unsafe Unmanaged<Agent>.fromOpaque(own).takeUnretainedValue()
                agent.idle = 0
                if agent.desk.isEmpty { agent.desk.quit() }
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// The function that a descriptor's readiness calls. It is kept as long as the program runs; there are two of these.
    private final class Listener {
        let agent: Agent
        let ready: (Agent, Int32) -> Void

        init(_ agent: Agent, _ ready: @escaping (Agent, Int32) -> Void) {
            self.agent = agent
            self.ready = ready
        }
    }

    private static func watch(_ fd: Int32, _ agent: Agent, _ ready: @escaping (Agent, Int32) -> Void) -> guint {
        unsafe g_unix_fd_add_full(
            G_PRIORITY_DEFAULT, fd, GIOCondition(G_IO_IN.rawValue | G_IO_HUP.rawValue | G_IO_ERR.rawValue),
            { fd, _, own in
                guard let own = unsafe own else { return 0 }
                let listener = unsafe Unmanaged<Listener>.fromOpaque(own).takeUnretainedValue()
                listener.ready(listener.agent, fd)
                return 1
            }, Unmanaged.passRetained(Listener(agent, ready)).toOpaque(),
            { own in if let own = unsafe own { unsafe Unmanaged<Listener>.fromOpaque(own).release() } })
    }
}
