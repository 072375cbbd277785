import CThumbLinux
import Foundation
import ThumbAccess
import ThumbBus
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_fingerprint
import thumbturn_test_programs

@testable import ThumbPolkitAgent

/// A bus with a login manager, polkit as this test plays it, the agent, a daemon that says what a test wants, and a helper in shell.
@OnLoop final class Stage {
    nonisolated static let action = "org.example.act"

    private let fingers: FingerStage
    private let logind: LogindStage
    private let folder: Scratch
    let polkit: PlayedPolkit
    let daemon: PlayedDaemon
    let agent: PolkitAgent
    let log = Locked<[String]>([])

    /// - Parameters:
    ///   - helper: what the helper does with `$account` and `$cookie`, in shell.
    ///   - answers: what the daemon says to each frame of the agent's.
    ///   - isThere: whether the helper reads at all. Otherwise it ends at once.
    init(helper: String = "echo SUCCESS", isThere: Bool = true, _ answers: @escaping @Sendable (Frame) -> [any Word]) async throws
    {
        fingers = try await FingerStage.start()
        logind = try await LogindStage(on: fingers)
        folder = try Scratch()
        polkit = try await PlayedPolkit(fingers.bus)
        daemon = try PlayedDaemon(folder.path + "/socket", answers)
        let program = folder.path + "/helper"
        let script =
            isThere
            ? "#!/bin/sh\naccount=$1; read -r cookie || exit 1; echo \"$account $cookie\" >> '\(folder.path)/seen'\n\(helper)\n"
            : "#!/bin/sh\nexit 1\n"
        try writeScript(script, to: program)
        let bus = try Bus(address: fingers.bus, valueLimit: PolkitAgent.valueLimit)
        let places = PolkitPlaces(socket: folder.path + "/socket", owners: [getuid()], helper: program)
        agent = PolkitAgent(bus, users: [getuid()], places, locale: "de_DE.UTF-8") { [log] line in
            log.withLock { $0.append(line) }
        }
        try await agent.begin()
    }

