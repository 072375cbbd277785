import ThumbSecrets

enum ConversationKind: UInt8 {
    case call = 16
    case here = 17
    case question = 18
    case verdict = 19
    case withdrawn = 20
}

let conversationVersion: UInt8 = 1

/// What both sides of a conversation have once it is joined.
struct Joined: Sendable {
    let crypto: any CompanionCrypto
    let pairing: [UInt8]
    let conversation: [UInt8]
    let salt: [UInt8]
    let keys: (asking: SecretBytes, companion: SecretBytes)

    /// - Parameters:
    ///   - call: the call's frame, as it crossed.
    ///   - shared: of the asking machine's fresh key with the companion's link key, the other way round, and of the fresh keys.
    init(
        _ crypto: any CompanionCrypto, pairing: [UInt8], call: [UInt8], companion: [UInt8], shared: [SecretBytes]
    ) throws(CompanionRefusal) {
        var writer = FormWriter("thumbturn companion conversation 1")
        writer.fixed(pairing)
        writer.fixed(call)
        writer.fixed(companion)
        salt = try crypto.hash(writer.bytes)
        keys = try crypto.derive(shared, salt: salt, info: "thumbturn companion keys 1")
        conversation = Array(call.dropFirst().prefix(FormBytes.conversation))
        (self.crypto, self.pairing) = (crypto, pairing)
    }

    private func binding(_ kind: ConversationKind) -> [UInt8] {
        var writer = FormWriter("thumbturn companion frame 1")
        writer.fixed(pairing)
        writer.byte(kind.rawValue)
        writer.fixed(conversation)
        return writer.bytes
    }

    func box(_ kind: ConversationKind, _ bytes: [UInt8]) throws(CompanionRefusal) -> [UInt8] {
        try crypto.seal(bytes, kind.isAskingMachines ? keys.asking : keys.companion, binding(kind))
    }

    func frame(_ kind: ConversationKind, _ bytes: [UInt8]) throws(CompanionRefusal) -> [UInt8] {
        [kind.rawValue] + conversation + (try box(kind, bytes))
    }

    func open(_ kind: ConversationKind, _ box: [UInt8]) throws(CompanionRefusal) -> [UInt8] {
        try crypto.open(box, kind.isAskingMachines ? keys.asking : keys.companion, binding(kind))
    }

    /// What a frame of that kind holds. Fails if the frame is of another kind.
    func read(_ kind: ConversationKind, _ frame: [UInt8]) throws(CompanionRefusal) -> [UInt8] {
        var reader = FormReader(frame)
        try reader.byte(kind.rawValue)
        guard try reader.fixed(FormBytes.conversation) == conversation else { throw .malformed }
        return try open(kind, reader.all())
    }

    /// What the companion signs to say yes.
    func digest(_ question: QuestionForm) throws(CompanionRefusal) -> [UInt8] {
        var writer = FormWriter("thumbturn companion yes 1")
        writer.fixed(pairing)
        writer.fixed(salt)
        writer.fixed(question.bytes)
        return try crypto.hash(writer.bytes)
    }
}

extension ConversationKind {
    /// Whether it is the asking machine's to say.
    var isAskingMachines: Bool {
        switch self {
        case .call, .question, .withdrawn: true
        case .here, .verdict: false
        }
    }
}

/// Which conversation a frame is of, as far as anybody can see.
public enum ConversationNumber {
    /// nil if the frame is too short to have one.
    public static func of(_ frame: [UInt8]) -> [UInt8]? {
        frame.count > FormBytes.conversation ? Array(frame.dropFirst().prefix(FormBytes.conversation)) : nil
    }

    /// Whether a frame answers a call.
    public static func isAnswer(_ frame: [UInt8]) -> Bool { frame.first == ConversationKind.here.rawValue }

    /// Whether a frame begins a conversation.
    public static func isCall(_ frame: [UInt8]) -> Bool { frame.first == ConversationKind.call.rawValue }
}
