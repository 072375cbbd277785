public import ThumbAccess
public import ThumbSecrets

/// One thing that is said over a connection: a kind, followed by its values.
public protocol Word: WireValue, Sendable {
    static var wireKind: WordKind { get }
    /// Whether this is the last word that answers its call.
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

/// A word without values: its kind says everything.
public protocol BareWord: Word { init() }

extension BareWord {
    public func encode(to encoder: inout Encoder) {}
    public init(from decoder: inout Decoder) throws(Refusal) { self.init() }
}

/// What an app asks. It names the word that answers it and the ways in which it may fail.
public protocol Call: Word {
    associatedtype Reply: Word
    associatedtype Failure: CallFailure = KeychainFailure
}

/// A call that reports its progress before it is answered.
public protocol SteppedCall: Call { associatedtype Step: Word }

/// Why a call failed, as the daemon says it.
public protocol CallFailure: Error {
    /// The failure that a frame reports; nil if it reports something else.
    init?(_ frame: Frame) throws(Refusal)
}

/// A frame that arrived: the kind of its word and the call it belongs to. The receiver knows which word it expects and decodes it.
public struct Frame: Sendable {
    public let kind: WordKind
    public let call: UInt32
    /// How many bytes it has, including its kind and its call's number.
    public var count: Int { body.count }
    private let body: SecretBytes

    /// Takes a frame without its length. Fails if the kind is unknown.
    public init(_ body: SecretBytes) throws(Refusal) {
        var decoder = Decoder(body, from: 0)
        guard let kind = WordKind(rawValue: try decoder.value()) else { throw .unknownKind }
        self.kind = kind
        call = try decoder.value()
        self.body = body
    }

    /// Decodes the word. Fails if it is of another kind, or if its values aren't exactly right.
    public func word<Said: Word>(_ type: Said.Type = Said.self) throws(Refusal) -> Said {
        guard kind == Said.wireKind else { throw .unknownKind }
        var decoder = Decoder(body, from: WireLimit.headBytes)
        let word = try Said(from: &decoder)
        try decoder.finish()
        return word
    }
}
