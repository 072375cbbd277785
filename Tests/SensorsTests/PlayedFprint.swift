import ThumbBus
import ThumbLoop
import ThumbSensors
import thumbturn_test_fingerprint

/// An fprintd that a test plays, with two readers. The first is the one that everybody gets.
@OnLoop final class PlayedFprint: BusObjects {
    /// What comes of a call that has another answer than usual.
    enum Answer: Sendable {
        /// None, for as long as the caller has a connection.
        case never
        /// Another program has the reader.
        case inUse
    }

    let bus: Bus
    /// Each time that a finger is looked for.
    let verifying = Heard<Void>()
    /// The calls that are never answered, by their methods' names.
    let unanswered = Heard<String>()
    /// Those of them whose caller has left the bus.
    let left = Heard<String>()
    var answers: [String: Answer] = [:]

    private static let service = "net.reactivated.Fprint"
    private static let paths = (0...1).map { "/net/reactivated/Fprint/Device/\($0)" }
    private let stage: FingerStage
    private let manager = BusInterface(
        "net.reactivated.Fprint.Manager",
        methods: [
            BusMethod(
                "GetDefaultDevice", gives: ["device": "o"], now: { (_) throws(BusFailure) in [.path(PlayedFprint.paths[0])] })
        ])
    private lazy var device: BusInterface = BusInterface(
        "net.reactivated.Fprint.Device",
        methods: [
            method("Claim", takes: ["username": "s"]),
            method("Release"),
            BusMethod(
                "ListEnrolledFingers", takes: ["username": "s"], gives: ["enrolled_fingers": "as"],
                now: { (_) throws(BusFailure) in [.array([.string("right-index-finger")])] }),
            BusMethod(
                "VerifyStart", takes: ["finger_name": "s"],
                now: { [weak self] (_) throws(BusFailure) in
                    self?.verifying.put(())
                    return []
                }),
            BusMethod("VerifyStop", now: { (_) throws(BusFailure) in [] }),
        ],
        properties: [BusProperty("name", "s", now: { (_) throws(BusFailure) in .string("One of two") })],
        signals: [BusSignal("VerifyStatus", gives: ["result": "s", "done": "b"])])

    /// Has fprintd's name on that stage's bus.
    init(on stage: FingerStage) async throws {
        self.stage = stage
        bus = try Bus(address: stage.bus)
        bus.export(self)
        guard try await bus.requestName(Self.service) == .owned else { throw BusError(.refused) }
    }

    /// The real part over it. It can't read any templates.
    func fingerprint() -> Fingerprint {
        Fingerprint(
            Fingerprint.Place(bus: stage.bus, ownerUser: stage.user, templates: "/nowhere", user: stage.userName),
            hash: { _ in nil }, log: { _ in })
    }

    func interfaces(at path: String) -> [BusInterface]? {
        if path == "/net/reactivated/Fprint/Manager" { return [manager] }
        return Self.paths.contains(path) ? [device] : nil
    }

    func children(of path: String) -> [String] { [] }

    /// Says what became of a finger on a reader.
    func say(_ word: String, at reader: Int) throws {
        try bus.emit("VerifyStatus", of: device, at: Self.paths[reader], [.string(word), .bool(true)])
    }

    private func method(_ name: String, takes: BusArguments = [:]) -> BusMethod {
        BusMethod(name, takes: takes) { [weak self] (_) async throws(BusFailure) in
            try await self?.answer(name)
            return []
        }
    }

    private func answer(_ method: String) async throws(BusFailure) {
        switch answers[method] {
        case nil: return
        case .inUse:
            throw BusFailure("net.reactivated.Fprint.Error.AlreadyInUse", "Another program has the reader.")
        case .never:
            unanswered.put(method)
            // A call's task is cancelled when its caller leaves.
            while !Task.isCancelled { await moment() }
            left.put(method)
        }
    }
}
