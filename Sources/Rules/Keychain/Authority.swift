public import ThumbAccess
public import ThumbAuthentication
public import ThumbSecrets

/// Everything that decides whether a secret may be released now: the device as it is, and what the caller's context has earned.
public struct Authority: Sendable {
    public var caller: Caller
    public var given: Set<Factor>
    public var enrolment: Enrolment
    public var device: DeviceState
    /// Whether the session is locked, so that items of the when-unlocked classes can't be read. A rule enforces this, not a key.
    public var isLocked: Bool
    /// The stretched password that the app gave its context, for items whose key has one mixed in.
    public var applicationKey: SecretBytes?

    public init(
        caller: Caller, given: Set<Factor>, enrolment: Enrolment, device: DeviceState, isLocked: Bool,
        applicationKey: SecretBytes? = nil
    ) {
        self.caller = caller
        self.given = given
        self.enrolment = enrolment
        self.device = device
        self.isLocked = isLocked
        self.applicationKey = applicationKey
    }
}

/// How far a keychain call has come: it has finished, or the owner must be asked before it is tried again from the start.
public enum KeychainStep<Value> {
    case done(Value)
    /// First the owner must show what that item's rule demands.
    case ask(StoredItem, Demands)

    /// The same step with another product.
    public func map<Other>(_ body: (Value) -> Other) -> KeychainStep<Other> {
        switch self {
        case .done(let value): .done(body(value))
        case .ask(let item, let demands): .ask(item, demands)
        }
    }
}
