import LocalAuthentication
import Testing
import Thumbturn
import ThumbturnSimulator
import thumbturn_test_support

/// Everything that installs a device, one after the other: a process has one.
@Suite("On a simulated device", .serialized, .oneDevice)
@MainActor struct OnDevice {}

/// A clock that a test turns.
@MainActor final class TestClock {
    var now = Date(timeIntervalSinceReferenceDate: 800_000_000)
    func advance(by seconds: TimeInterval) { now += seconds }
}

/// Waits until something holds; a test that waits in vain fails.
@MainActor func until(_ what: Comment, _ holds: @MainActor () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while !holds() {
        try #require(ContinuousClock.now < end, what)
        try await Task.sleep(for: .milliseconds(2))
    }
}

extension SimulatedDevice {
    /// Whether a prompt is up.
    var isAsking: Bool { prompts.last.map { $0.outcome == nil } ?? false }

    /// Five misses, in as many calls as that takes: a finger's prompt ends at the third, a face's waits for a button at the second.
    @MainActor func lockBiometryOut() async {
        switch LAContext().biometryType {
        case .faceID: answer(.noMatch, .noMatch, .cancel, .noMatch, .noMatch, .cancel, .noMatch)
        default: answer(.noMatch, .noMatch, .noMatch, .noMatch, .noMatch)
        }
        while unusedAnswers > 0 {
            _ = try? await LAContext().evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "miss")
        }
    }
}

/// A context that says what a test tells it to.
final class MockContext: LAContext {
    private let failure: LAError.Code?
    private let kind: LABiometryType
    private let outcome: (Bool, LAError?)

    init(
        preflight failure: LAError.Code? = nil, kind: LABiometryType = .touchID,
        evaluation outcome: (Bool, LAError?) = (true, nil)
    ) {
        self.failure = failure
        self.kind = kind
        self.outcome = outcome
        super.init()
    }

    override var biometryType: LABiometryType { kind }

    override func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
        error?.pointee = failure.map { LAError($0) as NSError }
        return failure == nil
    }

    override func evaluatePolicy(
        _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let outcome = outcome
        DispatchQueue.global().async { reply(outcome.0, outcome.1) }
    }
}

/// A context whose reply a test gives when it likes, invalidated or not.
final class HeldContext: LAContext {
    typealias Reply = @Sendable (Bool, (any Error)?) -> Void
    private let (replies, held) = AsyncStream<Reply>.makeStream()

    /// Waits for an evaluation to begin.
    @MainActor func reply() async throws -> Reply {
        var waiting = replies.makeAsyncIterator()
        return try #require(await waiting.next(isolation: MainActor.shared))
    }

    override func evaluatePolicy(_ policy: LAPolicy, localizedReason: String, reply: @escaping Reply) { held.yield(reply) }
}
