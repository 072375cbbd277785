public import ThumbAccess
public import ThumbSecrets

/// One thing that is said over a connection: a kind, and the values that stand behind it.
public protocol Word: WireValue, Sendable {
    static var wireKind: WordKind { get }
    /// Whether nothing more is said to the call that it answers.
    var isLast: Bool { get }
}

extension Word {
    public var isLast: Bool { true }

    /// The frame that says this.
    public func frame(call: UInt32) -> EncodedFrame {
        var encoder = Encoder(Self.wireKind, call: call)
        encode(to: &encoder)
        return EncodedFrame(encoder)
    }
}

/// A word that says everything by its kind.
public protocol BareWord: Word { init() }

extension BareWord {
    public func encode(to encoder: inout Encoder) {}
    public init(from decoder: inout Decoder) throws(Refusal) { self.init() }
}

/// What an app asks: the word that answers it, and the ways in which it may fail.
public protocol Call: Word {
    associatedtype Reply: Word
    associatedtype Failure: CallFailure = KeychainFailure
}

/// A call that tells how far it has come before it is answered.
public protocol SteppedCall: Call { associatedtype Step: Word }

/// Why a call came to nothing, as the daemon says it.
public protocol CallFailure: Error {
    /// The failure that a frame tells; nil where it tells something else.
    init?(_ frame: Frame) throws(Refusal)
}

/// A frame that came: what kind of word is in it and for which call. It is read by who knows what it has to be.
public struct Frame: Sendable {
    public let kind: WordKind
    public let call: UInt32
    /// How many bytes it has, its kind and its call's number among them.
    public var count: Int { body.count }
    private let body: SecretBytes

    /// Takes a frame, its length already taken off; fails where nobody knows its kind.
    public init(_ body: SecretBytes) throws(Refusal) {
        var decoder = Decoder(body, from: 0)
        guard let kind = WordKind(rawValue: try decoder.value()) else { throw .unknownKind }
        self.kind = kind
        call = try decoder.value()
        self.body = body
    }

    /// The word in it; fails where its kind is another, or what stands behind it isn't exactly right.
    public func word<Said: Word>(_ type: Said.Type = Said.self) throws(Refusal) -> Said {
        guard kind == Said.wireKind else { throw .unknownKind }
        var decoder = Decoder(body, from: WireLimit.headBytes)
        let word = try Said(from: &decoder)
        try decoder.finish()
        return word
    }
}
