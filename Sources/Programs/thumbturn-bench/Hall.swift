import Foundation
import ThumbAccess
import ThumbBus
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_fingerprint
import thumbturn_test_wire

/// A hand that puts the finger on the reader whenever one is wanted, and a program that asks fprintd itself.
@OnLoop final class Hall {
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

    /// Whether it puts the finger there at all.
    var isThere = true

    private func touch() {
        shown.withLock { $0 = Self.now }
        hand.show("SCAN ada")
    }

    init(_ stage: FingerStage) async throws {
        try await stage.prepare()
        hand = try Hand(stage)
        bus = try Bus(address: stage.bus)
        user = stage.userName
        hand.onWanted = { [unowned self] in
            if isThere { touch() }
        }
        path = try await ask("/net/reactivated/Fprint/Manager", "net.reactivated.Fprint.Manager", "GetDefaultDevice")?.text ?? ""
        try await hand.isReady()
    }

    /// Chooses a passcode, and enrols the finger.
    nonisolated func enroll(_ app: WirePeer) throws {
        _ = try app.ask(.setPasscode)
        EventLoop.shared.sync { self.hand.watchesProperty = true }
        guard case .enrollingEnded(nil) = try app.ask(.enroll(.rightIndex)) else { throw BenchError("no finger was enrolled") }
        EventLoop.shared.sync { self.hand.watchesProperty = false }
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
        try await release()
        return verdict.at - shownAt
    }

    /// Has the reader for itself. The daemon releases it a moment after its answer.
    func claim() async throws {
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

    func release() async throws { _ = try await ask(path, Self.device, "Release") }

    @discardableResult
    private func ask(_ path: String, _ interface: String, _ member: String, _ values: BusValue...) async throws -> BusValue? {
        try await bus.call(BusCall("net.reactivated.Fprint", path, interface, member, values), within: 60).values.first
    }
}
