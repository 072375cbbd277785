import CThumbLinux
import ThumbSecrets
import ThumbSignIn

/// One connection. Its phase is touched under the lock of its `Peers`; the exchange belongs to HTTP's thread.
final class Peer {
    enum Phase {
        /// Between two requests, since that second.
        case idle(UInt64)
        /// A request's first line has arrived; the rest is on its way.
        case arriving(UInt64)
        /// The request is complete, and the answer is being made.
        case working
        case answering(UInt64)
    }

    let peers: Peers
    let socket: Int32
    let address: ClientAddress
    var client: Client { Client(address) }
    var phase = Phase.idle(Uptime.seconds())
    /// The request that is being handled on it.
    var exchange: Exchange?

    init(_ peers: Peers, socket: Int32, address: ClientAddress) {
        self.peers = peers
        self.socket = socket
        self.address = address
    }

    /// Ends the connection if its time is over. Called under the lock of its `Peers`: under this lock the socket can't be closed and its
    /// number given to another.
    func endIfLate(at now: UInt64, isSecure: Bool) -> Bool {
        switch phase {
        case .working: return false
        case .idle(let since), .answering(let since):
            guard now >= since + peers.serving.patience else { return false }
            shutdown(socket, Int32(SHUT_RDWR))
            return false
        case .arriving(let since):
            guard now >= since + peers.serving.patience else { return false }
            // The library doesn't answer this case. Under TLS there is no answer, because bytes sent here wouldn't be a TLS record.
            if !isSecure {
                let bytes = Self.slow
                _ = unsafe send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            shutdown(socket, Int32(SHUT_RDWR))
            phase = .answering(now)
            return true
        }
    }

    private static let slow: [UInt8] = {
        let body = Answer(.slow).body
        let head =
            "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
        return Array(head.utf8) + body
    }()
}

/// Counts the open connections.
final class Connections: Sendable {
    private struct State {
        var shares: Shares
        var refused = 0
    }

    private let state: Locked<State>

    /// - Parameter isEachClientsLimited: false behind a proxy, because all connections come through it.
    init(isEachClientsLimited: Bool) {
        let ofClient = isEachClientsLimited ? Limits.connectionsOfClient : Limits.connections
        state = Locked(State(shares: Shares(Limits.connections, ofClient: ofClient)))
    }

    /// Counts a new connection; returns false if there are as many as allowed.
    func enter(_ client: Client) -> Bool {
        state.withLock { state in
            let isTaken = state.shares.take(client)
            if !isTaken { state.refused += 1 }
            return isTaken
        }
    }

    func leave(_ client: Client) { state.withLock { $0.shares.giveBack(client) } }

    var now: (open: Int, refused: Int) { state.withLock { ($0.shares.taken, $0.refused) } }
}
