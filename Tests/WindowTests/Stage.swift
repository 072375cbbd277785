import CThumbLinux
import Foundation
import ThumbAccess
import ThumbAssembly
import ThumbConversation
import ThumbHelpers
import ThumbLoop
import ThumbPrompting
import ThumbSecrets
import ThumbService
import ThumbSimulation
import thumbturn_test_programs
import thumbturn_test_wire

/// A device with a scripted sensor in this process, a display, and the real program between them.
final class Stage {
    struct Surprise: Error {
        var what = ""
    }

    static let passcode = "staple wörd-é 7731"

    @OnLoop final class Graph {
        let sensor: SimulatedBiometry
        let clock = SimulatedClock()
        let device: Device
        let service: Service

        init(_ folder: String, _ place: CallerPlace, _ kind: BiometryKind, _ mode: DeviceMode) throws {
            sensor = SimulatedBiometry(kind: kind, enrolled: ["me"])
            let scripted = SimulatedPrompts(biometry: sensor) { $0() }
            var parts = try Assembly.simulatedDevice(
                state: folder, biometry: sensor, prompts: scripted, clock: clock, log: { _ in }
            ).parts
            var patience = PromptAgents.Patience()
            // On a machine that is busy with other tests a toolkit takes its time.
            (patience.toShow, patience.ofSilence, patience.forAgent) = (30, 20, 30)
            parts.prompts = PromptAgents(patience)
            parts.place = { _, _ in place }
            parts.mode = mode
            device = Device(parts)
            service = Service(device, onlyUser: getuid())
        }
    }

    let display: Display
    let folder: String
    let socket: String
    private let graph: Graph
    private var listener: Int32 = -1

