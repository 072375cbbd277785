import ThumbAccess
import ThumbAuthentication
import ThumbBrokers
import ThumbConversation
import ThumbLoop

/// What the reader's broker does for one connection, and so for one user.
@OnLoop final class ReaderSession {
    private let connection: BrokerConnection
    /// nil for a user without a name, who has no fingers.
    private let fingerprint: Fingerprint?
    private let faces: FaceModelFiles
    /// Questions without an answer yet. What waits for the reader itself is counted by `flows`.
    private var questions = 0
    private var allowsWeakEnrolment = false
    /// The call that the present watch belongs to. Reports of an earlier watch are dropped.
    private var watch: UInt32?

    init(_ connection: BrokerConnection, _ fingerprint: Fingerprint?, _ faces: FaceModelFiles) {
        self.connection = connection
        self.fingerprint = fingerprint
        self.faces = faces
        fingerprint?.allowsWeakEnrolment = { [weak self] in self?.allowsWeakEnrolment ?? false }
        fingerprint?.onFlowEnd = { [weak self] in self?.meter() }
    }

    /// The device is gone, and with it its watch, its enrolment and its claim on the reader.
    func end() {
        watch = nil
        fingerprint?.stop()
        fingerprint?.stopEnrolling()
    }

    func take(_ frame: Frame) throws(Refusal) {
        let call = frame.call
        let word = try ToReader(frame)
        guard let fingerprint else { return answerWithoutReader(word, call) }
        switch word {
        case .prepare(let asked): prepare(asked, call, fingerprint)
        case .watch(let asked):
            allowsWeakEnrolment = asked.allowsWeakEnrolment
            watch = call
            fingerprint.listen { [weak self] report in
                if let self, self.watch == call { self.connection.send(FingerReport(report), to: call) }
            }
        case .stopWatching:
            watch = nil
            fingerprint.stop()
        case .fingers:
            questions += 1
            fingerprint.fingers { [self] answer in
                questions -= 1
                switch answer {
                case .success(let fingers): connection.send(fingers, to: call)
                case .failure(let failure): connection.send(EnrollingEnded(failure), to: call)
                }
                meter()
            }
        case .enroll(let asked):
            fingerprint.enroll(asked.finger) { [weak self] report in
                switch report {
                case .progress(let progress): self?.connection.send(progress, to: call)
                case .ended(let failure): self?.connection.send(EnrollingEnded(failure), to: call)
                }
            }
        case .stopEnrolling: fingerprint.stopEnrolling()
        case .forget(let asked):
            fingerprint.forget(asked.finger) { [weak self] in self?.connection.send(EnrollingEnded($0), to: call) }
        case .away(let away):
            fingerprint.set(.asleep, away.isAsleep)
            fingerprint.set(.lidClosed, away.isLidClosed)
        case .readFaceModels: readFaceModels(call)
        }
        meter()
    }

    private func readFaceModels(_ call: UInt32) {
        questions += 1
        faces.read { [self] models in
            questions -= 1
            connection.send(FaceModelsRead(models), to: call)
            meter()
        }
    }

    private func prepare(_ asked: PrepareReader, _ call: UInt32, _ fingerprint: Fingerprint) {
        allowsWeakEnrolment = asked.allowsWeakEnrolment
        questions += 1
        fingerprint.prepare(isCasual: asked.isCasual) { [self] in
            questions -= 1
            connection.send(fingerprint.snapshot, to: call)
            meter()
        }
    }

    private func answerWithoutReader(_ word: ToReader, _ call: UInt32) {
        switch word {
        case .prepare:
            let facts = SensorFacts(hindrance: .noReader)
            connection.send(
                ReaderSnapshot(isThere: false, isEnrolled: false, enrolment: .unknown, facts: facts), to: call)
        case .watch: connection.send(FingerReport.failed, to: call)
        case .fingers, .enroll, .forget: connection.send(EnrollingEnded(.noReader), to: call)
        case .readFaceModels:
            readFaceModels(call)
            meter()
        case .stopWatching, .stopEnrolling, .away: break
        }
    }

    /// Stops reading from a connection that has too many questions under way, until some are answered.
    private func meter() {
        let underWay = questions + (fingerprint?.flows ?? 0)
        if underWay >= WireLimit.readerQuestions { connection.pause() } else { connection.resume() }
    }
}

extension Fingerprint {
    /// What is known, with the enrolment as it is now.
    fileprivate var snapshot: ReaderSnapshot {
        ReaderSnapshot(
            isThere: kind != .none, isEnrolled: isEnrolled, enrolment: ReaderEnrolment(enrolment), facts: facts)
    }
}
