internal import Foundation
internal import ThumbAccess
internal import ThumbBus
internal import ThumbConversation
internal import ThumbLoop
internal import ThumbSecrets
internal import thumbturn_test_fingerprint

/// What a finger costs beside fprintd's own work: from its verdict, as anybody on the bus hears it, to the secret in the app's hands.
/// The fprintd is the real one, its reader libfprint's virtual one, both on a bus of the bench's own.
enum FingerBench {
    private static let rounds = 200
    private static let name: Attributes = [.account: .text("bank"), .service: .text("bench")]

    static func run(_ report: Report) throws {
        let stage = try waiting { try await FingerStage.start() }
        let hall = try waiting { try await Hall(stage) }
        let daemon = try Daemon(arguments: [
            "--tpm", "none", "--bus", stage.bus, "--bus-owner", "\(stage.user)", "--templates", stage.templates,
        ])
        defer { daemon.stop() }
        let app = try WirePeer(daemon.socket)
        try enroll(app, hall)
        try add(app)
        var (scan, release) = (Samples(), Samples())
        for round in -rounds / 10..<rounds {
            hall.forget()
            guard
                case .page(let items, _) = try app.ask(.find(Query(itemClass: .genericPassword, attributes: name, shape: .data))),
                items.first?.secret != nil
            else { throw BenchError("a finger released nothing") }
            let end = Hall.now
            guard let times = hall.times else { throw BenchError("fprintd gave no verdict") }
            // The first tenth warms.
            if round < 0 { continue }
            scan.add(times.verdict - times.wanted)
            release.add(end - times.verdict)
        }
        report.bench("fprintd-scan-to-verdict", scan, "ms")
        report.bench("finger-verdict-to-secret", release, "ms")
        report.ratio("finger-verdict-to-secret-ms", release.median, .atMost(3))
    }

    private static func enroll(_ app: WirePeer, _ hall: Hall) throws {
        _ = try app.ask(.setPasscode)
        EventLoop.shared.sync { hall.hand.watchesProperty = true }
        guard case .enrollingEnded(nil) = try app.ask(.enroll(.rightIndex)) else { throw BenchError("no finger was enrolled") }
        EventLoop.shared.sync { hall.hand.watchesProperty = false }
    }

    private static func add(_ app: WirePeer) throws {
        let item = NewItem(
            itemClass: .genericPassword, attributes: name, rule: try AccessRule(.whenUnlocked, .biometryCurrentSet),
            secret: try SecretBytes(copying: [UInt8](repeating: 9, count: 32)))
        guard case .page = try app.ask(.add(item)) else { throw BenchError("an item for the finger can't be made") }
    }

    private static func waiting<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let done = DispatchSemaphore(value: 0)
        let result = Locked<Result<Value, any Error>?>(nil)
        Task.detached {
            do {
                let value = try await body()
                result.withLock { $0 = .success(value) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
            done.signal()
        }
        done.wait()
        guard let result = result.withLock({ $0 }) else { throw BenchError("nothing came") }
        return try result.get()
    }

    /// A hand that lays the finger on whenever it is wanted, and somebody on the bus who hears fprintd's verdict when everybody does.
    @OnLoop private final class Hall {
        let hand: Hand
        private let bus: Bus
        private var subscriptions: [BusSubscription] = []
        private nonisolated let heard = Locked<(wanted: Double?, verdict: Double?)>((nil, nil))

        /// Milliseconds.
        nonisolated static var now: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e6 }

        init(_ stage: FingerStage) async throws {
            try await stage.prepare()
            hand = try Hand(stage)
            hand.habit = "SCAN ada"
            bus = try Bus(address: stage.bus)
            let heard = heard
            subscriptions = [
                bus.listen(BusRule("net.reactivated.Fprint.Device", "VerifyFingerSelected")) { _ in
                    heard.withLock { $0.wanted = Self.now }
                },
                bus.listen(BusRule("net.reactivated.Fprint.Device", "VerifyStatus")) { _ in
                    heard.withLock { $0.verdict = Self.now }
                },
            ]
            _ = try await bus.call(BusCall(Bus.driver, "/org/freedesktop/DBus", Bus.driver, "GetId"), within: 30)
            try await hand.isReady()
        }

        nonisolated var times: (wanted: Double, verdict: Double)? {
            heard.withLock { times in
                guard let wanted = times.wanted, let verdict = times.verdict else { return nil }
                return (wanted, verdict)
            }
        }

        nonisolated func forget() { heard.withLock { $0 = (nil, nil) } }
    }
}