    init(
        isDark: Bool = false, place: CallerPlace = .unknown, sensor: BiometryKind = .touchID, mode: DeviceMode = .simulated
    ) throws {
        // Short: a socket's path has about a hundred bytes.
        folder = "/tmp/turn-\(UInt32.random(in: 0 ... .max))"
        for name in ["", "/state", "/run", "/run/thumbturn"] {
            try FileManager.default.createDirectory(
                atPath: folder + name, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        socket = folder + "/run/thumbturn/socket"
        display = try Display(in: folder, isDark: isDark)
        let state = folder + "/state"
        graph = try EventLoop.shared.sync { Result { try Graph(state, place, sensor, mode) } }.get()
        let (kept, done) = (Locked(false), DispatchSemaphore(value: 0))
        let new = try SecretBytes(copying: Array(Self.passcode.utf8))
        EventLoop.shared.post { [graph] in
            graph.device.ownerSetsPasscode(new) { isKept in
                kept.withLock { $0 = isKept }
                done.signal()
            }
        }
        guard done.wait(timeout: .now() + 60) == .success, kept.withLock({ $0 }) else { throw Surprise() }
        try listen()
    }

    /// Makes the socket, anew if there was one.
    func listen() throws {
        unlink(socket)
        let fd = try UnixSocket.listen(at: socket).get()
        onLoop { $0.service.listen(on: fd) }
        listener = fd
    }

    /// Connections stay, and new ones are refused.
    func stopListening() {
        onLoop { $0.service.stopListening() }
        close(listener)
    }

    deinit {
        onLoop { $0.service.stop() }
        // A folder that can't be removed is a temporary folder left behind, nothing more.
        try? FileManager.default.removeItem(atPath: folder)
    }

    func onLoop<Value: Sendable>(_ body: @escaping @OnLoop @Sendable (Graph) -> Value) -> Value {
        EventLoop.shared.sync { [graph] in body(graph) }
    }

    /// Lets the sensor see somebody, once the window has said that it stands and the sensor listens.
    func see(owner: Bool) {
        for _ in 0..<6000 {
            let isSeen = onLoop { graph in
                guard graph.sensor.isListening else { return false }
                graph.sensor.see(owner: owner)
                return true
            }
            if isSeen { return }
            usleep(10_000)
        }
    }

    /// How many wrong passcodes were counted, and judged: each is counted before it is looked at.
    var judged: Int {
        let counted = onLoop { $0.device.parts.ledger.attempts.passcode }
        let done = DispatchSemaphore(value: 0)
        // Passcodes are looked at one after the other: whatever was counted is judged when this has had its turn.
        guard Worker.shared.run({}, then: { done.signal() }) else { return 0 }
        done.wait()
        return counted
    }

    // MARK: An app

    func app() throws -> Link {
        guard let app = Link(try UnixSocket.connect(to: socket).get(), Hello(role: .app)) else { throw Surprise() }
        return app
    }

    func ask(_ policy: Policy = .deviceOwner, _ words: PromptWords = PromptWords(reason: "open the vault")) throws -> Link {
        let app = try app()
        guard app.tell(.evaluate(EvaluationRequest(context: 1, subject: .policy(policy), words: words))) else { throw Surprise() }
        return app
    }

    /// - Parameter line: of the test that waits, which is named if it waits in vain.
    static func next(_ link: Link, line: Int = #line) throws -> Answer {
        var wait = pollfd(fd: link.fd, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, Running.patience) == 1 else { throw Surprise(what: "nothing was said to line \(line)") }
        guard let frame = link.next(waiting: true) else { throw Surprise(what: "the connection was closed in line \(line)") }
        return try Answer(frame)
    }

    static func outcome(_ app: Link, line: Int = #line) throws -> Result<Factor, EvaluationFailure> {
        let answer = try next(app, line: line)
        guard case .evaluated(let reply) = answer else { throw Surprise(what: "\(answer)") }
        return reply.result
    }

    static func ticket(_ app: Link, line: Int = #line) throws -> [UInt8] {
        let answer = try next(app, line: line)
        guard case .promptNeeded(let ticket) = answer else { throw Surprise(what: "\(answer)") }
        return ticket
    }

    // MARK: The window

    /// The program with a ticket, as a client starts it, and whether it said that it stands.
    func start(_ ticket: [UInt8], _ more: [String: String] = [:]) throws -> (program: Running, stands: Bool) {
        var (message, ready): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard thumb_pipe2(&message, O_CLOEXEC) == 0, thumb_pipe2(&ready, O_CLOEXEC) == 0 else { throw Surprise() }
        let bytes = ticket + Array(socket.utf8)
        guard write(message[1], bytes, bytes.count) == bytes.count else { throw Surprise() }
        close(message[1])
        defer { close(ready[0]) }
        let program = try Running(
            [builtPrograms.path + "/thumbturn-window"], display.environment.merging(more) { $1 }, passing: [message[0], ready[1]])
        close(message[0])
        close(ready[1])
        var wait = pollfd(fd: ready[0], events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, Running.patience) == 1 else { throw Surprise() }
        var byte: UInt8 = 0
        return (program, read(ready[0], &byte, 1) == 1 && byte == UInt8(ascii: "R"))
    }

    /// One question in a window, from the app to the screen reader.
    struct Shown {
        let app: Link
        let program: Running
        let window: String
        let reader: Reader
    }

    /// A statement to be signed, in a window: the key is made here, and needs its owner's presence.
    func showSigningIn(_ words: SignInWords) throws -> Shown {
        let reader = try Reader(on: display)
        let app = try app()
        let rule = try AccessRule(.whenUnlocked, [.privateKeyUsage, .signIn, .userPresence])
        let key = NewKey(kind: .elliptic(.p256), isEnclave: true, isPermanent: false, attributes: [:], rule: rule)
        guard app.tell(.makeKey(key)), case .key(let record) = try Self.next(app), let sealed = record.detached else {
            throw Surprise(what: "no key was made")
        }
        let asking = AskingTerms(words: PromptWords(reason: "sign in to https://other.example", cancelTitle: "Sign in"))
        let use = StatementUse(.detached(sealed), words, challenge: [UInt8](repeating: 7, count: 32), asking: asking)
        guard app.tell(.signStatement(use)) else { throw Surprise() }
        let (program, stands) = try start(try Self.ticket(app))
        guard stands else { throw Surprise(what: "the window ended with \(program.status())") }
        return Shown(app: app, program: program, window: try display.window(), reader: reader)
    }

    /// What polkit asks for, in a window. The stage is in system mode, and this user sits at a display.
    func showPolkit(_ words: PolkitWords) throws -> Shown {
        let reader = try Reader(on: display)
        guard let agent = Link(try UnixSocket.connect(to: socket).get(), Hello(role: .polkit)),
            agent.tell(AskForPolkit(uid: getuid(), words, takesFinger: true)),
            case .windowNeeded(let ticket) = try Self.next(agent)
        else { throw Surprise() }
        let (program, stands) = try start(ticket)
        guard stands else { throw Surprise(what: "the window ended with \(program.status())") }
        return Shown(app: agent, program: program, window: try display.window(), reader: reader)
    }

    func show(
        _ policy: Policy = .deviceOwner, _ words: PromptWords = PromptWords(reason: "open the vault"),
        _ more: [String: String] = [:]
    ) throws -> Shown {
        let reader = try Reader(on: display)
        let app = try ask(policy, words)
        let (program, stands) = try start(try Self.ticket(app), more)
        guard stands else { throw Surprise(what: "the window ended with \(program.status())") }
        let window = try display.window()
        return Shown(app: app, program: program, window: window, reader: reader)
    }
}
