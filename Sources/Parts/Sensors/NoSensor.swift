public import ThumbAccess
public import ThumbAuthentication
public import ThumbLoop

/// A machine without a sensor.
@OnLoop public final class NoSensor: @OnLoop Biometry {
    /// One on any machine.
    public init() {}

    /// Of no kind.
    public var kind: BiometryKind { .none }
    /// Of nobody.
    public var enrolment: Enrolment { .empty }
    /// That there is none.
    public var facts: SensorFacts { SensorFacts(hindrance: .noService) }

    /// Never available.
    public func condition(for caller: Caller) -> BiometryCondition { .notAvailable }
    /// Fails at once.
    public func listen(_ report: @escaping (BiometryReport) -> Void) { report(.failed) }
    /// Nothing is to be stopped.
    public func stop() {}
}
