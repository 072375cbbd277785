import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbConversation
import ThumbLoop
import ThumbPeers
import ThumbSecrets
import ThumbSensors
import thumbturn_test_daemon

@testable import ThumbFront

/// A machine on which no device ever comes.
@OnLoop private final class Deviceless: ProcessPlaces {
    private let hasStores: Bool
    /// How often a device was wanted.
    private(set) var wanted = 0

    nonisolated init(hasStores: Bool = true) { self.hasStores = hasStores }

    func device(of uid: UInt32, _ answer: @escaping (Int32?) -> Void) { wanted += 1 }
    func hasStore(of uid: UInt32) -> Bool { hasStores }
    func connection(to server: Want.Server) -> Int32? { nil }
    func machine(of uid: UInt32) -> any MachineWatch { Still() }
}

/// A machine on which each user has a device, and all of them are the test.
@OnLoop private final class Deviceful: ProcessPlaces {
    /// The devices' ends of their lines.
    private(set) var lines: [UInt32: Int32] = [:]
    private(set) var machines: [UInt32: Still] = [:]
    /// The users whose devices can't be started.
    private let broken: Set<UInt32>

    nonisolated init(broken: Set<UInt32> = []) { self.broken = broken }

    isolated deinit { for fd in lines.values { UnixSocket.close(fd) } }

    func device(of uid: UInt32, _ answer: @escaping (Int32?) -> Void) {
        guard !broken.contains(uid), case .success(let (front, own)) = PacketSocket.pair() else { return answer(nil) }
        lines[uid] = own
        answer(front)
    }

    func hasStore(of uid: UInt32) -> Bool { true }
    func connection(to server: Want.Server) -> Int32? { nil }

    func machine(of uid: UInt32) -> any MachineWatch {
        let machine = Still()
        machines[uid] = machine
        return machine
    }
}

@Suite("Many clients and many users at the front", .timeLimit(.minutes(5)))
struct CrowdTests {
    private struct Unheard: Error {}

    @Test("A client whose contents find no room brings all of them once there is some", .serialized, arguments: 0..<3)
    func contents(logins: Int) throws {
        let places = Places()
        let box = EventLoop.shared.sync {
            let entry = DeviceEntry(1001, places, idleSeconds: 0, log: { _ in }, ended: {})
            entry.begin()
            return LoopBox(entry)
        }
        defer { EventLoop.shared.sync { box.value.end() } }
        let line = EventLoop.shared.sync { places.device }
        // Three words each: more than a socket holds. With some logins before them it is full at another word of a client's.
        let count = 150
        let pairs = try (0..<logins + count).map { _ in try UnixSocket.pair().get() }
        defer { for pair in pairs { UnixSocket.close(pair.0) } }
        EventLoop.shared.sync {
            for pair in pairs.prefix(logins) { box.value.take(pair.1, .login) }
            for pair in pairs.dropFirst(logins) {
                let contents = PeerContents()
                for part in PeerFacts.Part.allCases { contents.put(part, thumb_open("/dev/null", O_RDONLY | O_CLOEXEC, 0)) }
                box.value.take(pair.1, .program(PeerFacts(file: nil, confinement: .none, run: .unknown)), contents)
            }
        }
        let (arrived, brought) = (WordKind.peerArrived.rawValue, WordKind.peerContents.rawValue)
        var (words, clients): ([UInt8], Int) = ([], 0)
        while clients < logins + count {
            var wait = pollfd(fd: line, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, 60_000) == 1 else { break }
            guard case .packet(let bytes, let descriptor) = PacketSocket.receive(from: line, waiting: true) else { break }
            if let descriptor { UnixSocket.close(descriptor) }
            guard bytes[4] == arrived || bytes[4] == brought else { continue }
            words.append(bytes[4])
            if bytes[4] == arrived { clients += 1 }
        }
        let client = [UInt8](repeating: brought, count: PeerFacts.Part.allCases.count) + [arrived]
        let all = [UInt8](repeating: arrived, count: logins) + [[UInt8]](repeating: client, count: count).joined()
        #expect(words == all)
    }

    /// A front for logins, at a socket of its own.
    private func withLogins(
        _ places: some ProcessPlaces & Sendable, onDevices: @escaping @Sendable (Int) -> Void = { _ in },
        log: @escaping @Sendable (String) -> Void = { _ in }, _ body: (String) throws -> Void
    ) throws {
        let path = "/tmp/turn-\(UInt32.random(in: 0 ... .max))"
        let listener = try UnixSocket.listen(at: path).get()
        defer {
            UnixSocket.close(listener)
            unlink(path)
        }
        let front = EventLoop.shared.sync {
            let front = Front(places, idleSeconds: 0, log: log)
            front.onDevices = onDevices
            front.listenForLogins(on: listener)
            return front
        }
        defer { EventLoop.shared.sync { front.stop() } }
        try body(path)
    }

