import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbConversation
import ThumbInside
import ThumbLoop
import ThumbPeers
import ThumbSensors

@testable import ThumbFront

/// A machine on which every server takes every connection, and one user's device is the test.
@OnLoop final class Places: ProcessPlaces {
    /// The device's end of its line to the front.
    private(set) var device: Int32 = -1
    /// The servers' ends of what was given.
    private(set) var served: [Int32] = []
    let still = Still()

    nonisolated init() {}

    isolated deinit { for fd in served + [device] where fd >= 0 { UnixSocket.close(fd) } }

    func device(of uid: UInt32, _ answer: @escaping (Int32?) -> Void) {
        guard case .success(let (front, own)) = PacketSocket.pair() else { return answer(nil) }
        device = own
        answer(front)
    }

    func hasStore(of uid: UInt32) -> Bool { true }
    func connection(to server: Want.Server) -> Int32? {
        guard case .success(let (front, own)) = UnixSocket.pair() else { return nil }
        served.append(own)
        return front
    }

    func machine(of uid: UInt32) -> any MachineWatch { still }
}

/// Something that the loop counts.
@OnLoop private final class Count {
    private(set) var value = 0
    nonisolated init() {}
    func add() { value += 1 }
}

/// A clock that stands still until it is turned, and counts how often it was read.
@OnLoop private final class PaceClock {
    private var now = 1000.0
    private(set) var readings = 0

    nonisolated init() {}

    func read() -> Double {
        readings += 1
        return now
    }

    func advance(by seconds: Double) { now += seconds }
}

/// Makes lines, except while nothing is left to make them of, and counts how often it was asked.
@OnLoop private final class Pairs {
    var isShort = false
    private(set) var asked = 0

    nonisolated init() {}

    func make() -> Result<(Int32, Int32), Errno> {
        asked += 1
        return isShort ? .failure(Errno(EMFILE)) : PacketSocket.pair()
    }
}

@OnLoop final class Still: MachineWatch {
    var onSleep: (_ isAsleep: Bool, _ done: @escaping () -> Void) -> Void = { $1() }
    var onLid: (_ isClosed: Bool) -> Void = { _ in }
    var onLock: (_ isLocked: Bool) -> Void = { _ in }
    var onFront: (_ isInFront: Bool) -> Void = { _ in }
    nonisolated init() {}
    func start(_ then: @escaping () -> Void) { then() }
}

@Suite("What the front gives a device", .timeLimit(.minutes(5)))
struct DeviceEntryTests {
    /// Runs with a device that is connected, its end of the line, and a clock that stands still.
    private func with<Value>(
        _ pairs: Pairs = Pairs(), _ body: (_ line: Int32, _ clock: PaceClock, _ served: () -> Int) throws -> Value
    ) throws -> Value {
        let (places, clock) = (Places(), PaceClock())
        let entry = EventLoop.shared.sync {
            let entry = DeviceEntry(
                1001, places, idleSeconds: 0, now: { clock.read() }, pair: { pairs.make() }, log: { _ in }, ended: {})
            entry.begin()
            return LoopBox(entry)
        }
        defer { EventLoop.shared.sync { entry.value.end() } }
        return try body(EventLoop.shared.sync { places.device }, clock) { EventLoop.shared.sync { places.served.count } }
    }

    /// The line for wants that lies there, past other words; nil where none does. The first one lies there once the device is connected.
    private func nextLine(_ line: Int32) throws -> Int32? {
        while true {
            guard UnixSocket.isReadable(line) else { return nil }
            guard case .packet(let bytes, let descriptor) = PacketSocket.receive(from: line, waiting: true) else { return nil }
            if let descriptor {
                #expect(bytes[4] == UInt8(WordKind.wantsLineGiven.rawValue))
                return descriptor
            }
        }
    }

