public import ThumbAccess
public import ThumbAuthentication
import ThumbConversation
public import ThumbLoop

/// A reader behind its broker, because a device of system mode has no bus.
///
/// Everything known about the reader is in the broker's last snapshot, and `prepare` always asks for a new one. A call that reads the
/// enrolment prepares first, and again after each wait (`Inquiry`), so it never sees a snapshot older than itself. A match brings the
/// enrolment that it was made with, and the snapshot takes that over. If the broker doesn't answer, the enrolment is unknown.
@OnLoop public final class RemoteReader {
    /// How many seconds a question about the sensor waits for the broker. The broker itself waits for fprintd, and then answers with what
    /// it knows.
    private static let questionPatience = 8.0

    private let reach: () -> Int32?
    private let log: (String) -> Void
    public var allowsWeakEnrolment: () -> Bool = { false }
    private var wire: ReaderWire?
    private var snapshot: ReaderSnapshot?
    private var absences: Set<ReaderAbsence> = []

    /// Callers that wait for the answer to the question that the broker has now.
    private var asked: (call: UInt32, then: [() -> Void], timer: LoopTimer)?
    /// Callers that came after that question was asked. They wait for the next one.
    private var waiting: [() -> Void] = []
    private var isWaitingCasual = true

    private var watch: (call: UInt32, report: (BiometryReport) -> Void)?
    private var enrolling: (call: UInt32, report: (EnrollingReport) -> Void)?
    private var lists: [UInt32: (Result<EnrolledFingers, EnrollingFailure>) -> Void] = [:]
    private var forgets: [UInt32: (EnrollingFailure?) -> Void] = [:]
    private var models: [UInt32: (FaceModels) -> Void] = [:]

    /// - Parameter reach: makes a connection on which the broker knows which user it serves, and which this takes over; nil if there is
    ///   none.
    public init(reach: @escaping () -> Int32?, log: @escaping (String) -> Void) {
        self.reach = reach
        self.log = log
    }

    // MARK: The connection

    private func connected() -> ReaderWire? {
        if let wire { return wire }
        guard let fd = reach() else {
            log("the reader's broker can't be reached")
            return nil
        }
        let made = ReaderWire(
            fd, hears: { [weak self] in self?.heard($0, $1) },
            onLoss: { [weak self] in
                self?.log("the reader's broker is gone")
                self?.lose()
            })
        wire = made
        if !absences.isEmpty { made.tell(away) }
        return made
    }

    private var away: ReaderAway {
        ReaderAway(isAsleep: absences.contains(.asleep), isLidClosed: absences.contains(.lidClosed))
    }

    /// Everything under way has failed. The next question makes another connection.
    private func lose() {
        wire?.close()
        wire = nil
        snapshot = nil
        let (watch, ended, lists, forgets, models) = (watch, enrolling, lists, forgets, models)
        (self.watch, self.enrolling, self.lists, self.forgets, self.models) = (nil, nil, [:], [:], [:])
        answerAsked()
        watch?.report(.failed)
        ended?.report(.ended(.noReader))
        for answer in lists.values { answer(.failure(.noReader)) }
        for answer in forgets.values { answer(.noReader) }
        for answer in models.values { answer(.refused(.modelsUnreadable)) }
    }

    private func heard(_ word: FromReader, _ call: UInt32) {
        switch word {
        case .snapshot(let snapshot):
            guard asked?.call == call else { return }
            self.snapshot = snapshot
            answerAsked()
        case .report(let report):
            guard let watch, watch.call == call else { return }
            if case .match(let enrolment) = report { know(enrolment) }
            if report == .disconnected { snapshot = Self.unplugged }
            if report == .failed || report == .disconnected { self.watch = nil }
            watch.report(report.report)
        case .faceModels(let read): models.removeValue(forKey: call)?(read.models)
        case .fingers(let fingers): lists.removeValue(forKey: call)?(.success(fingers))
        case .enrolling(let progress): if enrolling?.call == call { enrolling?.report(.progress(progress)) }
        case .ended(let ended):
            if let (number, report) = enrolling, number == call {
                enrolling = nil
                report(.ended(ended.failure))
            } else if let answer = lists.removeValue(forKey: call) {
                answer(.failure(ended.failure ?? .failed))
            } else {
                forgets.removeValue(forKey: call)?(ended.failure)
            }
        }
    }

    /// What the broker would say of a reader that it has just reported as unplugged.
    private static let unplugged = ReaderSnapshot(
        isThere: false, isEnrolled: false, enrolment: .unknown,
        facts: SensorFacts(hindrance: .noReader, tellsEnrolments: false))

    private func know(_ enrolment: ReaderEnrolment) {
        guard let known = snapshot else { return }
        snapshot = ReaderSnapshot(
            isThere: known.isThere, isEnrolled: known.isEnrolled, enrolment: enrolment, facts: known.facts)
    }

