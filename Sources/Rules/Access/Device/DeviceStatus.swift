/// What this device really has, for `thumbturn doctor`. It contains nothing secret.
public struct DeviceStatus: Sendable, Hashable {
    public var mode: DeviceMode
    public var biometry: BiometryKind
    public var isEnrolled: Bool
    public var isBiometryLocked: Bool
    public var passcodeIsSet: Bool
    public var passcodeWasGiven: Bool
    public var hasRecoveryCode: Bool
    public var isSessionLocked: Bool
    public var items: UInt64
    /// Records whose seal doesn't open. They are left for repair.
    public var quarantined: UInt64
    /// What holds the device class's key at rest.
    public var custodian: Custodian
    /// What holds private keys that must not leave; nil: such keys are refused.
    public var enclave: Custodian?
    public var processID: Int32
    /// How much a match at the sensor proves.
    public var biometryLevel: BiometryLevel
    /// Where the passcode comes from.
    public var passcodeSource: PasscodeSource
    public var sensor: SensorFacts
    /// Whether the caller's user sits at a display of this machine, as far as the login manager knows.
    public var isAtDisplay: Bool
    /// Whether an agent shows prompts there.
    public var hasPromptAgent: Bool
    /// How much the store holds, and how much it may.
    public var usage: StoreUsage
    public var quota: StoreQuota
    /// Whether a login by finger opens what the passcode protects until the first unlock; and whether one did, and the passcode hasn't been
    /// given since.
    public var opensAtLogin: Bool
    public var wasOpenedAtLogin: Bool

    public init(
        mode: DeviceMode, biometry: BiometryKind, isEnrolled: Bool, isBiometryLocked: Bool, passcodeIsSet: Bool,
        passcodeWasGiven: Bool, hasRecoveryCode: Bool, isSessionLocked: Bool, items: UInt64, quarantined: UInt64,
        custodian: Custodian, enclave: Custodian? = nil, processID: Int32, biometryLevel: BiometryLevel = .strong,
        passcodeSource: PasscodeSource = .own, sensor: SensorFacts = SensorFacts(), isAtDisplay: Bool = false,
        hasPromptAgent: Bool = false, usage: StoreUsage = StoreUsage(items: 0, bytes: 0), quota: StoreQuota = .standard,
        opensAtLogin: Bool = false, wasOpenedAtLogin: Bool = false
    ) {
        self.mode = mode
        self.biometry = biometry
        self.isEnrolled = isEnrolled
        self.isBiometryLocked = isBiometryLocked
        self.passcodeIsSet = passcodeIsSet
        self.passcodeWasGiven = passcodeWasGiven
        self.hasRecoveryCode = hasRecoveryCode
        self.isSessionLocked = isSessionLocked
        self.items = items
        self.quarantined = quarantined
        self.custodian = custodian
        self.enclave = enclave
        self.processID = processID
        self.biometryLevel = biometryLevel
        self.passcodeSource = passcodeSource
        self.sensor = sensor
        self.isAtDisplay = isAtDisplay
        self.hasPromptAgent = hasPromptAgent
        self.usage = usage
        self.quota = quota
        self.opensAtLogin = opensAtLogin
        self.wasOpenedAtLogin = wasOpenedAtLogin
    }

    /// Whether items of that class can't be opened by anything but the passcode now.
    public func waitsForPasscode(_ keyClass: KeyClass) -> Bool {
        guard passcodeIsSet && !passcodeWasGiven else { return false }
        return switch keyClass {
        case .device: false
        case .firstUnlock: !wasOpenedAtLogin
        case .passcode: true
        }
    }
}

/// Who holds a key. Every answer about a key says this, and never claims more than is true.
public enum Custodian: UInt8, Sendable, Hashable, CaseIterable {
    /// The daemon's own memory and its keybag. Whoever has both has the key.
    case software = 1
    /// A TPM 2.0: the private half never leaves the chip.
    case tpm = 2
}
