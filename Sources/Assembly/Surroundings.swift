import ThumbAccess
import ThumbAuthentication
import ThumbBus
import ThumbLoop
import ThumbSensors

/// Where a user's fingerprint reader and session are found, and who must be keeping them.
public struct ReaderPlace: Sendable {
    /// The message bus's address.
    public var bus: String
    /// Whom fprintd and logind must run as.
    public var ownerUser: UInt32
    /// fprintd's own folder.
    public var templates: String
    /// As fprintd knows the user; nil for one without a name, who has no fingers there.
    public var user: String?
    public var uid: UInt32

    /// The machine's own: the system bus, root's services.
    public init(user: String?, uid: UInt32) {
        bus = Bus.systemAddress
        ownerUser = 0
        templates = "/var/lib/fprint"
        self.user = user
        self.uid = uid
    }
}

/// The reader, or where there is none a camera, with what is around it: it is away while the machine sleeps or its lid is closed. logind is first asked when somebody
/// first asks about the sensor, so that a daemon's start waits for no bus.
@OnLoop final class Surroundings {
    private let fingerprint: Fingerprint?
    private let face: (any Biometry)?
    /// Chosen once somebody knows whether there is a reader, and kept: what was shown to one sensor is nothing to another.
    private var chosen: (any Biometry)?
    private let none = NoBiometry()
    private var absences: Set<Fingerprint.Absence> = []
    private let logind: Logind
    private var isStarted = false
    private var isWatching = false
    private var waiting: [() -> Void] = []
    var onLock: (Bool) -> Void = { _ in }
    /// Called before the machine sleeps.
    var onSleep: () -> Void = {}
    var onChange: () -> Void = {}

    init(_ fingerprint: Fingerprint?, _ face: (any Biometry)?, _ logind: Logind) {
        self.fingerprint = fingerprint
        self.face = face
        self.logind = logind
        logind.onSleep = { [weak self] isAsleep in
            if isAsleep { self?.onSleep() }
            self?.set(.asleep, isAsleep)
        }
        logind.onLid = { [weak self] in self?.set(.lidClosed, $0) }
        logind.onLock = { [weak self] in
            self?.onLock($0)
            self?.onChange()
        }
    }

    private func set(_ absence: Fingerprint.Absence, _ isAway: Bool) {
        fingerprint?.set(absence, isAway)
        if isAway { absences.insert(absence) } else { absences.remove(absence) }
        onChange()
    }

    /// Calls back once logind was asked.
    private func start(_ then: @escaping () -> Void) {
        if isWatching { return then() }
        waiting.append(then)
        if isStarted { return }
        isStarted = true
        logind.start { [weak self] in
            guard let self else { return }
            self.isWatching = true
            let waiting = self.waiting
            self.waiting = []
            for answer in waiting { answer() }
        }
    }
}

extension Surroundings: @OnLoop Biometry {
    private var sensor: any Biometry { chosen ?? fingerprint ?? face ?? none }

    var kind: BiometryKind { sensor.kind }
    var level: BiometryLevel { sensor.level }
    var enrolment: Enrolment { sensor.enrolment }
    var facts: SensorFacts { sensor.facts }
    func condition(for caller: Caller) -> BiometryCondition {
        absences.isEmpty ? sensor.condition(for: caller) : .notAvailable
    }
    func listen(_ report: @escaping (BiometryReport) -> Void) { sensor.listen(report) }
    func stop() { sensor.stop() }

    func prepare(isCasual: Bool, _ then: @escaping () -> Void) {
        start { [self] in
            guard let fingerprint else { return then() }
            fingerprint.prepare(isCasual: isCasual) { [self] in
                if let face, chosen == nil { chosen = fingerprint.kind == .none ? face : fingerprint }
                then()
            }
        }
    }
}