    /// A login that has said whose device it wants.
    private final class Login {
        private let fd: Int32
        private var frames: FrameReader

        init(_ path: String, for uid: UInt32) throws {
            let fd = try UnixSocket.connect(to: path).get()
            var frames = FrameReader(least: WireLimit.headBytes, limit: WireLimit.frameBeforeWelcome)
            var word = OutgoingFrame(plain: Whose(uid: uid).frame(call: 0).plain, secrets: [])
            try #require(word.send(to: fd, waiting: true) == .sent)
            guard case .frame = frames.read(from: fd, waiting: true) else { throw Unheard() }
            self.fd = fd
            self.frames = frames
        }

        deinit { UnixSocket.close(fd) }

        func refusal() throws -> Refusal {
            guard case .frame(let body) = frames.read(from: fd, waiting: true) else { throw Unheard() }
            return try Frame(body).word(Refusal.self)
        }
    }

    @Test(
        "64 users have a device at once, and a client of one more is told that there are too many",
        .enabled(if: geteuid() == 0, "takes root, as a login does"))
    func devices() throws {
        #expect(FrontLimit.devices == 64)
        try withLogins(Deviceless()) { path in
            // A login says whose device it wants, so this process can be everybody's.
            let logins = try (0...FrontLimit.devices).map { try Login(path, for: 2000 + UInt32($0)) }
            // Otherwise it would wait for a device of its own, and hear after twenty seconds that there is none.
            let refusal = try logins[FrontLimit.devices].refusal()
            #expect(refusal == .tooManyConnections)
        }
    }

    /// Whether a device is told to end before its line has nothing more to say.
    private func isEnded(_ line: Int32) -> Bool {
        while UnixSocket.isReadable(line),
            case .packet(let bytes, let descriptor) = PacketSocket.receive(from: line, waiting: true)
        {
            if let descriptor { UnixSocket.close(descriptor) }
            if bytes[4] == UInt8(WordKind.endNow.rawValue) { return true }
        }
        return false
    }

    @Test(
        "a client of one more user gets a device in the place of one that nobody uses, and none in the place of one that is used again",
        .enabled(if: geteuid() == 0, "takes root, as a login does"))
    func unused() throws {
        let (places, most) = (Deviceful(), Locked(0))
        try withLogins(places, onDevices: { count in most.withLock { $0 = max($0, count) } }) { path in
            let users = (0..<FrontLimit.devices).map { 2000 + UInt32($0) }
            var logins = try users.map { try Login(path, for: $0) }
            #expect(comes { places.lines.count == users.count })
            let lines = EventLoop.shared.sync { places.lines }
            let (again, never) = (users[0], users[1])
            for user in [again, never] {
                let line = try #require(lines[user])
                let isHeard = Locked(false)
                EventLoop.shared.sync { places.machines[user]?.onSleep(true) { isHeard.withLock { $0 = true } } }
                for word in [Unused(peers: 1, isSoon: false).frame(call: 0), Done().frame(call: 1)] {
                    #expect(PacketSocket.send(word.plain, to: line, waiting: true) == .sent)
                }
                // Once its next word has been heard, the one before it has been too.
                #expect(comes { isHeard.withLock { $0 } })
            }
            logins.append(try Login(path, for: again))
            logins.append(try Login(path, for: 3000))
            #expect(comes { places.lines[3000] != nil })
            let ended = try users.filter { isEnded(try #require(lines[$0])) }
            #expect(ended == [never])
            // Nobody is unused any more.
            let refusal = try Login(path, for: 3001).refusal()
            #expect(refusal == .tooManyConnections)
        }
        #expect(most.withLock { $0 } == FrontLimit.devices)
    }

    @Test(
        "a client whose device can't be started is told so at once",
        .enabled(if: geteuid() == 0, "takes root, as a login does"))
    func broken() throws {
        let said = Locked<[String]>([])
        try withLogins(Deviceful(broken: [2000]), log: { line in said.withLock { $0.append(line) } }) { path in
            let refusal = try Login(path, for: 2000).refusal()
            #expect(refusal == .storeUnavailable)
        }
        #expect(said.withLock { $0 } == ["user 2000: the device isn't there: it can't be started"])
    }

    @Test(
        "a login has no device started of an account that has no store: anybody can name any account",
        .enabled(if: geteuid() == 0, "takes root, as a login does"))
    func storeless() throws {
        let places = Deviceless(hasStores: false)
        try withLogins(places) { path in
            for uid: UInt32 in 1...100 {
                let refusal = try Login(path, for: uid).refusal()
                #expect(refusal == .storeUnavailable)
            }
        }
        let wanted = EventLoop.shared.sync { places.wanted }
        Tally.check("su has another account's store made", succeeded: wanted > 0)
        #expect(wanted == 0)
    }
}
