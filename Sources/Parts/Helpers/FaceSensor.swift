public import ThumbAccess
public import ThumbAuthentication
import ThumbConversation
public import ThumbLoop
import ThumbSecrets

/// A camera behind a PAM service of its own, in a process of its own. The service reports a match that was made on this machine, so its
/// level is convenience.
///
/// It doesn't say which faces it knows. The files in which it keeps them do, if the administrator named them: a match counts only if they
/// were the same before and after it, and nobody wrote them in between. If nobody named them, the enrolment is unknown.
@OnLoop public final class FaceSensor {
    /// How many seconds the models may take to be read.
    private static let modelPatience = 8.0

    private let uid: UInt32
    private let isThere: () -> Bool
    private let connect: () -> Int32?
    private let readModels: (@escaping (FaceModels) -> Void) -> Void
    private let log: (String) -> Void
    private var run: HelperRun?
    /// Counts the watches, so that words from an earlier watch's helper can be dropped.
    private var watches = 0
    private var report: ((BiometryReport) -> Void)?
    /// The models when they were last read.
    private var models = FaceModels.unnamed
    /// The models when the present watch began.
    private var before = FaceModels.unnamed

    /// What waits for each reading of the models that goes on.
    private var readings: [Int: (then: () -> Void, timer: LoopTimer)] = [:]
    private var lastReading = 0
    /// Callers that wait for the reading that goes on.
    private var asking: [() -> Void] = []
    /// Callers that came after it began. They wait for the next one.
    private var waiting: [() -> Void] = []

    /// - Parameters:
    ///   - isThere: whether the machine has such a service.
    ///   - connect: makes a connection to a fresh helper, which this takes over; nil if there is none.
    ///   - models: reads the files in which the service's module keeps this user's faces, and answers once, later.
    public init(
        uid: UInt32, isThere: @escaping () -> Bool, connect: @escaping () -> Int32?,
        models: @escaping (@escaping (FaceModels) -> Void) -> Void, log: @escaping (String) -> Void
    ) {
        self.uid = uid
        self.isThere = isThere
        self.connect = connect
        readModels = models
        self.log = log
    }

    private func look() {
        let watch = watches
        guard let fd = connect() else {
            log("the face service can't be reached")
            return EventLoop.shared.post { [self] in tell(.failed, watch) }
        }
        run = HelperRun(fd, Look(uid: uid), asking: OwnerPasscode.unasked) { [weak self] verdict in
            self?.saw(verdict, watch)
        }
    }

    private func saw(_ verdict: AccountVerdict, _ watch: Int) {
        guard watch == watches else { return }
        run = nil
        switch verdict {
        case .right: know { [weak self] in self?.matched(watch) }
        case .wrong:
            tell(.miss, watch)
            // If the watch is still wanted, one miss doesn't end it.
            if watch == watches, report != nil { look() }
        case .expired, .locked, .unavailable:
            log("the face service failed")
            tell(.failed, watch)
        }
    }

    /// Only root could change the models meanwhile, and a face that root has just taught the module isn't the owner's.
    private func matched(_ watch: Int) {
        guard watch == watches else { return }
        guard models == before else {
            log("the models of faces changed while a face was looked for, so its match doesn't count")
            return tell(.failed, watch)
        }
        tell(.match(models.enrolment), watch)
    }

    private func tell(_ word: BiometryReport, _ watch: Int) {
        guard watch == watches else { return }
        report?(word)
    }

    // MARK: The models

    /// Reads the models, then calls back. Slow files count as unreadable.
    private func know(_ then: @escaping () -> Void) {
        lastReading += 1
        let reading = lastReading
        let timer = EventLoop.shared.after(Self.modelPatience) { [weak self] in
            self?.log("the models of faces couldn't be read in time")
            self?.learn(.refused(.modelsUnreadable), reading)
        }
        readings[reading] = (then, timer)
        readModels { [weak self] found in self?.learn(found, reading) }
    }

    private func learn(_ found: FaceModels, _ reading: Int) {
        guard let (then, timer) = readings.removeValue(forKey: reading) else { return }
        timer.cancel()
        models = found
        then()
    }

    private func askNext() {
        guard asking.isEmpty, !waiting.isEmpty else { return }
        (asking, waiting) = (waiting, [])
        know { [self] in
            let answered = asking
            asking = []
            for answer in answered { answer() }
            askNext()
        }
    }
}

extension FaceSensor: @OnLoop Biometry {
    public var kind: BiometryKind { .faceID }
    public var level: BiometryLevel { .convenience }
    public var enrolment: Enrolment { models.enrolment }

    public var facts: SensorFacts {
        SensorFacts(hindrance: models.problem, tellsEnrolments: models.enrolment != .unknown)
    }

    public func condition(for caller: Caller) -> BiometryCondition {
        guard isThere(), models.areTrusted else { return .notAvailable }
        return models.enrolment == .empty ? .notEnrolled : .ready
    }

    public func prepare(isCasual: Bool, _ then: @escaping () -> Void) {
        waiting.append(then)
        askNext()
    }

    public func listen(_ report: @escaping (BiometryReport) -> Void) {
        stop()
        self.report = report
        let watch = watches
        know { [weak self] in
            guard let self, watch == self.watches else { return }
            guard self.models.areTrusted, self.models.enrolment != .empty else { return self.tell(.failed, watch) }
            self.before = self.models
            self.look()
        }
    }

    public func stop() {
        watches += 1
        report = nil
        run?.end()
        run = nil
    }
}
