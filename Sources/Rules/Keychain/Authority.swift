public import ThumbAccess
public import ThumbAuthentication
public import ThumbSecrets

/// All that bears on whether a secret may be released now: the device as it stands and what the caller's context has earned.
public struct Authority: Sendable {
    public var caller: Caller
    public var given: Set<Factor>
    public var enrolment: Enrolment
    public var device: DeviceState
    /// The session is locked: items of the when-unlocked classes stay shut. A rule, not a key.
    public var isLocked: Bool
    /// The stretched password that the app gave its context, for items into whose key one is mixed.
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

/// How far a keychain call has come: finished, or in need of the owner before it is tried again from the start.
public enum KeychainStep<Value> {
    case done(Value)
    /// The owner must show what that item's rule demands first.
    case ask(StoredItem, Demands)

    /// The same with another product.
    public func map<Other>(_ body: (Value) -> Other) -> KeychainStep<Other> {
        switch self {
        case .done(let value): .done(body(value))
        case .ask(let item, let demands): .ask(item, demands)
        }
    }
}
