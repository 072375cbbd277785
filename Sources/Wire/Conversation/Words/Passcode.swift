public import ThumbAccess
public import ThumbSecrets

// What protects the owner: the passcode and the recovery code.

/// Has the owner choose or change the passcode, at a prompt.
public struct SetPasscode: BareWord, Call {
    public static let wireKind = WordKind.setPasscode
    public typealias Reply = Done
    public init() {}
}

/// Removes the passcode, and with it everything that only the passcode opens.
public struct RemovePasscode: BareWord, Call {
    public static let wireKind = WordKind.removePasscode
    public typealias Reply = Done
    public init() {}
}

/// Counts what the removal of the passcode would remove, and what it would close.
public struct CountBehindPasscode: BareWord, Call {
    public static let wireKind = WordKind.countBehindPasscode
    public typealias Reply = PasscodeHold
    public init() {}
}

extension PasscodeHold: Word {
    public static let wireKind = WordKind.behindPasscode

    public func encode(to encoder: inout Encoder) { encoder.put(erased, closed, pairings) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(erased: try decoder.value(), closed: try decoder.value(), pairings: try decoder.value())
    }
}

/// Makes the account's password the passcode.
public struct UseAccountPassword: BareWord, Call {
    public static let wireKind = WordKind.useAccountPassword
    public typealias Reply = Done
    public init() {}
}

/// Makes a recovery code; an earlier one is void from then on.
public struct MakeRecoveryCode: BareWord, Call {
    public static let wireKind = WordKind.makeRecoveryCode
    public typealias Reply = NewRecoveryCode
    public init() {}
}

public struct NewRecoveryCode: Word {
    public static let wireKind = WordKind.recoveryCode

    public let code: SecretBytes

    public init(_ code: SecretBytes) { self.code = code }
    public func encode(to encoder: inout Encoder) { encoder.put(code) }
    public init(from decoder: inout Decoder) throws(Refusal) { code = try decoder.value() }
}

/// Opens the keybag with the recovery code, and has the owner choose a new passcode.
public struct Recover: Call {
    public static let wireKind = WordKind.recover
    public typealias Reply = Done

    public let code: SecretBytes

    public init(_ code: SecretBytes) { self.code = code }
    public func encode(to encoder: inout Encoder) { encoder.put(code) }
    public init(from decoder: inout Decoder) throws(Refusal) { code = try decoder.value() }
}
