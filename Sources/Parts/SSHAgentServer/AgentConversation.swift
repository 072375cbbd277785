import CThumbLinux
import ThumbSSHAgent

/// One connection to the agent, from its first request to its end, on a thread of its own.
final class AgentConversation: @unchecked Sendable {
    // @unchecked: `session` is touched only by the thread that runs the conversation.
    private let stream: AgentStream
    private let peer: AgentPeer
    private let keyring: any SSHKeyring
    private let hosts: HostNames
    private let log: @Sendable (String) -> Void
    private var session = AgentSession()

    init(
        _ stream: AgentStream, _ peer: AgentPeer, _ keyring: any SSHKeyring, _ hosts: HostNames,
        _ log: @escaping @Sendable (String) -> Void
    ) {
        self.stream = stream
        self.peer = peer
        self.keyring = keyring
        self.hosts = hosts
        self.log = log
    }

    /// - Parameters:
    ///   - begin: Called when a request has come. Returns false if it isn't to be answered any more.
    ///   - rest: Called when it is answered.
    func run(begin: () -> Bool, rest: () -> Void) {
        while let body = stream.read(), begin(), stream.write(reply(to: body).frame) { rest() }
    }

    private func reply(to body: [UInt8]) -> AgentReply {
        do throws(AgentRefusal) {
            switch try AgentRequest.read(body) {
            case .identities: return identities()
            case .sign(let key, let data, let flags): return try sign(key, data, flags)
            case .bind(let binding):
                try session.bind(binding) { $0.isGenuine }
                return .success
            case .other: throw .unsupported
            }
        } catch {
            // OpenSSH asks for many things that an agent needn't know. They aren't worth a line in the log.
            if error != .unsupported { log("refused process \(peer.pid): \(error.reason)") }
            return .failure
        }
    }

    private func identities() -> AgentReply {
        do throws(KeyringFailure) {
            let offered = try keyring.keys().filter { $0.asksForOwner || !session.isForwarded }
            return .identities(offered.map { SSHIdentity(blob: $0.blob, comment: $0.name) })
        } catch {
            log("the keys can't be listed: \(error.reason)")
            return .failure
        }
    }

    private func sign(_ blob: [UInt8], _ data: [UInt8], _ flags: UInt32) throws(AgentRefusal) -> AgentReply {
        // Flags choose among RSA's hashes; other keys have nothing to choose.
        guard flags == 0 else { throw .unsupported }
        let found: OfferedKey?
        do throws(KeyringFailure) {
            found = try keyring.key(blob)
        } catch {
            log("the keys can't be listed: \(error.reason)")
            return .failure
        }
        guard let key = found else { throw .unknownKey }
        let purpose = try session.purpose(of: data, with: blob, asksForOwner: key.asksForOwner)
        let words = peer.words
        let reason = purpose.reason(label: key.name, program: peer.name) { hosts.name(of: $0, words: words) }
        let signing = keyring.signing(with: key)
        let watch = key.asksForOwner ? HangUp(of: stream.fd) { signing.takeBack() } : nil
        defer { watch?.end() }
        do throws(KeyringFailure) {
            return .signature(try signing.sign(data, reason: reason))
        } catch {
            log("no signature for process \(peer.pid): \(error.reason)")
            return .failure
        }
    }
}

/// Watches, while another thread is blocked, whether the peer goes away, so that an interrupted program leaves no prompt behind.
private final class HangUp: Sendable {
    private let over = eventfd(0, Int32(EFD_CLOEXEC))

    /// nil if no thread can be started. The prompt then stays until it is answered.
    init?(of fd: Int32, _ gone: @escaping @Sendable () -> Void) {
        let over = over
        // The thread keeps this object alive, so nothing is closed before the thread ends.
        guard
            AgentThread.start({ [self] in
                while true {
                    var waits = [pollfd(fd: fd, events: 0, revents: 0), pollfd(fd: over, events: Int16(POLLIN), revents: 0)]
                    if unsafe poll(&waits, 2, -1) < 0 { continue }
                    if waits[1].revents == 0 { gone() }
                    break
                }
                _ = self
            })
        else { return nil }
    }

    deinit { close(over) }

    func end() { eventfd_write(over, 1) }
}
