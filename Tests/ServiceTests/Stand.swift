import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbAssembly
import ThumbAuthentication
import ThumbConversation
import ThumbHelpers
import ThumbLoop
import ThumbSecrets
import ThumbSimulation
import thumbturn_test_wire

@testable import ThumbService

/// A secret of those bytes.
func secret(_ text: String) -> SecretBytes {
    // A test without locked memory for a few bytes can't go on.
    try! SecretBytes(copying: Array(text.utf8))
}

/// A service of a test's own: a real store and keybag, a scripted sensor, and prompts that come with tickets as the daemon's do.
final class Stand: Sendable {
    private let folder: URL
    private let graph: Graph
    let log = Notes<String>()
    let population = Notes<Int>()
    /// Where the users of the peers that say hello from now on sit.
    let place = Locked<CallerPlace>(.unknown)

    @OnLoop final class Graph {
        let sensor: SimulatedBiometry
        let known: KnownSensor
        let seat = SimulatedSeat()
        let clock: SimulatedClock
        let ledger: BreakableLedger
        let passcode: OpeningPasscode
        let device: Device
        let service: Service
        /// Callers of a test's own making, for as long as it lasts.
        var strangers: [(Session, App)] = []

        init(
            _ folder: String, _ biometry: BiometryKind, secondsForHello: Double, secondsToStand: Double,
            patience: PromptAgents.Patience, onlyUser: UInt32?,
            _ fingers: (any FingerKeeper)?, _ account: (any AccountPassword)?, _ log: Notes<String>, _ population: Notes<Int>,
            _ place: Locked<CallerPlace>, _ limits: MeterLimits, _ mode: DeviceMode
        ) throws {
            sensor = SimulatedBiometry(kind: biometry, enrolled: biometry == .none ? [] : ["me"])
            clock = SimulatedClock()
            let scripted = SimulatedPrompts(biometry: sensor) { $0() }
            var parts = try Assembly.simulatedDevice(
                state: folder, biometry: sensor, prompts: scripted, clock: clock, meter: MainMeter(limits), log: { log.add($0) }
            ).parts
            known = KnownSensor(sensor)
            parts.biometry = known
            parts.mode = mode
            parts.prompts = PromptAgents(patience)
            parts.seat = seat
            parts.place = { _, _ in place.withLock { $0 } }
            parts.fingers = fingers
            parts.account = account
            passcode = OpeningPasscode(parts.passcode)
            parts.passcode = passcode
            ledger = BreakableLedger(parts.ledger)
            parts.ledger = ledger
            device = Device(parts)
            service = Service(device, onlyUser: onlyUser, secondsForHello: secondsForHello, secondsToStand: secondsToStand)
            service.onPopulation = { population.add($0) }
        }
    }

