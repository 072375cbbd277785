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
    private let known: KnownReader?
    private var isStarted = false
    private var isWatching = false
    private var waiting: [() -> Void] = []
    /// Called when the session is locked or unlocked.
    public var onLock: (Bool) -> Void = { _ in }
    /// Called when the session comes to the front of its seat, or another one does.
    public var onFront: (Bool) -> Void = { _ in }
    /// Called before the machine sleeps, which waits for this.
    public var onSleep: () -> Void = {}
    /// Called when the machine is awake again.
    public var onWake: () -> Void = {}
    /// Called when the sensor may answer differently than before.
    public var onChange: () -> Void = {}

    /// Either sensor is nil if the machine has none of its kind.
    ///
    /// - Parameter known: the reader that knew the user when it was last here; nil if nobody remembers.
    public init(
        _ reader: (any FingerReader)?, _ face: (any Biometry)?, _ machine: any MachineWatch, known: KnownReader? = nil
    ) {
        self.reader = reader
        choice = SensorChoice(reader: reader, face: face)
        self.machine = machine
        self.known = known
        machine.onSleep = { [weak self] isAsleep, done in
            if isAsleep { self?.onSleep() }
            self?.set(.asleep, isAsleep)
            if !isAsleep { self?.onWake() }
            done()
        }
        machine.onLid = { [weak self] in self?.set(.lidClosed, $0) }
        machine.onFront = { [weak self] in self?.onFront($0) }
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

    /// The reader that is the sensor here and was unplugged; nil if there is none.
    private var unplugged: String? {
        guard let reader, choice.sensor === reader, reader.presence == .away else { return nil }
        return known?.name
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
    /// The chosen sensor's. A reader that was unplugged keeps its kind.
    public var kind: BiometryKind { unplugged == nil ? choice.sensor.kind : .touchID }
    /// The chosen sensor's.
    public var level: BiometryLevel { choice.sensor.level }
    /// The chosen sensor's.
    public var enrolment: Enrolment { choice.sensor.enrolment }
    /// The chosen sensor's. A reader that was unplugged keeps its name.
    public var facts: SensorFacts {
        guard let unplugged else { return choice.sensor.facts }
        return SensorFacts(name: unplugged, hindrance: .unplugged, tellsEnrolments: false)
    }

    /// The chosen sensor's. While the machine sleeps or the lid is closed, no sensor is available.
    public func condition(for caller: Caller) -> BiometryCondition {
        if unplugged != nil { return .disconnected }
        return absences.isEmpty ? choice.sensor.condition(for: caller) : .notAvailable
    }

    /// Makes the chosen sensor watch.
    public func listen(_ report: @escaping (BiometryReport) -> Void) { choice.sensor.listen(report) }

    /// Stops the chosen sensor.
    public func stop() { choice.sensor.stop() }

    /// Asks logind and the reader, chooses, and asks the camera if that was chosen.
    public func prepare(isCasual: Bool, _ then: @escaping () -> Void) {
        start { [self] in
            guard let reader else { return choice.sensor.prepare(isCasual: isCasual, then) }
            reader.prepare(isCasual: isCasual) { [self] in
                choice.settle()
                known?.learn(reader.presence)
                guard choice.sensor === reader else { return choice.sensor.prepare(isCasual: isCasual, then) }
                then()
            }
        }
    }
}
