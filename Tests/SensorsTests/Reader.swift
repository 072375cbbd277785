import CThumbLinux
import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbBus
import ThumbCrypto
import ThumbLoop
import ThumbSensors
import thumbturn_test_fingerprint

/// The tests that have a bus with the real fprintd on it, one after the other: thirty fprintds at once on two cores answer so late
/// that nothing is learnt from it.
@Suite("On a bus", .serialized) enum OnABus {}

/// The real part on a stage of its own, and a hand at its reader.
@OnLoop final class Reader {
    let stage: FingerStage
    let hand: Hand
    let fingerprint: Fingerprint
    private(set) var log: [String] = []
    /// When the latest enrolment was told to have ended. The rest after it begins no earlier.
    private(set) var enrolmentEnded = 0.0

    init(
        identifies: Bool = false, owner: UInt32? = nil, templates: String? = nil, weak: Bool = false,
        on given: FingerStage? = nil
    ) async throws {
        let stage: FingerStage
        if let given { stage = given } else { stage = try await FingerStage.start(identifies: identifies) }
        try await stage.prepare()
        self.stage = stage
        hand = try Hand(stage)
        try await hand.isReady()
        let said = Log()
        fingerprint = Fingerprint(
            Fingerprint.Place(
                bus: stage.bus, ownerUser: owner ?? stage.user, templates: templates ?? stage.templates, user: stage.userName),
            hash: { try? HashFunction.sha256.hash($0) }, log: { said.lines.append($0) })
        fingerprint.allowsWeakEnrolment = { weak }
        // A script lifts its finger, and a test that is about the rest says so.
        fingerprint.restAfterEnrolling = 0
        self.said = said
    }

    let said: Log

    @OnLoop final class Log { var lines: [String] = [] }

    static let caller = Caller(uid: 0, pid: 0, kind: .consented, name: "tests", groups: [])

    /// Everything that is known, looked up anew.
    func look() async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            fingerprint.prepare(isCasual: false) { done.resume() }
        }
    }

    /// Enrolls what the virtual reader calls `scan`, seen so many times; how it ended, and what was said on the way. A reader that
    /// identifies wants to see it once more where others are enrolled, and says nothing of it.
    @discardableResult
    func enroll(
        _ finger: Finger, scan: String, times: Int = 5
    ) async -> (failure: EnrollingFailure?, steps: [EnrollingProgress]) {
        await enrolling(finger) { [hand] in for _ in 0..<times { hand.show("SCAN \(scan)") } }
    }

    func enrolling(
        _ finger: Finger, _ begun: () -> Void
    ) async -> (failure: EnrollingFailure?, steps: [EnrollingProgress]) {
        let heard = Heard<EnrollingReport>()
        fingerprint.enroll(finger) { [self] report in
            if case .ended = report { enrolmentEnded = EventLoop.now }
            heard.put(report)
        }
        var steps: [EnrollingProgress] = []
        while true {
            switch await heard.next() {
            case .progress(let step):
                if steps.isEmpty { begun() }
                steps.append(step)
            case .ended(let failure): return (failure, steps)
            }
        }
    }

    func forget(_ finger: Finger?) async -> EnrollingFailure? {
        await withCheckedContinuation { done in fingerprint.forget(finger) { done.resume(returning: $0) } }
    }

    func fingers() async -> Result<EnrolledFingers, EnrollingFailure> {
        await withCheckedContinuation { done in fingerprint.fingers { done.resume(returning: $0) } }
    }

    /// Listens while the hand does these things; what is heard.
    func listen(_ script: [String]) -> Heard<BiometryReport> {
        hand.script = script
        let heard = Heard<BiometryReport>()
        fingerprint.listen { heard.put($0) }
        return heard
    }

    /// The same, from the moment on at which fprintd looks for a finger; what the hand holds out then it still has.
    func watching(_ script: [String] = []) async -> Heard<BiometryReport> {
        let looking = Heard<Void>()
        hand.onWanted = { looking.put(()) }
        let heard = listen(script)
        await looking.next()
        hand.onWanted = nil
        return heard
    }

    /// Whether nobody has the reader: another program's claim is granted at the first word.
    func isUnclaimed() async throws -> Bool {
        let bus = try Bus(address: stage.bus)
        func call(_ path: String, _ interface: String, _ member: String, _ values: [BusValue] = []) async throws(BusError)
            -> BusValue?
        {
            try await bus.call(
                BusCall("net.reactivated.Fprint", path, "net.reactivated.Fprint." + interface, member, values), within: 60
            ).values.first
        }
        let path = try await call("/net/reactivated/Fprint/Manager", "Manager", "GetDefaultDevice")?.text ?? ""
        do {
            _ = try await call(path, "Device", "Claim", [.string("")])
        } catch {
            guard error.name == "net.reactivated.Fprint.Error.AlreadyInUse" else { throw error }
            return false
        }
        _ = try await call(path, "Device", "Release")
        return true
    }

    /// Whether another program can have the reader and see the finger, now.
    func isFree(scan: String) async throws -> Bool {
        let other = try await Reader(on: stage)
        await other.look()
        let heard = other.listen(["SCAN \(scan)"])
        let report = await heard.next()
        other.fingerprint.stop()
        await other.fingerprint.settle()
        if case .match = report { return true }
        return false
    }
}
