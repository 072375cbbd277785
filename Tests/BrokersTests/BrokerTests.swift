import CThumbLinux
import Testing
import ThumbConversation
import ThumbLoop

@testable import ThumbBrokers

/// A broker that answers each word with `done`, and the front's ends of connections to it.
@OnLoop private final class Counter {
    let broker: Broker
    private(set) var served: [(uid: UInt32, kind: WordKind)] = []
    private(set) var ended: [UInt32] = []
    private(set) var population = 0

    init(peer: UInt32 = getuid(), perUser: Int = 2, inAll: Int = 4, patience: Double = 10) {
        broker = Broker(peer: peer, perUser: perUser, inAll: inAll, patience: patience)
        broker.hears = { [unowned self] (frame, connection) throws(Refusal) in
            guard let uid = connection.uid else { throw .helloExpected }
            served.append((uid, frame.kind))
            connection.send(Done(), to: frame.call)
        }
        broker.ends = { [unowned self] in ended.append($0.uid ?? .max) }
        broker.onPopulation = { [unowned self] in population = $0 }
    }

    func connect() throws -> Int32 {
        let (mine, theirs) = try UnixSocket.pair().get()
        broker.serve(theirs)
        return mine
    }
}

/// Sends words over a connection, and reads what comes; a closed connection is nil.
private func said(_ words: [any Word], on fd: Int32, answers: Int) -> [WordKind?] {
    for word in words { _ = tell(word, fd) }
    var frames = FrameReader(least: WireLimit.headBytes, limit: WireLimit.brokerFrame)
    return (0..<answers).map { _ in
        if case .frame(let body) = frames.read(from: fd, waiting: true), let frame = try? Frame(body) { frame.kind } else { nil }
    }
}

@discardableResult
private func tell(_ word: any Word, _ fd: Int32) -> Bool {
    let encoded = word.frame(call: 7)
    var frame = OutgoingFrame(plain: encoded.plain, secrets: encoded.secrets)
    return frame.send(to: fd, waiting: true) == .sent
}

@Suite("Connections to a broker")
struct BrokerTests {
    private func with<Value: Sendable>(peer: UInt32 = getuid(), _ body: (Int32) throws -> Value) throws -> Value {
        let made = EventLoop.shared.sync { () -> (LoopBox<Counter>, Int32) in
            let counter = Counter(peer: peer)
            return (LoopBox(counter), (try? counter.connect()) ?? -1)
        }
        defer {
            close(made.1)
            EventLoop.shared.sync { made.0.value.broker.shutDown() }
        }
        return try body(made.1)
    }

    @Test("after `serve` each word is answered for that user, and names none")
    func serves() throws {
        let kinds = try with { said([Serve(uid: 1000), MakeTPMKey(), StopWatching()], on: $0, answers: 2) }
        #expect(kinds == [.done, .done])
    }

    @Test("anything before `serve` is refused, and the connection is closed")
    func unserved() throws {
        let kinds = try with { said([MakeTPMKey(), Serve(uid: 1000), MakeTPMKey()], on: $0, answers: 2) }
        #expect(kinds == [.refused, nil])
    }

    @Test("a connection of somebody else's than the front's is closed unheard")
    func peer() throws {
        let kinds = try with(peer: getuid() + 1) { said([], on: $0, answers: 1) }
        #expect(kinds == [nil])
    }

    @Test("a device that reads none of its answers is closed")
    func unread() throws {
        // A socket has room for some hundreds of answers.
        let taken = try with { fd -> Int in
            tell(Serve(uid: 1000), fd)
            var taken = 0
            while taken < 100_000, tell(StopWatching(), fd) { taken += 1 }
            return taken
        }
        #expect(taken < 100_000)
    }

    @Test("a frame of 4 KiB is taken, and one byte more is refused")
    func frame() throws {
        func echoed(_ bytes: Int) throws -> [WordKind?] {
            // Length, kind, call, count.
            let word = TPMSignature([UInt8](repeating: 1, count: bytes - 5 - 4))
            return try with { said([Serve(uid: 1), word], on: $0, answers: 2 - (bytes > WireLimit.brokerFrame ? 0 : 1)) }
        }
        #expect(try echoed(WireLimit.brokerFrame) == [.done])
        #expect(try echoed(WireLimit.brokerFrame + 1) == [.refused, nil])
    }
}

@Suite("How many connections a broker has") @OnLoop
struct BrokerLimitTests {
    /// Waits for the loop to have looked at what was sent.
    private func settled(_ holds: () -> Bool) async -> Bool {
        for _ in 0..<6000 {
            if holds() { return true }
            await withCheckedContinuation { done in _ = EventLoop.shared.after(0.01) { done.resume() } }
        }
        return holds()
    }

    @Test("a user has as many as the limit, and one more is refused; another user is served all the same")
    func perUser() async throws {
        let counter = Counter()
        defer { counter.broker.shutDown() }
        let ends = try (0..<4).map { _ in try counter.connect() }
        defer { for end in ends { close(end) } }
        for (end, uid) in zip(ends, [UInt32(5), 5, 5, 6]) { tell(Serve(uid: uid), end) }
        #expect(await settled { counter.population == 3 })
        #expect(counter.broker.count(of: 5) == 2 && counter.broker.count(of: 6) == 1)
        #expect(said([], on: ends[2], answers: 2) == [.refused, nil])
    }

    @Test("all users together have as many as the limit, and one more is closed")
    func inAll() async throws {
        let counter = Counter()
        defer { counter.broker.shutDown() }
        let ends = try (0..<5).map { _ in try counter.connect() }
        defer { for end in ends { close(end) } }
        #expect(counter.population == 4)
        #expect(said([], on: ends[4], answers: 1) == [nil])
    }

    @Test("a connection of which nobody says whom it serves is closed after a while; one that serves somebody stays")
    func silent() async throws {
        let counter = Counter(patience: 0.2)
        defer { counter.broker.shutDown() }
        let (silent, served) = (try counter.connect(), try counter.connect())
        defer { for end in [silent, served] { close(end) } }
        tell(Serve(uid: 3), served)
        #expect(await settled { counter.population == 1 })
        #expect(counter.broker.count(of: 3) == 1)
        #expect(said([], on: silent, answers: 2) == [.refused, nil])
    }

    @Test("a connection that goes is told of once, and its place is free")
    func gone() async throws {
        let counter = Counter()
        defer { counter.broker.shutDown() }
        let (one, two) = (try counter.connect(), try counter.connect())
        tell(Serve(uid: 9), one)
        #expect(await settled { counter.broker.count(of: 9) == 1 })
        close(one)
        #expect(await settled { counter.population == 1 })
        #expect(counter.ended == [9])
        close(two)
        #expect(await settled { counter.population == 0 })
        // It served nobody.
        #expect(counter.ended == [9])
    }
}