    init(
        biometry: BiometryKind = .touchID, passcode: String? = "1234", secondsForHello: Double = 60,
        secondsToStand: Double = 60, patience: PromptAgents.Patience = .ofTests, onlyUser: UInt32? = getuid(),
        fingers: NotingKeeper? = nil,
        account: OneAccount? = nil, limits: MeterLimits = MeterLimits(), mode: DeviceMode = .simulated
    ) throws {
        folder = URL(filePath: "/tmp/turn-\(UInt32.random(in: 0 ... .max))")
        // Other users may come in as far as the socket; the store has a folder of its own.
        try FileManager.default.createDirectory(
            at: folder.appending(path: "state"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try FileManager.default.setAttributes([.posixPermissions: 0o711], ofItemAtPath: folder.path)
        let (state, log, population, place) = (folder.appending(path: "state").path, log, population, place)
        graph = try EventLoop.shared.sync {
            Result {
                try Graph(
                    state, biometry, secondsForHello: secondsForHello, secondsToStand: secondsToStand, patience: patience,
                    onlyUser: onlyUser,
                    fingers, account, log, population, place, limits, mode)
            }
        }.get()
        guard let passcode else { return }
        let kept = Notes<Bool>()
        let new = secret(passcode)
        EventLoop.shared.post { [graph] in graph.device.ownerSetsPasscode(new) { kept.add($0) } }
        try #require(kept.wait { !$0.isEmpty } == [true])
    }

    deinit {
        let graph = graph
        EventLoop.shared.sync { graph.service.stop() }
        // A folder that can't be removed is a temporary folder left behind, nothing more.
        try? FileManager.default.removeItem(at: folder)
    }

    func onLoop<Value: Sendable>(_ body: @escaping @OnLoop @Sendable (Graph) -> Value) -> Value {
        EventLoop.shared.sync { [graph] in body(graph) }
    }

    /// Lets the sensor see somebody, once it listens; false where it never does.
    func see(owner: Bool) -> Bool {
        for _ in 0..<6000 {
            let isSeen = onLoop { graph in
                guard graph.sensor.isListening else { return false }
                graph.sensor.see(owner: owner)
                return true
            }
            if isSeen { return true }
            usleep(10_000)
        }
        return false
    }

    /// A peer at the other end of a pair of sockets.
    func connect(as arrived: PeerArrived? = nil) throws -> Peer {
        let (mine, theirs) = try UnixSocket.pair().get()
        onLoop { $0.service.serve(theirs, as: arrived) }
        return Peer(mine, of: self)
    }

    /// A peer whose first words lie in its socket before the service sees it: no time passes between its coming and them. The loop may be
    /// busy after that, as with a long call.
    func connect(saying bytes: [UInt8], thenBusyFor microseconds: UInt32 = 0) throws -> Peer {
        let (mine, theirs) = try UnixSocket.pair().get()
        // A listener's connections have this before their first byte.
        UnixSocket.passCredentials(theirs)
        let peer = Peer(mine, of: self)
        try peer.send(raw: bytes)
        onLoop { graph in
            graph.service.serve(theirs)
            if microseconds > 0 { usleep(microseconds) }
        }
        return peer
    }

    /// A peer that has said hello as an app.
    func app(label: String? = nil) throws -> Peer {
        let peer = try connect()
        try peer.send(.hello(Hello(role: .app, label: label)))
        guard case .welcome? = try peer.next() else { throw Peer.Surprise() }
        return peer
    }

    /// Listens at a socket that every user can reach, to see them turned away by who they are and not by the file's mode.
    func listen() throws -> String {
        let path = folder.appending(path: "socket").path
        let fd = try UnixSocket.listen(at: path).get()
        try #require(chmod(path, 0o777) == 0)
        onLoop { $0.service.listen(on: fd) }
        return path
    }

    /// What somebody hears who connects and is brought as a login: nothing, where it isn't root.
    func hears(_ connect: (String) throws -> Int32) throws -> Peer {
        let path = folder.appending(path: "logins").path
        let listener = try UnixSocket.listen(at: path).get()
        defer { close(listener) }
        try #require(chmod(path, 0o777) == 0)
        let theirs = try connect(path)
        let accepted = try #require(UnixSocket.accept(listener))
        onLoop { $0.service.serve(accepted, as: .login) }
        return Peer(theirs, of: self)
    }

    /// What one request of such a caller is answered, whoever this process is.
    func ask(_ word: some Word, as caller: Caller) throws -> Answer? {
        let (mine, theirs) = try UnixSocket.pair().get()
        let peer = Peer(mine, of: self)
        try EventLoop.shared.sync { [graph] in
            Result {
                guard let facts = UnixSocket.peer(of: theirs) else { throw Peer.Surprise() }
                let session = Session(theirs, facts, nil, nil, graph.service)
                let app = App(session, graph.device, graph.service.population, caller)
                graph.strangers.append((session, app))
                try app.take(try Frame(try SecretBytes(copying: word.frame(call: 1).bytes.dropFirst(4))))
            }
        }.get()
        return try peer.next()
    }

    /// To be called on the loop.
    @OnLoop func serve(_ fd: Int32) { graph.service.serve(fd) }

    @OnLoop func setPasscode(_ new: SecretBytes, _ answer: @escaping (Bool) -> Void) {
        graph.device.ownerSetsPasscode(new, answer)
    }

    @OnLoop func ownerRemovesPasscode(_ answer: @escaping (Bool) -> Void) { graph.device.ownerSetsPasscode(nil, answer) }

    /// Lets so much time pass on the loop's own clock.
    func rest(_ seconds: Double) {
        let over = Notes<Bool>()
        EventLoop.shared.post { _ = EventLoop.shared.after(seconds) { over.add(true) } }
        _ = over.wait { !$0.isEmpty }
    }

    /// Waits until nobody is connected any more.
    func isEmpty() -> Bool { population.wait { $0.last == 0 }.last == 0 }
}

/// Somebody at the other end of a connection, who says what it likes.
final class Peer {
    struct Surprise: Error {}

    let fd: Int32
    private var frames = FrameReader(least: WireLimit.headBytes, limit: WireLimit.frame)
    private var isClosed = false
    private var saidShown = false

    /// Its service lasts as long as somebody is connected to it.
    private let stand: Stand?

    init(_ fd: Int32, of stand: Stand? = nil) {
        self.fd = fd
        self.stand = stand
    }

    deinit { close() }

    func close() {
        if !isClosed { UnixSocket.close(fd) }
        isClosed = true
    }

    func send(raw bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { CThumbLinux.send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw Errno(thumb_errno()) }
            rest = rest.dropFirst(count)
        }
    }

    func send(_ word: some Word, call: UInt32 = 1) throws { try send(raw: word.frame(call: call).bytes) }

    /// The next answer; nil once the connection is closed.
    func next() throws -> Answer? { try nextWithCall()?.answer }

    func nextWithCall() throws -> (call: UInt32, answer: Answer)? {
        try nextFrame().map { ($0.call, try Answer($0)) }
    }

    func nextFrame() throws -> Frame? {
        // Longer than anything here takes: a test fails instead of hanging.
        var wait = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
        try #require(poll(&wait, 1, 60_000) == 1, "nothing came")
        switch frames.read(from: fd, waiting: true) {
        case .frame(let body): return try Frame(body)
        case .closed: return nil
        case .failed(let code): throw Errno(code)
        case .later, .badLength, .noRoom: throw Surprise()
        }
    }

    /// Why the peer is refused, if the connection is closed after that and nothing else is said.
    func refusal() throws -> Refusal? {
        guard case .refused(let reason)? = try next() else { return nil }
        return try isAtEnd() ? reason : nil
    }

    /// Whether the other side has closed, with nothing said before.
    func isAtEnd() throws -> Bool { try next() == nil }

    /// Whether everything that others said before has been heard: the service takes one word after the other.
    func isHeard() throws -> Bool {
        try send(.echo(secret("x")), call: 77)
        return try nextWithCall()?.call == 77
    }

    func ticket() throws -> [UInt8] {
        guard case .promptNeeded(let ticket)? = try next() else { throw Surprise() }
        return ticket
    }

    func evaluated() throws -> Result<Factor, EvaluationFailure>? {
        guard case .evaluated(let reply)? = try next() else { return nil }
        return reply.result
    }

    /// What is to be shown; the first is on the screen from then on.
    func shown() throws -> PromptContent? {
        while let answer = try next() {
            if case .wait = answer { continue }
            guard case .show(let content) = answer else { return nil }
            if !saidShown { try send(.shown) }
            saidShown = true
            return content
        }
        return nil
    }

    func dismissed() throws -> PromptEnding? {
        guard case .dismiss(let ending)? = try next() else { return nil }
        return ending
    }
}

extension PromptAgents.Patience {
    /// Tests' prompts say what they are told to, and nothing each second. A prompt that only its silence would end outlasts every test.
    static var ofTests: PromptAgents.Patience {
        var patience = PromptAgents.Patience()
        (patience.forTicket, patience.forAgent, patience.toShow, patience.ofSilence) = (60, 60, 60, 3600)
        return patience
    }
}

/// Something the loop adds to and a test waits for.
final class Notes<Note: Sendable>: Sendable {
    private let condition = Condition()
    private let notes = Locked<[Note]>([])

    func add(_ note: Note) {
        condition.withLock { _ in notes.withLock { $0.append(note) } }
        condition.broadcast()
    }

    var all: [Note] { notes.withLock { $0 } }

    /// The notes once they are enough, or what there is after a minute.
    func wait(until isEnough: ([Note]) -> Bool) -> [Note] {
        condition.withLock { held in
            let end = ContinuousClock.now + .seconds(60)
            while !isEnough(all), ContinuousClock.now < end { _ = held.wait(atMost: .milliseconds(200)) }
            return all
        }
    }
}
