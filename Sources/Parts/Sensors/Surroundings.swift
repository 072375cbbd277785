public import ThumbAccess
public import ThumbAuthentication
public import ThumbLoop

/// A user's sensor with what is around it: it is away while the machine sleeps or its lid is closed. logind is first asked when
/// somebody first asks about the sensor, so that a daemon's start waits for no bus.
@OnLoop public final class Surroundings {
    private let reader: (any FingerReader)?
    private var choice: SensorChoice
    private var absences: Set<ReaderAbsence> = []
    private let machine: any MachineWatch
    private var isStarted = false
    private var isWatching = false
    private var waiting: [() -> Void] = []
    /// Called when the session is locked or unlocked.
    public var onLock: (Bool) -> Void = { _ in }
    /// Called before the machine sleeps, which waits for it.
    public var onSleep: () -> Void = {}
    /// Called when the sensor may answer otherwise than before.
    public var onChange: () -> Void = {}

    /// Either sensor may be nil, where there is none of its kind.
    public init(_ reader: (any FingerReader)?, _ face: (any Biometry)?, _ machine: any MachineWatch) {
        self.reader = reader
        choice = SensorChoice(reader: reader, face: face)
        self.machine = machine
        machine.onSleep = { [weak self] isAsleep, done in
            if isAsleep { self?.onSleep() }
            self?.set(.asleep, isAsleep)
            done()
        }
        machine.onLid = { [weak self] in self?.set(.lidClosed, $0) }
        machine.onLock = { [weak self] in
            self?.onLock($0)
            self?.onChange()
        }
    }

    private func set(_ absence: ReaderAbsence, _ isAway: Bool) {
        reader?.set(absence, isAway)
        if isAway { absences.insert(absence) } else { absences.remove(absence) }
        onChange()
    }

    /// Calls back once logind was asked.
    private func start(_ then: @escaping () -> Void) {
        if isWatching { return then() }
        waiting.append(then)
        if isStarted { return }
        isStarted = true
        machine.start { [weak self] in
            guard let self else { return }
            self.isWatching = true
            let waiting = self.waiting
            self.waiting = []
            for answer in waiting { answer() }
        }
    }
}

extension Surroundings: @OnLoop Biometry {
    /// The chosen sensor's.
    public var kind: BiometryKind { choice.sensor.kind }
    /// The chosen sensor's.
    public var level: BiometryLevel { choice.sensor.level }
    /// The chosen sensor's.
    public var enrolment: Enrolment { choice.sensor.enrolment }
    /// The chosen sensor's.
    public var facts: SensorFacts { choice.sensor.facts }

    /// The chosen sensor's; no sensor is available while it is away.
    public func condition(for caller: Caller) -> BiometryCondition {
        absences.isEmpty ? choice.sensor.condition(for: caller) : .notAvailable
    }

    /// Has the chosen sensor watch.
    public func listen(_ report: @escaping (BiometryReport) -> Void) { choice.sensor.listen(report) }

    /// Has it stop.
    public func stop() { choice.sensor.stop() }

    /// Asks logind and the reader, and chooses.
    public func prepare(isCasual: Bool, _ then: @escaping () -> Void) {
        start { [self] in
            guard let reader else { return then() }
            reader.prepare(isCasual: isCasual) { [self] in
                choice.settle()
                then()
            }
        }
    }
}
