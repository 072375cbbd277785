public import ThumbAccess
public import ThumbAuthentication
public import ThumbLoop

/// A user's sensor and what is around it: it is unavailable while the machine sleeps or the lid is closed over it. logind is first asked
/// when somebody asks about the sensor, so that a daemon's start waits for no bus.
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
    /// Called before the machine sleeps, which waits for this.
    public var onSleep: () -> Void = {}
    /// Called when the sensor may answer differently than before.
    public var onChange: () -> Void = {}

    /// Either sensor is nil if the machine has none of its kind.
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

    /// Calls back once logind has been asked.
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

    /// The chosen sensor's. While the machine sleeps or the lid is closed, no sensor is available.
    public func condition(for caller: Caller) -> BiometryCondition {
        absences.isEmpty ? choice.sensor.condition(for: caller) : .notAvailable
    }

    /// Makes the chosen sensor watch.
    public func listen(_ report: @escaping (BiometryReport) -> Void) { choice.sensor.listen(report) }

    /// Stops the chosen sensor.
    public func stop() { choice.sensor.stop() }

    /// Asks logind and the reader, then chooses.
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
