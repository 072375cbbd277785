public import ThumbAccess
public import ThumbSecrets

// What the system's login says: a password that was typed there, or a question to the owner.

/// What a user typed at the system's login. The answer says whether it was of use.
public struct OfferPasscode: Call {
    public static let wireKind = WordKind.offerPasscode
    public typealias Reply = Flag
    public typealias Failure = Never

    public let uid: UInt32
    public let password: SecretBytes
    /// Whether it has just become the account's password.
    public let isNew: Bool

    public init(uid: UInt32, _ password: SecretBytes, isNew: Bool) {
        (self.uid, self.password, self.isNew) = (uid, password, isNew)
    }
    public func encode(to encoder: inout Encoder) { encoder.put(uid, password, isNew) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(uid: try decoder.value(), try decoder.value(), isNew: try decoder.value())
    }
}

/// Has the owner asked for a finger, where the system itself asks for a password. The login judges the password, so none is asked for here.
public struct AskOwner: Call {
    public static let wireKind = WordKind.askOwner
    public typealias Reply = EvaluationReply
    public typealias Failure = Never

    public let uid: UInt32
    public let deed: LoginDeed

    public init(uid: UInt32, _ deed: LoginDeed) { (self.uid, self.deed) = (uid, deed) }
    public func encode(to encoder: inout Encoder) { encoder.put(uid, deed) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(uid: try decoder.value(), try decoder.value())
    }
}

/// The system lets in whom the owner's finger let in. A login that ends without this word has opened nothing.
public struct LoginStands: BareWord {
    public static let wireKind = WordKind.loginStands
    public init() {}
}

extension LoginDeed: WireValue {
    public func encode(to encoder: inout Encoder) { encoder.put(service, command, person, becomes, terminal) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            service: try decoder.value(), command: try decoder.value(), person: try decoder.value(),
            becomes: try decoder.value(), terminal: try decoder.value())
    }
}
