import ThumbAccess
public import ThumbSecrets

// Pairing, one type a state: what comes in moves a state to the next one, and a frame that isn't the state's has no place to go.

private enum Kind {
    static let commitment: UInt8 = 1
    static let answer: UInt8 = 2
    static let opening: UInt8 = 3
    static let confirmation: UInt8 = 4
}

private let version: UInt8 = 1

/// What a machine says of itself when it is paired.
struct PairingSelf: Sendable {
    let nonce: [UInt8]
    let link: [UInt8]
    let name: String

    func commitment(_ crypto: any CompanionCrypto) throws(CompanionRefusal) -> [UInt8] {
        var writer = FormWriter("thumbturn companion commitment 1")
        writer.fixed(nonce)
        writer.fixed(link)
        writer.text(name)
        return try crypto.hash(writer.bytes)
    }
}

/// The asking machine has committed itself and waits for the companion's answer.
public struct PairingOffered: Sendable {
    private let crypto: any CompanionCrypto
    private let own: PairingSelf
    /// To be sent first.
    public let frame: [UInt8]

    public init(_ crypto: any CompanionCrypto, link: [UInt8], name: String) throws(CompanionRefusal) {
        self.crypto = crypto
        own = PairingSelf(nonce: try crypto.random(FormBytes.nonce), link: link, name: name)
        var writer = FormWriter()
        writer.byte(Kind.commitment)
        writer.byte(version)
        writer.fixed(try own.commitment(crypto))
        frame = writer.bytes
    }

    /// The companion has answered. The state after this has the opening, which is to be sent.
    public func answered(_ answer: [UInt8]) throws(CompanionRefusal) -> PairingCompared {
        var reader = FormReader(answer)
        try reader.byte(Kind.answer)
        _ = try reader.fixed(FormBytes.nonce)
        let (link, yes) = (try reader.fixed(FormBytes.point), try reader.fixed(FormBytes.point))
        let name = try reader.text()
        try reader.end()
        var writer = FormWriter()
        writer.byte(Kind.opening)
        writer.fixed(own.nonce)
        writer.fixed(own.link)
        writer.text(own.name)
        return try PairingCompared(
            crypto, .asks, frames: [frame, answer, writer.bytes], toSend: writer.bytes, link: link, yes: yes, name: name)
    }
}

/// The companion has answered a commitment and waits for it to be opened.
public struct PairingAnswered: Sendable {
    private let crypto: any CompanionCrypto
    private let commitment: [UInt8]
    /// To be sent.
    public let frame: [UInt8]

    /// Takes the asking machine's first frame.
    public init(
        _ crypto: any CompanionCrypto, _ commitment: [UInt8], link: [UInt8], yes: [UInt8], name: String
    ) throws(CompanionRefusal) {
        var reader = FormReader(commitment)
        try reader.byte(Kind.commitment)
        try reader.byte(version)
        _ = try reader.fixed(FormBytes.hash)
        try reader.end()
        self.crypto = crypto
        self.commitment = commitment
        var writer = FormWriter()
        writer.byte(Kind.answer)
        writer.fixed(try crypto.random(FormBytes.nonce))
        writer.fixed(link)
        writer.fixed(yes)
        writer.text(name)
        frame = writer.bytes
    }

    /// The asking machine has opened its commitment. Fails with `.notGenuine` if it committed itself to something else.
    public func opened(_ opening: [UInt8]) throws(CompanionRefusal) -> PairingCompared {
        var reader = FormReader(opening)
        try reader.byte(Kind.opening)
        let other = PairingSelf(
            nonce: try reader.fixed(FormBytes.nonce), link: try reader.fixed(FormBytes.point), name: try reader.text())
        try reader.end()
        guard ConstantTime.equal(try other.commitment(crypto), Array(commitment.dropFirst(2))) else { throw .notGenuine }
        return try PairingCompared(
            crypto, .answers, frames: [commitment, frame, opening], toSend: nil, link: other.link, yes: [], name: other.name)
    }
}

/// Both know both sides. The owner compares the two screens.
public struct PairingCompared: Sendable {
    private let crypto: any CompanionCrypto
    private let side: PairingSide
    private let transcript: [UInt8]
    /// To be sent before anything else; nil: nothing is.
    public let frame: [UInt8]?
    public let id: [UInt8]
    /// Six digits.
    public let code: String
    /// The other side's link key.
    public let link: [UInt8]
    /// The companion's yes key, on the asking machine; empty on the companion.
    public let yes: [UInt8]
    /// What the other machine calls itself.
    public let name: String

    fileprivate init(
        _ crypto: any CompanionCrypto, _ side: PairingSide, frames: [[UInt8]], toSend: [UInt8]?, link: [UInt8], yes: [UInt8],
        name: String
    ) throws(CompanionRefusal) {
        guard PairingWish.isName(name) else { throw .malformed }
        var writer = FormWriter("thumbturn companion pairing 1")
        for frame in frames { writer.counted(frame) }
        transcript = try crypto.hash(writer.bytes)
        id = Array(try crypto.hash(Array("thumbturn companion id 1".utf8) + transcript).prefix(FormBytes.pairing))
        let number = try crypto.hash(Array("thumbturn companion code 1".utf8) + transcript).prefix(8)
        let digits = String(number.reduce(0) { $0 << 8 | UInt64($1) } % 1_000_000)
        code = String(repeating: "0", count: 6 - digits.count) + digits
        (self.crypto, self.side, frame, self.link, self.yes, self.name) = (crypto, side, toSend, link, yes, name)
    }

    /// The owner has confirmed here. `shared` is what this machine's link key shares with the other one.
    public func confirmed(_ shared: SecretBytes) throws(CompanionRefusal) -> PairingConfirmed {
        let keys = try crypto.derive([shared], salt: transcript, info: "thumbturn companion confirmation 1")
        return try PairingConfirmed(crypto, side, keys)
    }
}

/// The owner has confirmed on this side, and the other side's confirmation is waited for.
public struct PairingConfirmed: Sendable {
    private let crypto: any CompanionCrypto
    private let theirs: SecretBytes
    /// To be sent.
    public let frame: [UInt8]

    fileprivate init(
        _ crypto: any CompanionCrypto, _ side: PairingSide, _ keys: (asking: SecretBytes, companion: SecretBytes)
    ) throws(CompanionRefusal) {
        self.crypto = crypto
        theirs = side == .asks ? keys.companion : keys.asking
        frame = [Kind.confirmation] + (try crypto.seal([], side == .asks ? keys.asking : keys.companion, [Kind.confirmation]))
    }

    /// Whether a frame is the other side's confirmation. Fails with `.notGenuine` if it isn't that machine's.
    public func isConfirmed(by confirmation: [UInt8]) throws(CompanionRefusal) {
        var reader = FormReader(confirmation)
        try reader.byte(Kind.confirmation)
        guard try crypto.open(reader.all(), theirs, [Kind.confirmation]).isEmpty else { throw .malformed }
    }
}

extension PairingCompared {
    /// Whether a frame has the form of a confirmation, which may come before this side's owner has confirmed.
    public static func isConfirmation(_ frame: [UInt8]) -> Bool { frame.first == Kind.confirmation }
}
