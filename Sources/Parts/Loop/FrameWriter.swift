internal import CThumbLinux
public import ThumbSecrets

/// A frame on its way out: plain bytes with secrets between them, each sent from where it lies.
public struct OutgoingFrame: Sendable {
    fileprivate enum Piece: Sendable {
        case plain([UInt8])
        case secret(SecretBytes)

        var count: Int {
            switch self {
            case .plain(let bytes): bytes.count
            case .secret(let secret): secret.count
            }
        }

        func send(_ fd: Int32, from place: Int, _ flags: Int32) -> Int {
            switch self {
            case .plain(let bytes):
                unsafe bytes.withUnsafeBytes { unsafe CThumbLinux.send(fd, $0.baseAddress! + place, $0.count - place, flags) }
            case .secret(let secret):
                unsafe secret.withUnsafeBytes { unsafe CThumbLinux.send(fd, $0.baseAddress! + place, $0.count - place, flags) }
            }
        }
    }

    private var pieces: [Piece] = []
    private var current = 0
    private var place = 0
    public private(set) var remaining: Int

    /// - Parameter secrets: each with the place among the plain bytes where it belongs, in order.
    public init(plain: [UInt8], secrets: [(place: Int, secret: SecretBytes)]) {
        if secrets.isEmpty {
            pieces = [.plain(plain)]
        } else {
            var start = 0
            for (place, secret) in secrets {
                if place > start { pieces.append(.plain(Array(plain[start..<place]))) }
                pieces.append(.secret(secret))
                start = place
            }
            if start < plain.count { pieces.append(.plain(Array(plain[start...]))) }
        }
        remaining = pieces.reduce(0) { $0 + $1.count }
    }

    public enum Outcome: Sendable, Equatable {
        case sent
        case later
        case failed(Int32)
    }

    /// Sends as much as goes; with `waiting`, all of it.
    public mutating func send(to fd: Int32, waiting: Bool) -> Outcome {
        while current < pieces.count {
            // More pieces follow: let the kernel join them into one packet's worth instead of waking the reader for each.
            let more = current + 1 < pieces.count ? Int32(MSG_MORE) : 0
            let flags = Int32(MSG_NOSIGNAL) | more | (waiting ? 0 : Int32(MSG_DONTWAIT))
            let count = pieces[current].send(fd, from: place, flags)
            if count < 0 {
                switch thumb_errno() {
                case EINTR: continue
                case EAGAIN: return .later
                case let code: return .failed(code)
                }
            }
            place += count
            remaining -= count
            if place == pieces[current].count {
                current += 1
                place = 0
            }
        }
        return .sent
    }
}

extension OutgoingFrame {
    /// The same frame with its secrets in `arena`, so that it can wait to be read; fails if there is no room for them.
    public func moved(to arena: SecretArena) throws(SecretError) -> OutgoingFrame {
        var moved = self
        // The part that was sent isn't needed again, but places count from the beginning.
        for index in pieces.indices where index >= current {
            guard case .secret(let secret) = pieces[index] else { continue }
            moved.pieces[index] = .secret(try secret.copy(in: arena))
        }
        for index in pieces.indices where index < current { moved.pieces[index] = .plain([]) }
        return moved
    }
}
