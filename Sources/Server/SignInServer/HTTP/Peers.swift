import ThumbSecrets
import ThumbSignIn

/// The connections of one of HTTP's threads, and which of their requests are waiting for something.
final class Peers: @unchecked Sendable {
    // @unchecked: whatever changes is touched under one of the locks.
    let serving: Serving
    let records: Records
    private let lock = Lock()
    private var open: [ObjectIdentifier: Peer] = [:]
    /// Whether other threads get the new connections, and these are to end.
    private var isRetiring = false
    private let gate = Condition()
    private var underWay = 0
    private var isEnding = false
    /// Random at first, so that two servers, and two lives of one, have other names for their requests.
    private var lastRequest = UInt64.random(in: 0...UInt64.max)

    init(_ serving: Serving, _ records: Records) {
        self.serving = serving
        self.records = records
    }

    // MARK: Requests under way

    /// Counts a request that waits for something. It counts until its answer is sent, or its connection is gone.
    /// - Returns: false if the server is about to end: then no other request may wait for anything.
    func countRequest() -> Bool {
        gate.withLock { _ in
            guard !isEnding else { return false }
            underWay += 1
            return true
        }
    }

    func requestIsOver() {
        let isLast = gate.withLock { _ in
            underWay -= 1
            return underWay == 0 && isEnding
        }
        if isLast { gate.signal() }
    }

    /// Counts no more requests, and waits for those that are under way. Returns false if there are some after that time.
    func areRequestsOver(within limit: Duration) -> Bool {
        gate.withLock { held in
            isEnding = true
            while underWay > 0 {
                if !held.wait(atMost: limit) { return underWay == 0 }
            }
            return true
        }
    }

    // MARK: Connections

    func add(_ peer: Peer) { lock.withLock { open[ObjectIdentifier(peer)] = peer } }

    /// From now on each connection ends with its next answer. One that asks for nothing ends as it would anyway.
    func retire() { lock.withLock { isRetiring = true } }

    var isRetired: Bool { lock.withLock { isRetiring } }

    var isEmpty: Bool { lock.withLock { open.isEmpty } }

    func remove(_ peer: Peer) { lock.withLock { open[ObjectIdentifier(peer)] = nil } }

    func move(_ peer: Peer, to phase: Peer.Phase) { lock.withLock { peer.phase = phase } }

    /// Ends the connections that have been silent for too long.
    func sweep(at now: UInt64, isSecure: Bool) {
        let late = lock.withLock {
            open.values.filter { $0.endIfLate(at: now, isSecure: isSecure) }.map(\.address)
        }
        for client in late {
            note(.unknown, .other, Answer(.slow), nanoseconds: serving.patience * 1_000_000_000, by: Asker(client: client))
        }
    }

    // MARK: Requests

    /// A name for a request that no other request of this server has. It tells nothing; its answer and the log have it.
    func newRequest() -> String {
        let number = lock.withLock {
            lastRequest &+= 1
            return lastRequest
        }
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    func note(_ route: Route, _ method: Method, _ answer: Answer, nanoseconds: UInt64, by asker: Asker) {
        records.note(route, method, answer, nanoseconds: nanoseconds, by: asker, at: serving.flows.now())
    }
}
