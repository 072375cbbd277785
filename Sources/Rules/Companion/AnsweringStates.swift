public import ThumbAccess
public import ThumbSecrets

// The companion's side of a question, one type a state.

/// Somebody called. Nothing is known of who.
public struct Called: Sendable {
    private let call: [UInt8]
    /// The caller's fresh key. This machine's link key has to agree with it.
    public let asking: [UInt8]

    /// Reads a call. Fails with `.malformed` for anything else.
    public init(_ frame: [UInt8]) throws(CompanionRefusal) {
        var reader = FormReader(frame)
        try reader.byte(ConversationKind.call.rawValue)
        _ = try reader.fixed(FormBytes.conversation)
        try reader.byte(conversationVersion)
        asking = try reader.fixed(FormBytes.point)
        try reader.end()
        call = frame
    }

    /// - Parameters:
    ///   - shared: what this machine's link key shares with `asking`.
    ///   - canAsk: whether this machine can ask its owner now.
    public func joined(
        _ crypto: any CompanionCrypto, _ other: CompanionKeys, shared: SecretBytes, canAsk: Bool
    ) throws(CompanionRefusal) -> Listening {
        let fresh = try crypto.makeFreshKey()
        let joined = try Joined(
            crypto, pairing: other.pairing, call: call, companion: fresh.publicKey,
            shared: [shared, try fresh.agree(with: other.link), try fresh.agree(with: asking)])
        return Listening(
            joined: joined,
            frame: [ConversationKind.here.rawValue] + joined.conversation + fresh.publicKey
                + (try joined.box(.here, [canAsk ? 1 : 0])))
    }
}

/// This machine has said that it is here, and waits for the question.
public struct Listening: Sendable {
    fileprivate let joined: Joined
    /// To be sent.
    public let frame: [UInt8]

    public var conversation: [UInt8] { joined.conversation }

    /// The question. That it opens shows that it is the asking machine's, and that it is asked now.
    public func asked(_ frame: [UInt8]) throws(CompanionRefusal) -> Answering {
        let form = try QuestionForm(try joined.read(.question, frame))
        return Answering(joined: joined, question: form.question, digest: try joined.digest(form))
    }
}

/// The owner is being asked here.
public struct Answering: Sendable {
    fileprivate let joined: Joined
    public let question: CompanionQuestion
    /// What the yes key signs, if the owner says yes.
    public let digest: [UInt8]

    public var conversation: [UInt8] { joined.conversation }

    /// The frame that says yes.
    public func yes(_ signature: [UInt8]) throws(CompanionRefusal) -> [UInt8] {
        var writer = FormWriter()
        writer.byte(CompanionVerdict.yes.rawValue)
        writer.counted(signature)
        return try joined.frame(.verdict, writer.bytes)
    }

    /// The frame that says no.
    public func no(_ verdict: CompanionVerdict) throws(CompanionRefusal) -> [UInt8] {
        guard verdict != .yes else { throw .malformed }
        return try joined.frame(.verdict, [verdict.rawValue])
    }

    /// Takes the asking machine's word that the question is taken back. Fails if the frame doesn't say so.
    public func withdrawn(_ frame: [UInt8]) throws(CompanionRefusal) {
        guard try joined.read(.withdrawn, frame).isEmpty else { throw .malformed }
    }
}
