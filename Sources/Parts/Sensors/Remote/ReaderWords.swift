import ThumbAuthentication
import ThumbConversation

// Converts between the rules' terms for the reader and the wire's.

extension ReaderEnrolment {
    init(_ enrolment: Enrolment) {
        switch enrolment {
        case .known(let digest): self = .known(digest)
        case .empty: self = .empty
        case .unknown: self = .unknown
        }
    }

    var enrolment: Enrolment {
        switch self {
        case .known(let digest): .known(digest)
        case .empty: .empty
        case .unknown: .unknown
        }
    }
}

extension FingerReport {
    init(_ report: BiometryReport) {
        switch report {
        case .match(let enrolment): self = .match(ReaderEnrolment(enrolment))
        case .miss: self = .miss
        case .retry(let hint): self = .retry(hint)
        case .failed: self = .failed
        case .disconnected: self = .disconnected
        }
    }

    var report: BiometryReport {
        switch self {
        case .match(let enrolment): .match(enrolment.enrolment)
        case .miss: .miss
        case .retry(let hint): .retry(hint)
        case .failed: .failed
        case .disconnected: .disconnected
        }
    }
}

extension FaceModelsRead {
    init(_ models: FaceModels) {
        self.init(enrolment: ReaderEnrolment(models.enrolment), stamp: models.stamp, problem: models.problem)
    }

    var models: FaceModels { FaceModels(enrolment: enrolment.enrolment, stamp: stamp, problem: problem) }
}
