public import ThumbAccess
public import ThumbSecrets

// The device itself: that it is there, its status, and that something about it has changed.

/// Bytes that come back as they are.
public struct Echo: Call {
    public static let wireKind = WordKind.echo
    public typealias Reply = Echoed
    public typealias Failure = Never

    public let bytes: SecretBytes

    public init(_ bytes: SecretBytes) { self.bytes = bytes }
    public func encode(to encoder: inout Encoder) { encoder.put(bytes) }
    public init(from decoder: inout Decoder) throws(Refusal) { bytes = try decoder.value() }
}

public struct Echoed: Word {
    public static let wireKind = WordKind.echoed

    public let bytes: SecretBytes

    public init(_ bytes: SecretBytes) { self.bytes = bytes }
    public func encode(to encoder: inout Encoder) { encoder.put(bytes) }
    public init(from decoder: inout Decoder) throws(Refusal) { bytes = try decoder.value() }
}

/// Asks for the device's status.
public struct GetStatus: BareWord, Call {
    public static let wireKind = WordKind.getStatus
    public typealias Reply = DeviceStatus
    public typealias Failure = Never
    public init() {}
}

extension DeviceStatus: Word {
    public static let wireKind = WordKind.status

    public func encode(to encoder: inout Encoder) {
        encoder.put(mode, biometry)
        encoder.put(isEnrolled, isBiometryLocked, passcodeIsSet, passcodeWasGiven, hasRecoveryCode, isSessionLocked)
        encoder.put(items, quarantined, custodian, enclave, UInt32(bitPattern: processID))
        encoder.put(biometryLevel, passcodeSource, sensor, isAtDisplay, hasPromptAgent)
        encoder.put(usage.items, usage.bytes, quota.items, quota.bytes)
        encoder.put(opensAtLogin, wasOpenedAtLogin)
    }

    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            mode: try decoder.value(), biometry: try decoder.value(), isEnrolled: try decoder.value(),
            isBiometryLocked: try decoder.value(), passcodeIsSet: try decoder.value(), passcodeWasGiven: try decoder.value(),
            hasRecoveryCode: try decoder.value(), isSessionLocked: try decoder.value(), items: try decoder.value(),
            quarantined: try decoder.value(), custodian: try decoder.value(), enclave: try decoder.value(),
            processID: Int32(bitPattern: try decoder.value()), biometryLevel: try decoder.value(),
            passcodeSource: try decoder.value(), sensor: try decoder.value(), isAtDisplay: try decoder.value(),
            hasPromptAgent: try decoder.value(), usage: StoreUsage(items: try decoder.value(), bytes: try decoder.value()),
            quota: StoreQuota(items: try decoder.value(), bytes: try decoder.value()), opensAtLogin: try decoder.value(),
            wasOpenedAtLogin: try decoder.value())
    }
}

extension SensorFacts: WireValue {
    public func encode(to encoder: inout Encoder) { encoder.put(name, hindrance, tellsEnrolments, tellsFingers) }

    public init(from decoder: inout Decoder) throws(Refusal) {
        let name = try decoder.value(String.self)
        self.init(
            name: name, hindrance: try decoder.value(), tellsEnrolments: try decoder.value(), tellsFingers: try decoder.value())
        // If the name changes when it is made safe, it wasn't this code that wrote it.
        guard self.name.hasSameBytes(as: name) else { throw .malformed }
    }
}

/// Asks to be told whenever a preflight might answer differently. This call never ends.
public struct WatchEnvironment: BareWord, Call {
    public static let wireKind = WordKind.watchEnvironment
    public typealias Reply = Changed
    public typealias Failure = Never
    public init() {}
}

/// Asks to be told what happens to the owner's session. This call never ends.
public struct WatchSession: BareWord, Call {
    public static let wireKind = WordKind.watchSession
    public typealias Reply = SessionTold
    public typealias Failure = Never
    public init() {}
}

public struct SessionTold: Word, Equatable {
    public static let wireKind = WordKind.sessionTold
    public var isLast: Bool { false }

    public let event: SessionEvent

    public init(_ event: SessionEvent) { self.event = event }
    public func encode(to encoder: inout Encoder) { encoder.put(event) }
    public init(from decoder: inout Decoder) throws(Refusal) { event = try decoder.value() }
}

public struct Changed: BareWord {
    public static let wireKind = WordKind.changed
    public var isLast: Bool { false }
    public init() {}
}
