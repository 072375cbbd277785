import ThumbAccess
import ThumbAuthentication
import ThumbLoop

/// A device without a sensor: what there is until a reader's part stands.
@OnLoop final class NoBiometry: @OnLoop Biometry {
    var kind: BiometryKind { .none }
    var enrolment: Enrolment { .empty }
    var facts: SensorFacts { SensorFacts(hindrance: .noService) }

    func condition(for caller: Caller) -> BiometryCondition { .notAvailable }
    func listen(_ report: @escaping (BiometryReport) -> Void) { report(.failed) }
    func stop() {}
}
