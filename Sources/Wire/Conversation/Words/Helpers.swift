public import ThumbAccess
public import ThumbSecrets

// What the daemon and a helper that runs PAM say to each other: one connection, one question, one verdict.

/// Asks whether this is the account's password.
public struct CheckPassword: Word {
    public static let wireKind = WordKind.checkPassword

    public let uid: UInt32
    public let password: SecretBytes

    public init(uid: UInt32, _ password: SecretBytes) { (self.uid, self.password) = (uid, password) }
    public func encode(to encoder: inout Encoder) { encoder.put(uid, password) }
    public init(from decoder: inout Decoder) throws(Refusal) { self.init(uid: try decoder.value(), try decoder.value()) }
}

/// Asks whether the account's owner is before the camera.
public struct Look: Word {
    public static let wireKind = WordKind.look

    public let uid: UInt32

    public init(uid: UInt32) { self.uid = uid }
    public func encode(to encoder: inout Encoder) { encoder.put(uid) }
    public init(from decoder: inout Decoder) throws(Refusal) { uid = try decoder.value() }
}

/// What was typed, in answer to the helper's question.
public struct HelperReply: Word {
    public static let wireKind = WordKind.helperReply

    public let typed: SecretBytes

    public init(_ typed: SecretBytes) { self.typed = typed }
    public func encode(to encoder: inout Encoder) { encoder.put(typed) }
    public init(from decoder: inout Decoder) throws(Refusal) { typed = try decoder.value() }
}

/// The helper's module asks something.
extension AccountQuestion: Word {
    public static let wireKind = WordKind.question

    public func encode(to encoder: inout Encoder) { encoder.put(text, isHidden) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        let text = try decoder.value(String.self)
        guard text.utf8.count <= Self.textBytes else { throw .malformed }
        self.init(text: text, isHidden: try decoder.value())
    }
}

/// The helper's last word.
public struct HelperVerdict: Word, Equatable {
    public static let wireKind = WordKind.verdict

    public let verdict: AccountVerdict
    /// How many seconds a module wants to pass before the verdict is told.
    public let delay: Double

    public init(_ verdict: AccountVerdict, delay: Double) { (self.verdict, self.delay) = (verdict, delay) }
    public func encode(to encoder: inout Encoder) { encoder.put(verdict, delay) }
    public init(from decoder: inout Decoder) throws(Refusal) { self.init(try decoder.value(), delay: try decoder.value()) }
}