    // MARK: Questions about the sensor

    private func askNext() {
        guard asked == nil, !waiting.isEmpty else { return }
        let (then, isCasual) = (waiting, isWaitingCasual)
        (waiting, isWaitingCasual) = ([], true)
        guard let wire = connected() else {
            snapshot = nil
            for answer in then { answer() }
            return
        }
        let call = wire.tell(PrepareReader(isCasual: isCasual, allowsWeakEnrolment: allowsWeakEnrolment()))
        let timer = EventLoop.shared.after(Self.questionPatience) { [weak self] in
            guard let self, self.asked?.call == call else { return }
            self.log("the reader's broker doesn't answer")
            self.lose()
        }
        asked = (call, then, timer)
    }

    private func answerAsked() {
        guard let asked else { return }
        self.asked = nil
        asked.timer.cancel()
        for answer in asked.then { answer() }
        askNext()
    }
}

extension RemoteReader: @OnLoop FingerReader {
    public var kind: BiometryKind { snapshot?.isThere == true ? .touchID : .none }

    public var enrolment: Enrolment { snapshot?.enrolment.enrolment ?? .unknown }

    public func condition(for caller: Caller) -> BiometryCondition {
        guard let snapshot, snapshot.isThere, snapshot.facts.hindrance != .notPermitted, absences.isEmpty else {
            return .notAvailable
        }
        return snapshot.isEnrolled ? .ready : .notEnrolled
    }

    public var facts: SensorFacts {
        guard let snapshot else { return SensorFacts(hindrance: .noService, tellsEnrolments: false) }
        var facts = snapshot.facts
        // The broker's snapshot may be older than what this device knows.
        if facts.hindrance == .asleep || facts.hindrance == .lidClosed { facts.hindrance = nil }
        if facts.hindrance == nil, !absences.isEmpty { facts.hindrance = absences.contains(.asleep) ? .asleep : .lidClosed }
        return facts
    }

    public var presence: ReaderPresence {
        switch snapshot {
        case let known? where known.isThere:
            known.facts.hindrance == .notPermitted ? .unknown : .here(name: known.facts.name, isEnrolled: known.isEnrolled)
        case let known? where known.facts.hindrance == .noReader: .away
        default: .unknown
        }
    }

    public func prepare(isCasual: Bool, _ then: @escaping () -> Void) {
        waiting.append(then)
        if !isCasual { isWaitingCasual = false }
        askNext()
    }

    public func set(_ absence: ReaderAbsence, _ isAway: Bool) {
        let changed = isAway ? absences.insert(absence).inserted : absences.remove(absence) != nil
        if changed { wire?.tell(away) }
    }

    public func listen(_ report: @escaping (BiometryReport) -> Void) {
        stop()
        guard let wire = connected() else {
            return EventLoop.shared.post(LoopBox({ report(.failed) }).later)
        }
        watch = (wire.tell(WatchFinger(allowsWeakEnrolment: allowsWeakEnrolment())), report)
    }

    public func stop() {
        guard watch != nil else { return }
        watch = nil
        wire?.tell(StopWatching())
    }

    // MARK: Faces

    /// Has the broker read the files in which a camera's module keeps the user's faces. Answers once, later.
    public func readFaceModels(_ answer: @escaping (FaceModels) -> Void) {
        guard let wire = connected() else {
            return EventLoop.shared.post(LoopBox({ answer(.refused(.modelsUnreadable)) }).later)
        }
        models[wire.tell(ReadFaceModels())] = answer
    }

    // MARK: Fingers

    public func fingers(_ answer: @escaping (Result<EnrolledFingers, EnrollingFailure>) -> Void) {
        guard let wire = connected() else {
            return EventLoop.shared.post(LoopBox({ answer(.failure(.noReader)) }).later)
        }
        lists[wire.tell(ListFingers())] = answer
    }

    public func enroll(_ finger: Finger, _ report: @escaping (EnrollingReport) -> Void) {
        guard enrolling == nil else { return report(.ended(.busy)) }
        guard let wire = connected() else {
            return EventLoop.shared.post(LoopBox({ report(.ended(.noReader)) }).later)
        }
        enrolling = (wire.tell(EnrollFinger(finger)), report)
    }

    public func stopEnrolling() { wire?.tell(StopEnrolling()) }

    public func forget(_ finger: Finger?, _ answer: @escaping (EnrollingFailure?) -> Void) {
        guard let wire = connected() else { return EventLoop.shared.post(LoopBox({ answer(.noReader) }).later) }
        forgets[wire.tell(ForgetFinger(finger))] = answer
    }
}

extension LoopBox where Value == () -> Void {
    /// The closure in a form that the loop can call later.
    fileprivate nonisolated var later: @OnLoop @Sendable () -> Void { { self.value() } }
}
