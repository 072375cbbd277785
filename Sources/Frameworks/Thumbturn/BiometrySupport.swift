public import LocalAuthentication

/// A kind of sensor.
public enum Sensor: Sendable, Hashable, CaseIterable {
    /// A fingerprint reader.
    case touchID
    /// A camera that knows faces.
    case faceID
    /// A camera that knows irises.
    case opticID

    /// Converts the framework's kind. nil for none, and for kinds that this layer doesn't know.
    public init?(_ type: LABiometryType) {
        switch type {
        case .touchID: self = .touchID
        case .faceID: self = .faceID
        case .opticID: self = .opticID
        default: return nil
        }
    }
}

/// Which sensor the device has and whether it can be used now, in one value.
///
/// Every case but the last two contains the sensor, so that a settings page can name it while it can't be used. The value is a snapshot.
/// Read it again whenever the app comes back, because sensors, enrolment and permission change in the meantime.
public enum BiometrySupport: Sendable, Hashable {
    /// The sensor can be used.
    case available(Sensor)
    /// The sensor knows no finger, face or iris.
    case notEnrolled(Sensor)
    /// The sensor missed too often and is locked until the passcode is given.
    case lockedOut(Sensor)
    /// The sensor is there, but the owner doesn't let this app use it, or it is out of reach, as under a closed lid.
    case denied(Sensor)
    /// The sensor is a removable one, and isn't paired or connected.
    case disconnected(Sensor)
    /// The sensor can't be used before a passcode is set.
    case passcodeNotSet(Sensor)
    /// The device has no sensor.
    case absent
    /// The device couldn't be asked, or has something this layer doesn't know.
    case unknown

    /// Finds out what the device has now. Shows nothing and never fails.
    ///
    /// The context is only looked at, and an invalidated one gives `unknown`. Leave it out unless you replace it in a test.
    public static func current(_ context: LAContext = LAContext()) -> BiometrySupport {
        var error: NSError?
        let isReady = unsafe context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error)
        // Read after the preflight, whatever its result: older systems know the kind only then, even if it failed.
        let sensor = Sensor(context.biometryType)
        if isReady { return sensor.map { .available($0) } ?? .unknown }
        return BiometrySupport(sensor, without: (error as? LAError)?.code)
    }

    private init(_ sensor: Sensor?, without code: LAError.Code?) {
        guard let sensor else {
            self = code == .biometryNotAvailable || code == .biometryNotPaired ? .absent : .unknown
            return
        }
        switch code {
        case .biometryNotEnrolled?: self = .notEnrolled(sensor)
        case .biometryLockout?: self = .lockedOut(sensor)
        case .biometryNotAvailable?: self = .denied(sensor)
        case .biometryNotPaired?, .biometryDisconnected?: self = .disconnected(sensor)
        case .passcodeNotSet?: self = .passcodeNotSet(sensor)
        default: self = .unknown
        }
    }

    /// The sensor to name, usable or not. nil if there is none or it isn't known.
    public var sensor: Sensor? {
        switch self {
        case .available(let sensor), .notEnrolled(let sensor), .lockedOut(let sensor), .denied(let sensor),
            .disconnected(let sensor), .passcodeNotSet(let sensor):
            sensor
        case .absent, .unknown: nil
        }
    }

    /// Whether the sensor can be used just now.
    public var isAvailable: Bool {
        if case .available = self { true } else { false }
    }
}
