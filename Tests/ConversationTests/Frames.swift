import ThumbSecrets
import thumbturn_test_wire

@testable import ThumbConversation

/// A secret of those bytes.
func secret(_ bytes: [UInt8]) -> SecretBytes {
    // A test without locked memory for a few bytes can't go on.
    try! SecretBytes(copying: bytes)
}

func secret(_ text: String) -> SecretBytes { secret(Array(text.utf8)) }

extension EncodedFrame {
    /// The frame without its length, as a reader gets it.
    var body: [UInt8] { Array(bytes.dropFirst(4)) }
}

extension Word {
    /// What a reader gets where this is said to call 1.
    var body: [UInt8] { frame(call: 1).body }
}

extension Frame {
    init(_ body: [UInt8]) throws(Refusal) { try self.init(secret(body)) }

    /// The word in it, of the type that its kind has.
    func anyWord() throws(Refusal) -> any Word { try word(kind.wordType) }
}

/// Why something can't be read; nil if it can.
func whyUnreadable<Read>(_ read: () throws(Refusal) -> Read) -> Refusal? {
    do throws(Refusal) {
        _ = try read()
        return nil
    } catch {
        return error
    }
}

/// Why a body isn't a request, which is what a peer may say in one role or another; nil if it is one.
func refusal(request body: [UInt8]) -> Refusal? {
    whyUnreadable { () throws(Refusal) in
        let frame = try Frame(body)
        guard frame.kind != .hello else { return try frame.word(Hello.self) as any Word }
        // What one role may not say, another may; what isn't a peer's is refused by all alike.
        for role in Role.peers where !role.isOutOfPlace(frame) { return try role.read(frame) }
        throw .unknownKind
    }
}

/// Why a body isn't an answer, which is what the daemon says to its peers; nil if it is one.
func refusal(answer body: [UInt8]) -> Refusal? {
    whyUnreadable { () throws(Refusal) in
        let frame = try Frame(body)
        guard frame.kind != .hello, (Role.peers + Role.ofHelpers).allSatisfy({ $0.isOutOfPlace(frame) }),
            !(Kinds.ofBrokers + [Kinds.ofFront]).contains(where: { $0.contains(frame.kind.rawValue) })
        else {
            throw .unknownKind
        }
        return try frame.anyWord()
    }
}
