// Companions: other machines of the owner's that say yes for this one (docs/contributors/companion.md).

/// What a companion's owner is asked, and what the yes is for.
public struct CompanionQuestion: Sendable, Hashable {
    /// The program, as the asking machine's daemon found it.
    public var program: ProgramWords
    /// What for, in the program's own words.
    public var reason: String
    /// Where the owner signs in by answering; the reason is empty then.
    public var signIn: SignInWords?
    /// What is to be satisfied.
    public var subject: EvaluationSubject

    public init(program: ProgramWords, reason: String, signIn: SignInWords? = nil, subject: EvaluationSubject) {
        self.program = program
        self.reason = reason
        self.signIn = signIn
        self.subject = subject
    }
}

/// What became of asking the companions.
public enum CompanionReport: UInt8, Sendable, Hashable {
    /// One of them is there and is asking its owner.
    case asks
    /// The owner said yes at one of them.
    case yes
    /// The owner refused there.
    case refused
    /// Somebody else was there.
    case unrecognized
    /// None answers any more: out of reach, asleep, or too late.
    case away
}

/// A prompt's part in a companion's question.
public enum CompanionWords: Sendable, Hashable {
    /// The program runs on another machine, which its owner here knows by this name.
    case asksFrom(machine: String)
    /// These companions may say yes too.
    case mayAnswer([String])
}

/// Which side of a pairing a machine is. The numbers are on the wire and on disk.
public enum PairingSide: UInt8, Sendable, Hashable, CaseIterable {
    /// Its programs ask.
    case asks = 1
    /// Its owner says yes.
    case answers = 2
}

/// A pairing, as its owner sees it.
public struct CompanionFacts: Sendable, Hashable {
    public static let idBytes = 16

    public var id: [UInt8]
    /// Which side this machine is.
    public var side: PairingSide
    /// The other machine's name here.
    public var name: String
    /// Where the other machine's carrier is; empty if it comes to us.
    public var place: String
    /// When it was made, in seconds since the reference date.
    public var date: Double
    /// Whether a carrier says that it reaches the other one.
    public var isNear: Bool

    public init(id: [UInt8], side: PairingSide, name: String, place: String, date: Double, isNear: Bool) {
        self.id = id
        self.side = side
        self.name = name
        self.place = place
        self.date = date
        self.isNear = isNear
    }
}

/// What an app may know of the companions that say yes for this machine.
public struct CompanionState: Sendable, Hashable {
    /// Changes when a pairing is made or removed, and differs for each app; nil if nothing is paired.
    public var digest: [UInt8]?
    /// Whether one of them is near.
    public var isNear: Bool

    public init(digest: [UInt8]? = nil, isNear: Bool = false) { (self.digest, self.isNear) = (digest, isNear) }
}

/// What an owner wants to pair.
public struct PairingWish: Sendable, Hashable {
    /// The longest name of a machine, in bytes.
    public static let longestName = 64
    /// The longest place: a host's name and a port.
    public static let longestPlace = 270

    public var side: PairingSide
    /// What this machine calls itself.
    public var ownName: String
    /// The other machine's name here; nil: the name that it gives itself.
    public var otherName: String?
    /// Where the other machine's carrier is; empty if it comes to us.
    public var place: String

    public init(side: PairingSide, ownName: String, otherName: String? = nil, place: String = "") {
        self.side = side
        self.ownName = ownName
        self.otherName = otherName
        self.place = place
    }

    /// Whether a text can be a machine's name: shown as it is, and short.
    public static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= longestName && SafeText(text).description.hasSameBytes(as: text)
    }
}
