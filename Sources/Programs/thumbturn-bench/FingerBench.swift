import Foundation
import ThumbAccess
import ThumbBus
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_fingerprint
import thumbturn_test_wire

/// What a finger costs besides fprintd's own work: from the finger on the reader to the secret in the app. In turn with it, a program asks
/// fprintd itself and waits for its verdict. This is the real fprintd with libfprint's virtual reader, both on a bus of the bench's own.
enum FingerBench {
    /// After each prompt the reader rests for a second. Nobody has a finger on it then, so the second isn't counted, but it makes a run
    /// long.
    private static let rounds = 60
    private static let name: Attributes = [.account: .text("bank"), .service: .text("bench")]

    static func run(_ report: Report) throws {
        let stage = try waiting { try await FingerStage.start() }
        let hall = try waiting { try await Hall(stage) }
        let daemon = try Daemon(arguments: [
            "--tpm", "none", "--bus", stage.bus, "--bus-owner", "\(stage.user)", "--templates", stage.templates,
            "--seat", "open",
        ])
        defer { daemon.stop() }
        let app = try WirePeer(daemon.socket)
        try enroll(app, hall)
        try add(app)
        var (verdict, secret) = (Samples(), Samples())
        let find = FindItems(Query(itemClass: .genericPassword, attributes: name, shape: .data))
        for round in -rounds / 10..<rounds {
            let own = try waiting { try await hall.verify() }
            guard case .page(let items, _) = try app.ask(find), items.first?.secret != nil else {
                throw BenchError("a finger released nothing")
            }
            let whole = Hall.now - hall.shownAt
            // The first tenth warms up.
            if round < 0 { continue }
            verdict.add(own)
            secret.add(whole)
        }
        report.bench("finger-to-fprintd-verdict", verdict, "ms", peer: PeerCase.fprintd)
        report.bench("finger-to-secret", secret, "ms")
        report.ratio("finger-to-secret-beyond-fprintd-ms", secret.median - verdict.median, .atMost(3))
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
}

/// A hand that puts the finger on the reader whenever one is wanted, and a program that asks fprintd itself.
@OnLoop private final class Hall {
    private static let device = "net.reactivated.Fprint.Device"

    let hand: Hand
    private let bus: Bus
    private let user: String
    private var path = ""
    private let heard = Heard<(name: String, at: Double)>()
    private var subscription: BusSubscription?
    private nonisolated let shown = Locked(0.0)

    /// Milliseconds.
    nonisolated static var now: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e6 }
    /// When the finger was last put on the reader.
    nonisolated var shownAt: Double { shown.withLock { $0 } }

    init(_ stage: FingerStage) async throws {
        try await stage.prepare()
        hand = try Hand(stage)
        bus = try Bus(address: stage.bus)
        user = stage.userName
        hand.onWanted = { [unowned self] in
            shown.withLock { $0 = Self.now }
            hand.show("SCAN ada")
        }
        path = try await ask("/net/reactivated/Fprint/Manager", "net.reactivated.Fprint.Manager", "GetDefaultDevice")?.text ?? ""
        try await hand.isReady()
    }

    /// Verifies by itself. Returns the milliseconds from the finger to the verdict.
    func verify() async throws -> Double {
        try await claim()
        let heard = heard
        subscription = bus.listen(BusRule(Self.device, "VerifyStatus", path: path)) { signal in
            heard.put((signal.values.first?.text ?? "", Self.now))
        }
        _ = try await ask(path, Self.device, "VerifyStart", .string("any"))
        let verdict = await heard.next()
        subscription = nil
        guard verdict.name == "verify-match" else { throw BenchError("fprintd says \(verdict.name)") }
        _ = try await ask(path, Self.device, "VerifyStop")
        _ = try await ask(path, Self.device, "Release")
        return verdict.at - shownAt
    }

    /// The daemon releases the reader a moment after its answer.
    private func claim() async throws {
        let patience = Self.now + 5000
        while true {
            do {
                _ = try await ask(path, Self.device, "Claim", .string(user))
                return
            } catch {
                if Self.now > patience { throw error }
            }
        }
    }

    @discardableResult
    private func ask(_ path: String, _ interface: String, _ member: String, _ values: BusValue...) async throws -> BusValue? {
        try await bus.call(BusCall("net.reactivated.Fprint", path, interface, member, values), within: 60).values.first
    }
}
