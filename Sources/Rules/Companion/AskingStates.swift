public import ThumbAccess
public import ThumbSecrets

// The asking machine's side of a question, one type a state.

/// What the companion's daemon said in the end.
public enum CompanionVerdict: UInt8, Sendable, Hashable, CaseIterable {
    case yes = 1
    case refused = 2
    case unrecognized = 3
    case notAsked = 4
}

/// The other side of a pairing, as this machine keeps it.
public struct CompanionKeys: Sendable, Hashable {
    public var pairing: [UInt8]
    /// The other machine's link key, public.
    public var link: [UInt8]
    /// The companion's yes key, public.
    public var yes: [UInt8]

    public init(pairing: [UInt8], link: [UInt8], yes: [UInt8]) { (self.pairing, self.link, self.yes) = (pairing, link, yes) }
}

/// The companion was called.
public struct Calling: Sendable {
    private let crypto: any CompanionCrypto
    private let other: CompanionKeys
    private let fresh: any FreshKey
    public let conversation: [UInt8]
    /// To be sent.
    public let frame: [UInt8]

    public init(_ crypto: any CompanionCrypto, _ other: CompanionKeys) throws(CompanionRefusal) {
        (self.crypto, self.other) = (crypto, other)
        fresh = try crypto.makeFreshKey()
        conversation = try crypto.random(FormBytes.conversation)
        frame = [ConversationKind.call.rawValue] + conversation + [conversationVersion] + fresh.publicKey
    }

    /// Something came that says it is the companion's. Nothing about it is known before the link key has agreed with its fresh key.
    public func heard(_ frame: [UInt8]) throws(CompanionRefusal) -> CompanionHeard {
        var reader = FormReader(frame)
        try reader.byte(ConversationKind.here.rawValue)
        guard try reader.fixed(FormBytes.conversation) == conversation else { throw .malformed }
        return CompanionHeard(
            crypto: crypto, other: other, fresh: fresh, call: self.frame, companion: try reader.fixed(FormBytes.point),
            box: reader.all())
    }
}

/// A frame that may be the companion's.
public struct CompanionHeard: Sendable {
    fileprivate let crypto: any CompanionCrypto
    fileprivate let other: CompanionKeys
    fileprivate let fresh: any FreshKey
    fileprivate let call: [UInt8]
    /// Its fresh key. This machine's link key has to agree with it.
    public let companion: [UInt8]
    fileprivate let box: [UInt8]

    /// - Parameter shared: what this machine's link key shares with `companion`.
    public func joined(_ shared: SecretBytes) throws(CompanionRefusal) -> CompanionJoined {
        let joined = try Joined(
            crypto, pairing: other.pairing, call: call, companion: companion,
            shared: [try fresh.agree(with: other.link), shared, try fresh.agree(with: companion)])
        var reader = FormReader(try joined.open(.here, box))
        let canAsk = try reader.flag()
        try reader.end()
        return CompanionJoined(joined: joined, other: other, canAsk: canAsk)
    }
}

/// The companion is there.
public struct CompanionJoined: Sendable {
    fileprivate let joined: Joined
    fileprivate let other: CompanionKeys
    /// Whether it can ask its owner now.
    public let canAsk: Bool

    public func asked(_ question: CompanionQuestion) throws(CompanionRefusal) -> Asked {
        try Asked(joined, other, QuestionForm(question, challenge: try joined.crypto.random(FormBytes.nonce)))
    }
}

/// The companion has the question.
public struct Asked: Sendable {
    private let joined: Joined
    private let other: CompanionKeys
    private let question: QuestionForm
    /// To be sent.
    public let frame: [UInt8]

    fileprivate init(_ joined: Joined, _ other: CompanionKeys, _ question: QuestionForm) throws(CompanionRefusal) {
        (self.joined, self.other, self.question) = (joined, other, question)
        frame = try joined.frame(.question, question.bytes)
    }

    /// The verdict in a frame. A yes is one only with the yes key's signature over this very question: `.notGenuine` without it.
    public func verdict(_ frame: [UInt8]) throws(CompanionRefusal) -> CompanionVerdict {
        var reader = FormReader(try joined.read(.verdict, frame))
        guard let verdict = CompanionVerdict(rawValue: try reader.byte()) else { throw .malformed }
        guard verdict == .yes else {
            try reader.end()
            return verdict
        }
        let signature = try reader.counted()
        try reader.end()
        guard try joined.crypto.isSignature(signature, of: joined.digest(question), by: other.yes) else { throw .notGenuine }
        return .yes
    }

    /// The frame that takes the question back.
    public func withdrawn() throws(CompanionRefusal) -> [UInt8] { try joined.frame(.withdrawn, []) }
}
