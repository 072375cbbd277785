import CThumbLinux
import ThumbLoop
public import ThumbSSHAgent
import ThumbSecrets
import ThumbSystem

/// The agent: serves connections of its own user. Each has a thread, because each may be waiting for a finger.
public final class AgentServer: Sendable {
    private let log: @Sendable (String) -> Void
    private let keyring: any SSHKeyring
    private let hosts: HostNames
    private let secondsForFrame: Int
    private let places = Locked(AgentPlaces())
    /// Each connection that ends writes to this.
    private let ended = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))

    /// - Parameters:
    ///   - hosts: Finds the names of hosts that the owner reads.
    ///   - log: Takes a line about each refusal and its reason.
    public init(
        _ keyring: any SSHKeyring, hosts: HostNames = HostNames(), secondsForFrame: Int = AgentLimit.secondsForFrame,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.keyring = keyring
        self.hosts = hosts
        self.secondsForFrame = secondsForFrame
        self.log = log
    }

    deinit { close(ended) }

    /// Serves until there is something to read at `stop`, then ends all connections.
    public func serve(_ listener: Int32, until stop: Int32) {
        var hasRoom = true
        while true {
            var waits = [stop, ended, hasRoom ? listener : -1].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            if unsafe poll(&waits, 3, -1) < 0 { continue }
            if waits[0].revents != 0 { break }
            if waits[1].revents != 0 {
                var count: eventfd_t = 0
                unsafe eventfd_read(ended, &count)
                hasRoom = true
            }
            if waits[2].revents != 0 { hasRoom = take(listener) }
        }
        // Under the lock, where none of them can be closed and its number given to another.
        places.withLock { for fd in $0.open { shutdown(fd, Int32(SHUT_RDWR)) } }
        while !places.withLock({ $0.open.isEmpty }) {
            var wait = pollfd(fd: ended, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&wait, 1, -1)
            var count: eventfd_t = 0
            unsafe eventfd_read(ended, &count)
        }
    }

    /// Accepts one connection. Returns false if this process has no descriptor left for it and must wait until an open connection ends.
    private func take(_ listener: Int32) -> Bool {
        guard let fd = UnixSocket.accept(listener, waiting: false) else {
            return !SystemError.last.isWantOfDescriptors || places.withLock { $0.open.isEmpty }
        }
        // The peer is known before a byte is read.
        guard let peer = AgentPeer(of: fd) else {
            close(fd)
            return true
        }
        let entry = places.withLock { places in
            let entry = places.enter(fd, of: peer.pid)
            // Its thread notices that, and closes it.
            if case .inPlace(let other) = entry { shutdown(other, Int32(SHUT_RDWR)) }
            return entry
        }
        if entry == .refused {
            log("refused process \(peer.pid): there are \(AgentLimit.connections) connections already")
            close(fd)
            return true
        }
        let conversation = AgentConversation(AgentStream(fd, secondsForFrame: secondsForFrame), peer, keyring, hosts, log)
        let isStarted = AgentThread.start { [self] in
            conversation.run(begin: { places.withLock { $0.begin(fd) } }, rest: { places.withLock { $0.rest(fd) } })
            end(fd)
        }
        if !isStarted { end(fd) }
        return true
    }

    private func end(_ fd: Int32) {
        // Closed under the lock, because another connection may get the same number right afterwards.
        places.withLock { places in
            places.leave(fd)
            close(fd)
        }
        eventfd_write(ended, 1)
    }
}