    @Test("A device that asks for connection after connection gets a few to each server, and no other server pays for it")
    func greedy() throws {
        try with { line, clock, served in
            let wants = WantsLine(try #require(try nextLine(line)))
            func given(_ count: Int, _ server: Want.Server) -> Int {
                (0..<count).count { _ in
                    guard let fd = wants.connection(to: server) else { return false }
                    UnixSocket.close(fd)
                    return true
                }
            }
            #expect(given(200, .passcode) == FrontLimit.wantsAtOnce)
            #expect(given(1, .reader) == 1 && given(1, .tpm) == 1)
            #expect(served() == FrontLimit.wantsAtOnce + 2)
            // One more becomes due after a while, and only one.
            EventLoop.shared.sync { clock.advance(by: FrontLimit.secondsToNextWant) }
            #expect(given(2, .passcode) == 1)
        }
    }

    @Test("Each connection is its user's before the device has it")
    func served() throws {
        let places = Places()
        let box = EventLoop.shared.sync {
            let entry = DeviceEntry(77, places, idleSeconds: 0, log: { _ in }, ended: {})
            entry.begin()
            return LoopBox(entry)
        }
        defer { EventLoop.shared.sync { box.value.end() } }
        let wants = WantsLine(try #require(try nextLine(EventLoop.shared.sync { places.device })))
        let fd = try #require(wants.connection(to: .reader))
        defer { UnixSocket.close(fd) }
        var frames = FrameReader(least: WireLimit.headBytes, limit: WireLimit.brokerFrame)
        let server = try #require(EventLoop.shared.sync { places.served.first })
        guard case .frame(let body) = frames.read(from: server, waiting: true) else {
            Issue.record("nothing was said")
            return
        }
        #expect(try Frame(body).word(Serve.self) == Serve(uid: 77))
    }

    @Test("A device that loses its line for wants gets another one, a few times at once and then one in five seconds")
    func another() throws {
        try with { line, clock, _ in
            /// Loses each line until none comes any more. That it is lost has been noticed once the clock was read.
            func lost() throws -> Int {
                var lines = 0
                while lines < 50, let wants = try nextLine(line) {
                    lines += 1
                    let readings = EventLoop.shared.sync { clock.readings }
                    UnixSocket.close(wants)
                    for _ in 0..<6000 where EventLoop.shared.sync({ clock.readings }) == readings { usleep(10_000) }
                }
                return lines
            }
            let lines = try lost()
            #expect(lines == 1 + FrontLimit.linesAtOnce)
            // The next one comes when its time is there, though no other is lost then that would call for it.
            EventLoop.shared.sync { clock.advance(by: FrontLimit.secondsToNextLine) }
            for _ in 0..<6000 where !UnixSocket.isReadable(line) { usleep(10_000) }
            #expect(try lost() == 1)
        }
    }

    @Test("A device that loses its line for wants while there is no descriptor for another gets one once there is")
    func shortage() throws {
        let pairs = Pairs()
        try with(pairs) { line, _, _ in
            let wants = try #require(try nextLine(line))
            EventLoop.shared.sync { pairs.isShort = true }
            UnixSocket.close(wants)
            #expect(comes { pairs.asked == 2 })
            EventLoop.shared.sync { pairs.isShort = false }
            var next: Int32?
            for _ in 0..<6000 where next == nil {
                next = try nextLine(line)
                if next == nil { usleep(10_000) }
            }
            UnixSocket.close(try #require(next))
        }
    }

    @Test("Clients that a busy device can't take at once wait, and reach it in their order when it can")
    func busy() throws {
        let places = Places()
        let box = EventLoop.shared.sync {
            let entry = DeviceEntry(1001, places, idleSeconds: 0, log: { _ in }, ended: {})
            entry.begin()
            return LoopBox(entry)
        }
        defer { EventLoop.shared.sync { box.value.end() } }
        let line = EventLoop.shared.sync { places.device }
        // More than a socket holds, and no more than may wait beside that.
        let count = FrontLimit.waiting + 150
        let pairs = try (0..<count).map { _ in try UnixSocket.pair().get() }
        let clients = pairs.map(\.0)
        defer { for fd in clients { UnixSocket.close(fd) } }
        // The loop serves every test of this process, so this is one job for it.
        EventLoop.shared.sync { for pair in pairs { box.value.take(pair.1, .login) } }
        var arrived = 0
        while arrived < count {
            var wait = pollfd(fd: line, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, 60_000) == 1 else { break }
            guard case .packet(let bytes, let descriptor) = PacketSocket.receive(from: line, waiting: true) else { break }
            guard bytes[4] == UInt8(WordKind.peerArrived.rawValue), let descriptor else {
                if let descriptor { UnixSocket.close(descriptor) }
                continue
            }
            // What its client says shows which one it is.
            #expect(send(clients[arrived], "x", 1, 0) == 1)
            var byte: UInt8 = 0
            #expect(recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) == 1)
            UnixSocket.close(descriptor)
            arrived += 1
        }
        #expect(arrived == count)
    }

    @Test("What counts of a client's contents goes before the client, each as an open file")
    func contents() throws {
        let places = Places()
        let box = EventLoop.shared.sync {
            let entry = DeviceEntry(1001, places, idleSeconds: 0, log: { _ in }, ended: {})
            entry.begin()
            return LoopBox(entry)
        }
        defer { EventLoop.shared.sync { box.value.end() } }
        let line = EventLoop.shared.sync { places.device }
        let (client, theirs) = try UnixSocket.pair().get()
        defer { UnixSocket.close(client) }
        EventLoop.shared.sync {
            let contents = PeerContents()
            for part in PeerFacts.Part.allCases { contents.put(part, thumb_open("/dev/null", O_RDONLY | O_CLOEXEC, 0)) }
            box.value.take(theirs, .program(PeerFacts(file: nil, confinement: .none, run: .unknown)), contents)
        }
        var words: [[UInt8]] = []
        while words.count < 3 {
            var wait = pollfd(fd: line, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, 60_000) == 1 else { break }
            guard case .packet(let bytes, let descriptor) = PacketSocket.receive(from: line, waiting: true) else { break }
            if let descriptor { UnixSocket.close(descriptor) }
            let kinds: [WordKind] = [.peerArrived, .peerContents]
            guard kinds.contains(where: { $0.rawValue == bytes[4] }) else { continue }
            #expect(descriptor != nil)
            words.append(bytes)
        }
        #expect(words.prefix(2).elementsEqual(PeerFacts.Part.allCases.map { PeerContentsGiven($0).frame(call: 0).plain }))
        #expect(words.last?[4] == WordKind.peerArrived.rawValue)
    }

    // MARK: What a device says, and what the machine does

    /// An entry with a device that is connected.
    private func connected(idleSeconds: Double = 0) -> (entry: LoopBox<DeviceEntry>, places: Places) {
        let places = Places()
        let box = EventLoop.shared.sync {
            let entry = DeviceEntry(1001, places, idleSeconds: idleSeconds, log: { _ in }, ended: {})
            entry.begin()
            return LoopBox(entry)
        }
        return (box, places)
    }

    private func isSent(_ word: some Word, call: UInt32 = 0, passing descriptor: Int32? = nil, to fd: Int32) -> Bool {
        PacketSocket.send(word.frame(call: call).plain, passing: descriptor, to: fd, waiting: true) == .sent
    }

    /// The kinds of the words that lie there.
    private func kinds(_ line: Int32) -> [UInt8] {
        var kinds: [UInt8] = []
        while UnixSocket.isReadable(line),
            case .packet(let bytes, let descriptor) = PacketSocket.receive(from: line, waiting: true)
        {
            if let descriptor { UnixSocket.close(descriptor) }
            kinds.append(bytes[4])
        }
        return kinds
    }

    @Test("A descriptor that a device sends to the front is closed there, whichever line it comes over")
    func unwanted() throws {
        try with { line, _, _ in
            let wants = try #require(try nextLine(line))
            defer { UnixSocket.close(wants) }
            for end in [line, wants] {
                let (near, far) = try UnixSocket.pair().get()
                defer { UnixSocket.close(far) }
                if end == line {
                    #expect(isSent(Unused(peers: 0, isSoon: false), passing: near, to: end))
                } else {
                    #expect(isSent(Want(.reader), call: 1, passing: near, to: end))
                }
                UnixSocket.close(near)
                var wait = pollfd(fd: far, events: Int16(POLLIN), revents: 0)
                var byte: UInt8 = 0
                #expect(poll(&wait, 1, 60_000) == 1 && recv(far, &byte, 1, 0) == 0)
            }
        }
    }

    /// Passes a client on in the turn of the loop in which the device is found unused, so that no idle time is over before.
    @OnLoop private static func take(_ client: Int32, onceUnused box: LoopBox<DeviceEntry>, _ over: Count) {
        guard box.value.isUnused else { return EventLoop.shared.post { take(client, onceUnused: box, over) } }
        box.value.take(client, .login)
        _ = EventLoop.shared.after(1.5) { over.add() }
    }

    @Test("A device that gets a client while it is idle doesn't end when its idle time would have been over")
    func usedAgain() throws {
        let (box, places) = connected(idleSeconds: 1)
        defer { EventLoop.shared.sync { box.value.end() } }
        let line = EventLoop.shared.sync { places.device }
        let pairs = try (0..<2).map { _ in try UnixSocket.pair().get() }
        defer { for pair in pairs { UnixSocket.close(pair.0) } }
        let over = Count()
        EventLoop.shared.sync { box.value.take(pairs[0].1, .login) }
        EventLoop.shared.post { Self.take(pairs[1].1, onceUnused: box, over) }
        #expect(isSent(Unused(peers: 1, isSoon: false), to: line))
        #expect(comes { over.value == 1 })
        let words = kinds(line)
        #expect(words.count { $0 == WordKind.peerArrived.rawValue } == 2 && !words.contains(WordKind.endNow.rawValue))
    }

    @Test("A device that said it is unused before it had its latest client doesn't count as unused")
    func crossed() throws {
        let (box, places) = connected(idleSeconds: 600)
        defer { EventLoop.shared.sync { box.value.end() } }
        let line = EventLoop.shared.sync { places.device }
        let (client, theirs) = try UnixSocket.pair().get()
        defer { UnixSocket.close(client) }
        let heard = Count()
        EventLoop.shared.sync {
            box.value.take(theirs, .login)
            places.still.onSleep(true) { heard.add() }
        }
        // Once its next word has been heard, the one before it has been too.
        #expect(isSent(Unused(peers: 0, isSoon: false), to: line) && isSent(Done(), call: 1, to: line))
        #expect(comes { heard.value == 1 })
        #expect(EventLoop.shared.sync { !box.value.isUnused })
    }

    @Test("The machine's sleep waits for a device that says nothing until its seconds are over, and is let go on once")
    func sleeps() throws {
        let (box, places) = connected()
        defer { EventLoop.shared.sync { box.value.end() } }
        let (done, over, next) = (Count(), Count(), Count())
        let atOnce = EventLoop.shared.sync { () -> Int in
            places.still.onSleep(true) { done.add() }
            // This timer was set later, so it is over later.
            _ = EventLoop.shared.after(FrontLimit.secondsToSleep) { over.add() }
            return done.value
        }
        #expect(atOnce == 0)
        #expect(comes { over.value == 1 })
        #expect(EventLoop.shared.sync { done.value } == 1)
        // The late answer is nobody's any more, and the next sleep has one of its own.
        EventLoop.shared.sync { places.still.onSleep(true) { next.add() } }
        let line = EventLoop.shared.sync { places.device }
        for call: UInt32 in [1, 2] { #expect(isSent(Done(), call: call, to: line)) }
        #expect(comes { next.value == 1 })
        #expect(EventLoop.shared.sync { done.value } == 1)
        #expect(kinds(line).count { $0 == WordKind.sleeps.rawValue } == 2)
    }

    @Test("A device that is let go of holds up no sleep, neither one that waits for it nor a later one")
    func asleep() throws {
        let (box, places) = connected()
        let done = Count()
        let counts = EventLoop.shared.sync { () -> [Int] in
            places.still.onSleep(true) { done.add() }
            let before = done.value
            box.value.end()
            let after = done.value
            places.still.onSleep(true) { done.add() }
            return [before, after, done.value]
        }
        #expect(counts == [0, 1, 2])
    }

    @Test("Past the limit the latest client of the process with most of them is closed, and the others wait")
    func limit() throws {
        let entry = EventLoop.shared.sync { LoopBox(DeviceEntry(1001, Places(), idleSeconds: 0, log: { _ in }, ended: {})) }
        defer { EventLoop.shared.sync { entry.value.end() } }
        let pairs = try (0...FrontLimit.waiting).map { _ in try UnixSocket.pair().get() }
        let clients = pairs.map(\.0)
        defer { for fd in clients { UnixSocket.close(fd) } }
        EventLoop.shared.sync { for pair in pairs { entry.value.take(pair.1, .login) } }
        let closed = clients.indices.filter { place in
            var wait = pollfd(fd: clients[place], events: Int16(POLLIN), revents: 0)
            return poll(&wait, 1, 0) == 1
        }
        #expect(closed == [clients.count - 1])
    }
}
