public import ThumbAccess

/// What matters about a device for a policy. It is a snapshot, so that deciding is a pure function.
public struct DeviceState: Sendable, Hashable {
    public var kind: BiometryKind
    public var condition: BiometryCondition
    public var level: BiometryLevel
    public var passcodeIsSet: Bool
    /// False from a start until the passcode is given. Until then biometry is locked out, as after a phone's reboot.
    public var passcodeWasGiven: Bool
    /// Whether a login by finger opened what the passcode protects until the first unlock. Then biometry isn't locked out either, except for
    /// what only the passcode opens.
    public var wasOpenedAtLogin = false
    public var attempts: Attempts
    /// The companions that can be asked now, by their names.
    public var companions: [String]

    public init(
        kind: BiometryKind, condition: BiometryCondition, level: BiometryLevel = .strong, passcodeIsSet: Bool,
        passcodeWasGiven: Bool, attempts: Attempts, companions: [String] = []
    ) {
        self.kind = kind
        self.condition = condition
        self.level = level
        self.passcodeIsSet = passcodeIsSet
        self.passcodeWasGiven = passcodeWasGiven
        self.attempts = attempts
        self.companions = companions
    }

    /// Why biometry can't be used just now; nil if it can. The order is Apple's: hardware, enrolment, lockout, passcode.
    public var biometryFailure: EvaluationFailure? {
        if kind == .none || condition == .notAvailable { return .biometryNotAvailable }
        if condition == .disconnected { return .biometryDisconnected }
        if condition == .notEnrolled { return .biometryNotEnrolled }
        if attempts.isBiometryLocked { return .biometryLockout }
        if !passcodeIsSet { return .passcodeNotSet }
        if !passcodeWasGiven && !wasOpenedAtLogin { return .biometryLockout }
        return nil
    }
}

/// What must be shown for a success: alternatives, each a set of factors that belong together.
public struct Demands: Sendable, Hashable {
    public var alternatives: [Set<Factor>]
    /// Whether a sensor at convenience level doesn't count.
    public var refusesConvenience = false
    /// Whether nothing but the passcode opens what they guard, as long as it hasn't been given.
    public var waitsForPasscode = false

    public init(_ alternatives: [Set<Factor>]) { self.alternatives = alternatives }

    public init(_ rule: AccessRule) {
        alternatives = rule.demands
        refusesConvenience = rule.refusesConvenience
        waitsForPasscode = rule.accessibility.keyClass == .passcode
    }

    public init(_ subject: EvaluationSubject) throws(EvaluationFailure) {
        switch subject {
        case .policy(.biometrics): self.init([[.biometry]])
        case .policy(.deviceOwner): self.init([[.biometry], [.passcode]])
        case .policy(.companion): self.init([[.companion]])
        case .policy(.biometricsOrCompanion): self.init([[.biometry], [.companion]])
        // There is nothing here to wear on a wrist.
        case .policy(.wristDetection): throw .invalidParameter
        case .rule(let rule, _): self.init(rule)
        }
    }

    public var isEmpty: Bool { alternatives.isEmpty }
    public func mention(_ factor: Factor) -> Bool { alternatives.contains { $0.contains(factor) } }
    /// What is left if the sensor doesn't count.
    public var withoutBiometry: Demands { Demands(alternatives.filter { !$0.contains(.biometry) }) }

    /// The device from the point of view of these demands. If they refuse its sensor's level, the sensor isn't available.
    public func seen(_ device: DeviceState) -> DeviceState {
        var seen = device
        if refusesConvenience, device.level == .convenience { seen.condition = .notAvailable }
        if waitsForPasscode { seen.wasOpenedAtLogin = false }
        return seen
    }

    /// Whether what was shown on a device is enough.
    public func areMet(by given: Set<Factor>, on device: DeviceState) -> Bool {
        let refusesFinger =
            refusesConvenience && device.level == .convenience || waitsForPasscode && device.wasOpenedAtLogin
        return areMet(by: refusesFinger ? given.subtracting([.biometry]) : given)
    }
    public func areMet(by given: Set<Factor>) -> Bool { alternatives.isEmpty || alternatives.contains { $0.isSubset(of: given) } }

    /// Why none of the alternatives can be met on this device now; nil if one can.
    public func failure(on device: DeviceState) -> EvaluationFailure? {
        let device = seen(device)
        var first: EvaluationFailure?
        for alternative in alternatives {
            let failure = Self.failure(of: alternative, on: device)
            guard let failure else { return nil }
            // If a passcode would do, name its absence, because the owner can change that.
            if first == nil || alternative == [.passcode] { first = failure }
        }
        return first
    }

    private static func failure(of alternative: Set<Factor>, on device: DeviceState) -> EvaluationFailure? {
        if alternative.contains(.biometry), let failure = device.biometryFailure { return failure }
        if alternative.contains(.companion), device.companions.isEmpty { return .companionNotAvailable }
        if alternative.contains(.passcode), !device.passcodeIsSet { return .passcodeNotSet }
        return nil
    }
}
