public import ThumbAccess
public import ThumbSecrets

// What the daemon and a helper that runs PAM say to each other. One connection, one question, one verdict.

/// What the daemon says to a helper.
public enum HelperRequest: Sendable {
    /// Whether this is the account's password.
    case check(uid: UInt32, SecretBytes)
    /// Whether the account's owner is before the camera.
    case look(uid: UInt32)
    /// What was typed, in answer to the helper's question.
    case reply(SecretBytes)

    /// The frame that says this.
    public var frame: EncodedFrame {
        var encoder = Encoder(kind: kind.rawValue, call: 1)
        switch self {
        case .check(let uid, let password):
            encoder.put(uid)
            encoder.put(password)
        case .look(let uid): encoder.put(uid)
        case .reply(let bytes): encoder.put(bytes)
        }
        return EncodedFrame(encoder)
    }

    /// Reads a frame, its length already taken off.
    public static func read(_ body: SecretBytes) throws(Refusal) -> HelperRequest {
        var decoder = Decoder(body, from: 0)
        guard let kind = Kind(rawValue: try decoder.u8()) else { throw .unknownKind }
        _ = try decoder.u32()
        let request: HelperRequest =
            switch kind {
            case .check: .check(uid: try decoder.u32(), try decoder.secret())
            case .look: .look(uid: try decoder.u32())
            case .reply: .reply(try decoder.secret())
            }
        try decoder.finish()
        return request
    }

    private enum Kind: UInt8 { case check = 90, look = 91, reply = 92 }

    private var kind: Kind {
        switch self {
        case .check: .check
        case .look: .look
        case .reply: .reply
        }
    }
}

/// What a helper says to the daemon.
public enum HelperAnswer: Sendable, Equatable {
    case question(AccountQuestion)
    /// The end. `delay`: seconds that a module wants to pass before anybody hears of it.
    case verdict(AccountVerdict, delay: Double)

    /// The frame that says this.
    public var frame: EncodedFrame {
        var encoder = Encoder(kind: kind.rawValue, call: 1)
        switch self {
        case .question(let question): encoder.put(question)
        case .verdict(let verdict, let delay):
            encoder.put(verdict)
            encoder.put(delay)
        }
        return EncodedFrame(encoder)
    }

    /// Reads a frame, its length already taken off.
    public static func read(_ body: SecretBytes) throws(Refusal) -> HelperAnswer {
        var decoder = Decoder(body, from: 0)
        guard let kind = Kind(rawValue: try decoder.u8()) else { throw .unknownKind }
        _ = try decoder.u32()
        let answer: HelperAnswer =
            switch kind {
            case .question: .question(try decoder.value())
            case .verdict: .verdict(try decoder.choice(), delay: try decoder.double())
            }
        try decoder.finish()
        return answer
    }

    private enum Kind: UInt8 { case question = 190, verdict = 191 }

    private var kind: Kind {
        switch self {
        case .question: .question
        case .verdict: .verdict
        }
    }
}

extension AccountQuestion: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(text)
        encoder.put(isHidden)
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        let text = try decoder.text()
        guard text.utf8.count <= Self.textBytes else { throw .malformed }
        self.init(text: text, isHidden: try decoder.bool())
    }
}
