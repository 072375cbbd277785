internal import CThumbHTTP
internal import ThumbSecrets
internal import ThumbSignIn

/// One of HTTP's threads, with the connections that are its own.
@safe final class Worker: @unchecked Sendable {
    // @unchecked: the daemon is set before its first connection; the rest is behind the locks.
    let serving: Serving
    private(set) var daemon: OpaquePointer?
    private let lock = Lock()
    private var peers: [ObjectIdentifier: Peer] = [:]
    private let records = Locked((tally: Tally(), log: LogLines()))
    private let gate = Condition()
    private var suspended = 0
    private var isEnding = false

    init(_ serving: Serving) { self.serving = serving }

    func start(_ certificate: Certificate?) throws(ServerError) {
        unsafe daemon = try unsafe Library.start(self, certificate)
    }

    /// Waits for what waits for others, then ends the library's thread. Its end with a suspended connection would end the process.
    func end() {
        gate.withLock { held in
            isEnding = true
            while suspended > 0 { held.wait() }
        }
        if let daemon = unsafe daemon { unsafe MHD_stop_daemon(daemon) }
        unsafe daemon = nil
    }

    // MARK: Suspended requests

    /// - Returns: false if the server is about to end: then nothing may be suspended any more.
    func beginSuspension() -> Bool {
        gate.withLock { _ in
            guard !isEnding else { return false }
            suspended += 1
            return true
        }
    }

    func endSuspension() {
        let isLast = gate.withLock { _ in
            suspended -= 1
            return suspended == 0 && isEnding
        }
        if isLast { gate.signal() }
    }

    // MARK: Connections

    func add(_ peer: Peer) { lock.withLock { peers[ObjectIdentifier(peer)] = peer } }

    func remove(_ peer: Peer) { lock.withLock { peers[ObjectIdentifier(peer)] = nil } }

    func move(_ peer: Peer, to phase: Peer.Phase) { lock.withLock { peer.phase = phase } }

    /// Ends what has had its time.
    func sweep(at now: UInt64, isSecure: Bool) {
        let late = lock.withLock {
            var late = 0
            for peer in peers.values where peer.endIfLate(at: now, isSecure: isSecure) { late += 1 }
            return late
        }
        for _ in 0..<late { note(.unknown, .other, Answer(.slow), nanoseconds: Limits.patience * 1_000_000_000) }
    }

    // MARK: Records

    func note(_ route: Route, _ method: Method, _ answer: Answer, nanoseconds: UInt64) {
        let now = serving.desk.now()
        records.withLock {
            $0.tally.note(route, method, answer, nanoseconds: nanoseconds)
            $0.log.add(route, method, answer, nanoseconds: nanoseconds, at: now)
        }
    }

    var tally: (Tally, dropped: Int) { records.withLock { ($0.tally, $0.log.dropped) } }

    func takeLog() -> [UInt8] { records.withLock { $0.log.taken() } }
}
