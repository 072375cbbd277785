public import ThumbAccess

// Paired machines: pairing them, and carrying sealed frames between this daemon and another one (docs/contributors/companion.md). The
// frames have nothing in them that a carrier could read, so they are ordinary bytes here.

// MARK: Pairing

/// Pairs another machine, after the owner's passcode. Its frames go over this connection, and the call ends with the pairing.
public struct PairCompanion: SteppedCall {
    public static let wireKind = WordKind.pairCompanion
    public typealias Reply = CompanionPaired
    public typealias Step = PairingFrameOut

    public let wish: PairingWish

    public init(_ wish: PairingWish) { self.wish = wish }
    public func encode(to encoder: inout Encoder) { encoder.put(wish.side, wish.ownName, wish.otherName, wish.place) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        wish = PairingWish(
            side: try decoder.value(), ownName: try decoder.value(), otherName: try decoder.value(), place: try decoder.value())
        guard PairingWish.isName(wish.ownName), wish.otherName.map(PairingWish.isName) ?? true,
            wish.place.utf8.count <= PairingWish.longestPlace,
            SafeText(wish.place, limit: .max).description.hasSameBytes(as: wish.place)
        else { throw .malformed }
    }
}

/// A frame of the other machine's for the pairing that runs on this connection.
public struct PairingFrameIn: Word {
    public static let wireKind = WordKind.pairingFrameIn

    public let frame: [UInt8]

    public init(_ frame: [UInt8]) { self.frame = frame }
    public func encode(to encoder: inout Encoder) { encoder.put(frame) }
    public init(from decoder: inout Decoder) throws(Refusal) { frame = try CompanionFrame.read(&decoder) }
}

/// A frame of this machine's for the other one.
public struct PairingFrameOut: Word {
    public static let wireKind = WordKind.pairingFrameOut
    public var isLast: Bool { false }

    public let frame: [UInt8]

    public init(_ frame: [UInt8]) { self.frame = frame }
    public func encode(to encoder: inout Encoder) { encoder.put(frame) }
    public init(from decoder: inout Decoder) throws(Refusal) { frame = try CompanionFrame.read(&decoder) }
}

/// The two machines are paired.
public struct CompanionPaired: Word {
    public static let wireKind = WordKind.companionPaired

    public let companion: CompanionFacts

    public init(_ companion: CompanionFacts) { self.companion = companion }
    public func encode(to encoder: inout Encoder) { encoder.put(companion) }
    public init(from decoder: inout Decoder) throws(Refusal) { companion = try decoder.value() }
}

/// Lists the paired machines.
public struct ListCompanions: BareWord, Call {
    public static let wireKind = WordKind.listCompanions
    public typealias Reply = CompanionList
    public init() {}
}

public struct CompanionList: Word {
    public static let wireKind = WordKind.companionList

    public let companions: [CompanionFacts]

    public init(_ companions: [CompanionFacts]) { self.companions = companions }
    public func encode(to encoder: inout Encoder) { encoder.put(companions) }
    public init(from decoder: inout Decoder) throws(Refusal) { companions = try decoder.value() }
}

/// Removes a pairing, after the owner's passcode.
public struct RemoveCompanion: Call {
    public static let wireKind = WordKind.removeCompanion
    public typealias Reply = Done

    public let id: [UInt8]

    public init(_ id: [UInt8]) { self.id = id }
    public func encode(to encoder: inout Encoder) { encoder.put(id) }
    public init(from decoder: inout Decoder) throws(Refusal) { id = try CompanionFrame.id(&decoder) }
}

// MARK: Carrying

/// Makes this connection the device's carrier. The call has no end of its own: frames come out of it, and prompts for questions of other
/// machines.
public struct CarryCompanions: BareWord, Call {
    public static let wireKind = WordKind.carryCompanions
    public typealias Reply = CarriedOut
    public init() {}
}

/// A frame to be carried to the other machine of a pairing.
public struct CarriedOut: Word {
    public static let wireKind = WordKind.carriedOut
    public var isLast: Bool { false }

    public let pairing: [UInt8]
    public let frame: [UInt8]

    public init(_ pairing: [UInt8], _ frame: [UInt8]) { (self.pairing, self.frame) = (pairing, frame) }
    public func encode(to encoder: inout Encoder) { encoder.put(pairing, frame) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        pairing = try CompanionFrame.id(&decoder)
        frame = try CompanionFrame.read(&decoder)
    }
}

/// A frame that was carried here.
public struct CarriedIn: Word {
    public static let wireKind = WordKind.carriedIn

    public let pairing: [UInt8]
    public let frame: [UInt8]
    /// The carrier's own number for the connection that brought it; 0 if nobody else can be there.
    public let connection: UInt32

    public init(_ pairing: [UInt8], _ frame: [UInt8], connection: UInt32 = 0) {
        (self.pairing, self.frame, self.connection) = (pairing, frame, connection)
    }
    public func encode(to encoder: inout Encoder) { encoder.put(pairing, frame, connection) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        pairing = try CompanionFrame.id(&decoder)
        frame = try CompanionFrame.read(&decoder)
        connection = try decoder.value()
    }
}

/// Over a connection of the carrier's came a question that opened: it is the other machine's.
public struct CompanionProven: Word {
    public static let wireKind = WordKind.companionProven
    public var isLast: Bool { false }

    public let pairing: [UInt8]
    public let connection: UInt32

    public init(_ pairing: [UInt8], connection: UInt32) { (self.pairing, self.connection) = (pairing, connection) }
    public func encode(to encoder: inout Encoder) { encoder.put(pairing, connection) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        pairing = try CompanionFrame.id(&decoder)
        connection = try decoder.value()
    }
}

/// Whether the carrier reaches the other machine of a pairing.
public struct CompanionLine: Word {
    public static let wireKind = WordKind.companionLine

    public let pairing: [UInt8]
    public let isUp: Bool

    public init(_ pairing: [UInt8], isUp: Bool) { (self.pairing, self.isUp) = (pairing, isUp) }
    public func encode(to encoder: inout Encoder) { encoder.put(pairing, isUp) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        pairing = try CompanionFrame.id(&decoder)
        isUp = try decoder.value()
    }
}

// MARK: What apps may know

/// Asks which companions may say yes, without naming them.
public struct GetCompanionState: BareWord, Call {
    public static let wireKind = WordKind.getCompanionState
    public typealias Reply = CompanionState
    public typealias Failure = Never
    public init() {}
}

extension CompanionState: Word {
    public static let wireKind = WordKind.companionState

    public func encode(to encoder: inout Encoder) { encoder.put(digest, isNear) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(digest: try decoder.value(), isNear: try decoder.value())
    }
}

extension CompanionFacts: WireValue {
    public func encode(to encoder: inout Encoder) { encoder.put(id, side, name, place, date, isNear) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            id: try CompanionFrame.id(&decoder), side: try decoder.value(), name: try decoder.value(),
            place: try decoder.value(), date: try decoder.value(), isNear: try decoder.value())
    }
}

/// The parts that the words of companions share.
private enum CompanionFrame {
    static func read(_ decoder: inout Decoder) throws(Refusal) -> [UInt8] {
        let frame: [UInt8] = try decoder.value()
        guard !frame.isEmpty, frame.count <= WireLimit.companionFrame else { throw .malformed }
        return frame
    }

    static func id(_ decoder: inout Decoder) throws(Refusal) -> [UInt8] {
        let id: [UInt8] = try decoder.value()
        guard id.count == CompanionFacts.idBytes else { throw .malformed }
        return id
    }
}
