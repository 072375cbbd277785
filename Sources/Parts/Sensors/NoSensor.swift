public import ThumbAccess
public import ThumbAuthentication
public import ThumbLoop

/// A machine without a sensor.
@OnLoop public final class NoSensor: @OnLoop Biometry {
    /// Makes one; there is nothing to set.
    public init() {}

    /// It is of no kind.
    public var kind: BiometryKind { .none }
    /// Nobody is enrolled.
    public var enrolment: Enrolment { .empty }
    /// There is no sensor.
    public var facts: SensorFacts { SensorFacts(hindrance: .noService) }

    /// Never available.
    public func condition(for caller: Caller) -> BiometryCondition { .notAvailable }
    /// Fails at once.
    public func listen(_ report: @escaping (BiometryReport) -> Void) { report(.failed) }
    /// There is nothing to stop.
    public func stop() {}
}
