import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbConversation
import ThumbKeychain
import ThumbLoop
import ThumbSecrets
import thumbturn_test_wire

@testable import ThumbService

@Suite("What one program uses up, the others have left", .timeLimit(.minutes(5)))
struct MeterTests {
    private func length(_ count: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } }

    private func echo(bytes: Int) -> [UInt8] {
        let rest = bytes - WireLimit.headBytes - 4
        return length(bytes) + [2, 0, 0, 0, 1] + length(rest) + [UInt8](repeating: 7, count: rest)
    }

    private static func put(_ bytes: ArraySlice<UInt8>, _ fd: Int32) {
        _ = bytes.withUnsafeBytes { send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    private func locked(_ stand: Stand) -> Int { stand.onLoop { $0.device.meter.main.locked } }

    @Test("40 connections that announce two megabytes and send nothing take no memory, and an honest frame of two is answered")
    func announcers() throws {
        let stand = try Stand()
        let silent = try (0..<40).map { _ in try stand.app() }
        for peer in silent { try peer.send(raw: length(WireLimit.frame)) }
        let honest = try stand.app()
        try honest.send(raw: echo(bytes: WireLimit.frame))
        guard case .echoed? = try honest.next() else { throw Peer.Surprise() }
        // Forty of them would be eighty megabytes.
        #expect(locked(stand) < 1 << 20)
        for peer in silent { peer.close() }
    }

    @Test("a frame that stops is closed when its time is over, also where its sender reads nothing")
    func stopsAndReadsNothing() throws {
        var limits = MeterLimits()
        // Long enough for a slow machine to get as far as its having too much to read.
        limits.secondsForFrame = 5
        limits.muchUnread = 1 << 20
        let stand = try Stand(limits: limits)
        let app = try stand.app()
        try app.send(.watchEnvironment, call: 7)
        // Much of the answer stays unread, though not so much yet that nothing more is read.
        try app.send(raw: echo(bytes: 1_000_000))
        for _ in 0..<6000 where stand.onLoop({ $0.device.meter.main.unreadBytes }) == 0 { usleep(10_000) }
        try app.send(raw: Array(echo(bytes: 100_000).prefix(50_000)))
        // It lies in the socket now, and is read in the loop's next turns.
        for _ in 0..<100 { stand.onLoop { _ in } }
        // Now it has so much to read that nothing of it is read any more.
        let isBehind = stand.onLoop { graph in
            for _ in 0..<500_000 where graph.device.meter.main.unreadBytes <= 1 << 20 {
                graph.device.environmentMayHaveChanged()
            }
            return graph.device.meter.main.unreadBytes > 1 << 20
        }
        #expect(isBehind)
        for _ in 0..<6000 where stand.population.all.last != 0 { usleep(10_000) }
        #expect(stand.population.all.last == 0)
    }

    @Test("connections that send half of a long frame and stop hold no more than their share, and one that goes on gets through")
    func halves() throws {
        let stand = try Stand()
        let half = Array(echo(bytes: WireLimit.frame).prefix(WireLimit.frame / 2))
        let slow = try (0..<12).map { _ in try stand.app() }
        let senders = slow.map { peer in
            let fd = peer.fd
            return Thread {
                // Who isn't read any more waits here until its connection is closed.
                _ = half.withUnsafeBytes { send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            }
        }
        for sender in senders { sender.start() }
        let honest = try stand.app()
        try honest.send(.status)
        guard case .status? = try honest.next() else { throw Peer.Surprise() }
        let limits = MeterLimits()
        #expect(locked(stand) <= limits.framesPerUser + WireLimit.frame + (1 << 20))
        for peer in slow { shutdown(peer.fd, Int32(SHUT_RDWR)) }
        while senders.contains(where: { !$0.isFinished }) { usleep(10_000) }
        try honest.send(raw: echo(bytes: WireLimit.frame))
        guard case .echoed? = try honest.next() else { throw Peer.Surprise() }
    }

    @Test("a frame that trickles is closed when its time is over; one that comes within it is answered", arguments: [3, 40])
    func trickles(sent: Int) throws {
        var limits = MeterLimits()
        limits.secondsForFrame = 0.5
        let stand = try Stand(limits: limits)
        let (slow, honest) = (try stand.app(), try stand.app())
        let frame = echo(bytes: 100)
        try slow.send(raw: Array(frame.prefix(sent)))
        // One turn of the loop lies between its two parts, however busy the machine is.
        let fd = honest.fd
        stand.onLoop { _ in
            Self.put(frame.prefix(sent), fd)
            EventLoop.shared.post { Self.put(frame.dropFirst(sent), fd) }
        }
        guard case .echoed? = try honest.next() else { throw Peer.Surprise() }
        #expect(try slow.isAtEnd())
        // Nothing was begun, and nothing is late.
        try honest.send(.status)
        guard case .status? = try honest.next() else { throw Peer.Surprise() }
    }

    @Test("16 connections that ask and read nothing leave little unread, and a reader beside them is answered")
    func unread() throws {
        let stand = try Stand()
        let deaf = try (0..<16).map { _ in try stand.app() }
        for peer in deaf {
            let fd = peer.fd
            _ = fcntl(fd, F_SETFL, O_NONBLOCK)
            let asked = echo(bytes: 60_000)
            // As much as is taken from it, frame after frame, with a moment for the daemon to take more.
            var rest = asked[...]
            for _ in 0..<500 {
                let count = rest.withUnsafeBytes { send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                rest = rest.dropFirst(max(0, count))
                if rest.isEmpty { rest = asked[...] }
                if count < 0 { usleep(100) }
            }
        }
        let honest = try stand.app()
        for _ in 0..<20 {
            try honest.send(raw: echo(bytes: 100_000))
            guard case .echoed? = try honest.next() else { throw Peer.Surprise() }
        }
        let unread = stand.onLoop { $0.device.meter.main.unreadBytes }
        #expect(unread <= 16 * (WireLimit.muchUnread + 60_000), "\(unread) bytes")
    }

    @Test("what a user's connections leave unread has a limit: the one goes that has read nothing for longest, and no other")
    func stalest() throws {
        var limits = MeterLimits()
        limits.unreadPerUser = 3 << 20
        let stand = try Stand(limits: limits)
        let (first, second) = (try stand.app(), try stand.app())
        for peer in [first, second] { try peer.send(raw: echo(bytes: 1_800_000)) }
        // Its answer is there in part, in the socket: the rest went with the connection.
        var bytes = 0
        var room = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(first.fd, &room, room.count, 0)
            if count <= 0 { break }
            bytes += count
        }
        #expect(bytes < 1_800_000)
        guard case .echoed? = try second.next() else { throw Peer.Surprise() }
    }

    @Test("a long list comes whole to who reads it slowly, and waits for its reader instead of in memory")
    func list() throws {
        let stand = try Stand()
        let count = 3000
        let label = String(repeating: "x", count: 1000)
        stand.onLoop { graph in
            let authority = Authority(
                caller: Caller(uid: getuid(), pid: 1, kind: .consented, name: "many", groups: ["many"]), given: [],
                enrolment: .empty,
                device: graph.device.desk.state(for: Caller(uid: 0, pid: 0, kind: .protected, name: "", groups: [])),
                isLocked: false)
            for number in 0..<count {
                let item = NewItem(
                    itemClass: .genericPassword, attributes: [.account: .text("\(number)"), .label: .text(label)],
                    rule: AccessRule(.always), secret: secret("s"))
                _ = try? graph.device.keychain.add(item, authority)
            }
            graph.service.callerGroups = ["many"]
        }
        let (slow, other) = (try stand.app(), try stand.app())
        try slow.send(.find(Query(itemClass: .genericPassword, limit: nil, shape: .attributes)))
        // Nothing is read for now; an answer to another shows that the list has begun and waits.
        for _ in 0..<5 {
            try other.send(.status)
            guard case .status? = try other.next() else { throw Peer.Surprise() }
        }
        #expect(stand.onLoop { $0.device.meter.main.unreadBytes } <= WireLimit.muchUnread + WireLimit.page + 4096)
        var accounts: [AttributeValue] = []
        while true {
            guard case .page(let items, let isLast)? = try slow.next() else { throw Peer.Surprise() }
            accounts += items.compactMap { $0.attributes[.account] }
            if isLast { break }
        }
        #expect(accounts == (0..<count).map { .text("\($0)") })
        #expect(stand.onLoop { $0.device.meter.main.unreadBytes } == 0)
    }

    @Test("a connection has as many passwords waiting to be stretched as its limit; one more isn't kept, and says so")
    func stretches() throws {
        let stand = try Stand()
        let (app, other) = (try stand.app(), try stand.app())
        let gate = Gate()
        stand.onLoop { graph in _ = graph.device.meter.stretch(for: gate, { gate.wait() }, then: {}) }
        for call in 1...UInt32(WireLimit.stretchesPerConnection + 1) {
            try app.send(.setCredential(context: 1, kind: 0, secret("password")), call: call)
        }
        let (call, answer) = try #require(try app.nextWithCall())
        guard case .flag(false) = answer else { throw Peer.Surprise() }
        #expect(call == UInt32(WireLimit.stretchesPerConnection + 1))
        // Another one's turn comes before the rest of the first's.
        try other.send(.setCredential(context: 1, kind: 0, secret("password")))
        try other.send(.status, call: 2)
        guard case .status? = try other.next() else { throw Peer.Surprise() }
        gate.open()
        guard case .flag(true)? = try other.next() else { throw Peer.Surprise() }
        for _ in 0..<WireLimit.stretchesPerConnection {
            guard case .flag(true)? = try app.next() else { throw Peer.Surprise() }
        }
    }

    @Test("a passcode is checked while an app's passwords fill their lane")
    func passcode() throws {
        let stand = try Stand()
        let app = try stand.app()
        let gate = Gate()
        defer { gate.open() }
        stand.onLoop { graph in _ = graph.device.meter.stretch(for: gate, { gate.wait() }, then: {}) }
        for call in 1...8 { try app.send(.setCredential(context: 1, kind: 0, secret("password")), call: UInt32(call)) }
        let verdicts = Notes<Bool>()
        stand.onLoop { graph in graph.device.passcode.check(secret("1234")) { verdicts.add($0 == .right) } }
        #expect(verdicts.wait { !$0.isEmpty } == [true])
    }

    @Test("one user's passwords leave another user's turn where it is")
    func users() throws {
        let order = Notes<String>()
        let gate = Gate()
        let main = EventLoop.shared.sync {
            let main = MainMeter()
            let (eve, ada) = (Meter(main), Meter(main))
            _ = eve.stretch(for: gate, { gate.wait() }, then: {})
            for number in 1...5 { _ = eve.stretch(for: eve, { number }, then: { order.add("eve \($0)") }) }
            _ = ada.stretch(for: ada, { 1 }, then: { order.add("ada \($0)") })
            return main
        }
        gate.open()
        #expect(order.wait { $0.count == 6 }.firstIndex(of: "ada 1") ?? 9 <= 1)
        withExtendedLifetime(main) {}
    }

    @Test("what a connection has waiting goes with it")
    func goneStretches() throws {
        let stand = try Stand()
        let (app, other) = (try stand.app(), try stand.app())
        let gate = Gate()
        stand.onLoop { graph in _ = graph.device.meter.stretch(for: gate, { gate.wait() }, then: {}) }
        for call in 1...8 { try app.send(.setCredential(context: 1, kind: 0, secret("password")), call: UInt32(call)) }
        try app.send(.status, call: 9)
        guard case .status? = try app.next() else { throw Peer.Surprise() }
        app.close()
        _ = stand.population.wait { $0.last == 1 }
        #expect(stand.onLoop { $0.device.meter.main.stretches.isLineEmpty })
        gate.open()
        try other.send(.status)
        guard case .status? = try other.next() else { throw Peer.Surprise() }
    }

    @Test("a user's connections have so many contexts together; one more is refused, and those of a closed one make room")
    func contexts() throws {
        var limits = MeterLimits()
        limits.contextsPerUser = 20
        let stand = try Stand(limits: limits)
        let (first, second) = (try stand.app(), try stand.app())
        for context in 1...UInt64(10) {
            for app in [first, second] {
                try app.send(.invalidate(context: context))
                guard case .done? = try app.next() else { throw Peer.Surprise() }
            }
        }
        try second.send(.invalidate(context: 11))
        #expect(try second.refusal() == .tooManyContexts)
        _ = stand.population.wait { $0.last == 1 }
        for context in 11...UInt64(20) {
            try first.send(.invalidate(context: context))
            guard case .done? = try first.next() else { throw Peer.Surprise() }
        }
    }

    @Test("a context that is released makes room for another, and its credential goes with it")
    func released() throws {
        var limits = MeterLimits()
        limits.contextsPerUser = 2
        let stand = try Stand(limits: limits)
        let app = try stand.app()
        // A card's PIN, which is kept as it is.
        let kind = UInt8(bitPattern: -3)
        func flag(_ word: some Word) throws -> Bool {
            try app.send(word)
            guard case .flag(let value)? = try app.next() else { throw Peer.Surprise() }
            return value
        }
        for context in 1...UInt64(2) {
            #expect(try flag(.setCredential(context: context, kind: kind, secret("1234"))))
            #expect(try flag(.isCredentialSet(context: context, kind: kind)))
        }
        try app.send(.release(context: 1))
        #expect(try !flag(.isCredentialSet(context: 1, kind: kind)))
        #expect(try flag(.setCredential(context: 3, kind: kind, secret("1234"))))
    }

    @Test("what a user's calls under way said has a limit; one byte more is refused, and what ends makes room")
    func calls() throws {
        var limits = MeterLimits()
        limits.callBytesPerUser = 2 * WireLimit.callBytes
        let stand = try Stand(limits: limits)
        let app = try stand.app()
        let evaluate = Evaluate(
            EvaluationRequest(context: 1, subject: .policy(.deviceOwner), words: PromptWords(reason: "r")))
        try app.send(evaluate, call: 1)
        _ = try app.ticket()
        let long = String(repeating: "x", count: 2000)
        let other = try stand.app()
        let longer = EvaluationRequest(context: 1, subject: .policy(.deviceOwner), words: PromptWords(reason: long))
        try other.send(.evaluate(longer))
        #expect(try other.refusal() == .tooManyCalls)
        try app.send(
            .add(
                NewItem(itemClass: .genericPassword, attributes: [.account: .text(long)], rule: AccessRule(.always), secret: nil)),
            call: 2)
        guard case .page? = try app.next() else { throw Peer.Surprise() }
    }

    @Test("a hello that lies in the socket while the loop is busy is heard, though its time is over")
    func busyLoop() throws {
        let stand = try Stand(secondsForHello: 0.2)
        let silent = try stand.connect()
        let app = try stand.connect(saying: Hello(role: .app).frame(call: 1).bytes, thenBusyFor: 600_000)
        guard case .welcome? = try app.next() else { throw Peer.Surprise() }
        #expect(try silent.isAtEnd())
    }

    @Test("256 silent connections of a user don't keep that user's honest program out: the one goes that was silent for longest")
    func silent() throws {
        let stand = try Stand()
        let first = try stand.connect()
        let rest = try (1..<WireLimit.connectionsPerUser).map { _ in try stand.connect() }
        let honest = try stand.app()
        try honest.send(.status)
        guard case .status? = try honest.next() else { throw Peer.Surprise() }
        #expect(try first.refusal() == .tooManyConnections)
        // The others may still say hello.
        let last = try #require(rest.last)
        try last.send(.hello(Hello(role: .app)))
        guard case .welcome? = try last.next() else { throw Peer.Surprise() }
    }

    @Test("a passcode that is too short or too long for any is wrong, without a line in the log, ten thousand times")
    func impossible() throws {
        let stand = try Stand()
        let verdicts = Notes<Bool>()
        stand.onLoop { graph in
            let (short, long) = (secret("123"), secret(String(repeating: "1", count: 257)))
            for number in 0..<10_000 {
                graph.device.parts.passcode.check(number.isMultiple(of: 2) ? short : long) { verdicts.add($0 == .wrong) }
            }
        }
        #expect(verdicts.all == Array(repeating: true, count: 10_000))
        #expect(stand.log.all.isEmpty)
    }
}

/// Holds a lane's thread until it is opened.
final class Gate: Sendable {
    private let condition = Condition()
    private let isOpen = Locked(false)

    func wait() {
        condition.withLock { held in
            while !isOpen.withLock({ $0 }) { held.wait() }
        }
    }

    func open() {
        condition.withLock { _ in isOpen.withLock { $0 = true } }
        condition.broadcast()
    }
}