    /// What the helper was told, a line a run.
    var seen: [String] {
        let text = (try? String(contentsOfFile: folder.path + "/seen", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// The bus's address, for others on it.
    var address: String { fingers.bus }

    /// As polkit asks about the user who runs this test.
    nonisolated static func question(cookie: String = "1-cookie") -> [BusValue] {
        let own = BusValue.structure([.string("unix-user"), .array([.entry([.string("uid"), .variant(.uint32(getuid()))])])])
        return [
            .string(action), .string("Do it"), .string("dialog-password"),
            .array([
                .entry([.string("polkit.caller-pid"), .string("\(getpid())")]),
                .entry([.string("polkit.subject-pid"), .string("\(getpid())")]),
            ]), .string(cookie), .array([own]),
        ]
    }
}

/// Polkit on a bus, as far as its agents see it.
@OnLoop final class PlayedPolkit: BusObjects {
    nonisolated static let errors = "org.freedesktop.PolicyKit1.Error."

    struct Registration: Sendable, Equatable {
        let agent: String
        let session: String?
        let locale: String?
        let path: String
    }

    private let bus: Bus
    private(set) var registrations: [Registration] = []
    /// Whether it takes its time to tell its actions, and whether it was asked for them.
    var isSlow = false
    private(set) var isAsked = false
    /// Called with each registration. As the real one it takes one of each agent.
    var onRegistration: () -> Void = {}
    private let answers: Bool

    /// - Parameter answers: whether it answers a registration at all.
    init(_ address: String, answers: Bool = true) async throws {
        self.answers = answers
        bus = try Bus(address: address)
        bus.export(self)
        // The one before may be on the bus for a moment after it has left.
        for _ in 0..<600 {
            if case .owned = try await bus.requestName("org.freedesktop.PolicyKit1") { return }
            await withCheckedContinuation { done in _ = EventLoop.shared.after(0.1) { done.resume() } }
        }
        throw Taken()
    }

    struct Taken: Error {}

    private lazy var authority = BusInterface(
        "org.freedesktop.PolicyKit1.Authority",
        methods: [
            BusMethod("RegisterAuthenticationAgent", takes: ["subject": "(sa{sv})", "locale": "s", "object_path": "s"]) {
                [weak self] call async throws(BusFailure) in
                guard let self, !registrations.contains(where: { $0.agent == call.sender }) else {
                    throw BusFailure(Self.errors + "Failed", "An authentication agent already exists for the given subject")
                }
                registrations.append(
                    Registration(
                        agent: call.sender, session: call.values[0].list?[1]["session-id"]?.text, locale: call.values[1].text,
                        path: call.values[2].text ?? ""))
                onRegistration()
                if !answers { await withCheckedContinuation { done in _ = EventLoop.shared.after(30) { done.resume() } } }
                return []
            },
            BusMethod("EnumerateActions", takes: ["locale": "s"], gives: ["actions": "a(ssssssuuua{ss})"]) {
                [weak self] (_) async throws(BusFailure) in
                self?.isAsked = true
                while self?.isSlow == true {
                    await withCheckedContinuation { done in _ = EventLoop.shared.after(0.01) { done.resume() } }
                }
                return [
                    .array([
                        .structure([
                            .string(Stage.action), .string("An act"), .string("Do it"), .string("The makers"), .string(""),
                            .string(""), .uint32(0), .uint32(0), .uint32(4),
                            .array([.entry([.string("a"), .string("b")])]),
                        ])
                    ])
                ]
            },
        ])

    /// Its process ends.
    func leave() { bus.close() }

    func interfaces(at path: String) -> [BusInterface]? { path == "/org/freedesktop/PolicyKit1/Authority" ? [authority] : nil }
    func children(of path: String) -> [String] { [] }

    /// Asks the agent, from polkit's own connection. Throws the agent's error.
    func begin(_ question: [BusValue] = Stage.question()) async throws(BusError) {
        try await Self.begin(question, registrations[0], on: bus)
    }

    static func begin(_ question: [BusValue], _ agent: Registration, on bus: Bus) async throws(BusError) {
        _ = try await bus.call(
            BusCall(
                agent.agent, agent.path, "org.freedesktop.PolicyKit1.AuthenticationAgent", "BeginAuthentication", question,
                as: "sssa{ss}sa(sa{sv})"), within: 120)
    }

    func cancel(_ cookie: String) async throws(BusError) { try await Self.cancel(cookie, registrations[0], on: bus) }

    static func cancel(_ cookie: String, _ agent: Registration, on bus: Bus) async throws(BusError) {
        _ = try await bus.call(
            BusCall(
                agent.agent, agent.path, "org.freedesktop.PolicyKit1.AuthenticationAgent", "CancelAuthentication",
                [.string(cookie)]), within: 120)
    }
}

/// A daemon's socket behind which somebody answers each frame with the words that a test wants.
final class PlayedDaemon: Sendable {
    private let listener: Int32
    private let heard = Locked<[Frame]>([])

    init(_ path: String, _ answers: @escaping @Sendable (Frame) -> [any Word]) throws {
        let listener = try UnixSocket.listen(at: path).get()
        self.listener = listener
        let heard = heard
        Thread.detachNewThread {
            while let fd = UnixSocket.accept(listener) {
                Thread.detachNewThread { Self.serve(fd, heard, answers) }
            }
        }
    }

    deinit {
        stop()
        close(listener)
    }

    /// Nobody listens there any more. Its thread wakes up by that, and ends.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    /// What the agent has said, without its hellos.
    var frames: [Frame] { heard.withLock { $0 } }

    func words<Said: Word>(_ type: Said.Type) -> [Said] {
        frames.compactMap { $0.kind == Said.wireKind ? try? $0.word(Said.self) : nil }
    }

    private static func serve(
        _ fd: Int32, _ heard: Locked<[Frame]>, _ answers: @escaping @Sendable (Frame) -> [any Word]
    ) {
        defer { UnixSocket.close(fd) }
        var frames = FrameReader(least: WireLimit.headBytes, limit: WireLimit.frame)
        while case .frame(let body) = frames.read(from: fd, waiting: true), let frame = try? Frame(body) {
            var words: [any Word] = [Welcome(mode: .system)]
            if frame.kind != .hello {
                heard.withLock { $0.append(frame) }
                words = answers(frame)
            }
            for word in words {
                let encoded = word.frame(call: frame.call)
                var answer = OutgoingFrame(plain: encoded.plain, secrets: encoded.secrets)
                guard answer.send(to: fd, waiting: true) == .sent else { return }
            }
        }
    }
}
