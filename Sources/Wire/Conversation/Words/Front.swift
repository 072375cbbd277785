public import ThumbAccess

// What the processes of system mode say to each other: the front, a user's device, and the servers that many devices share.
// docs/PROTOCOL.md, *Between the processes of system mode*.

/// The system's login says to the front whose device it wants.
public struct Whose: Word, Equatable {
    public static let wireKind = WordKind.whose

    public let uid: UInt32

    public init(uid: UInt32) { self.uid = uid }
    public func encode(to encoder: inout Encoder) { encoder.put(uid) }
    public init(from decoder: inout Decoder) throws(Refusal) { uid = try decoder.value() }
}

/// A client has come. Its connection is passed with this word.
public enum PeerArrived: Word, Equatable {
    /// A program of the user's, as the front found it.
    case program(PeerFacts)
    /// The system's login.
    case login

    public static let wireKind = WordKind.peerArrived

    public func encode(to encoder: inout Encoder) {
        switch self {
        case .program(let facts): encoder.put(UInt8(1), facts)
        case .login: encoder.put(UInt8(2))
        }
    }

    public init(from decoder: inout Decoder) throws(Refusal) {
        switch try decoder.value(UInt8.self) {
        case 1: self = .program(try decoder.value())
        case 2: self = .login
        default: throw .malformed
        }
    }
}

/// Brings contents of the client that comes next, as a descriptor, so that the device takes their digest.
public struct PeerContentsGiven: Word, Equatable {
    public static let wireKind = WordKind.peerContents

    public let part: PeerFacts.Part

    public init(_ part: PeerFacts.Part) { self.part = part }
    public func encode(to encoder: inout Encoder) { encoder.put(part) }
    public init(from decoder: inout Decoder) throws(Refusal) { part = try decoder.value() }
}

/// Brings the device's wants line, as a descriptor.
public struct WantsLineGiven: BareWord {
    public static let wireKind = WordKind.wantsLineGiven
    public init() {}
}

/// The machine is about to sleep. It waits until the device answers that it is done.
public struct Sleeps: BareWord {
    public static let wireKind = WordKind.sleeps
    public init() {}
}

/// The machine is awake again.
public struct Wakes: BareWord {
    public static let wireKind = WordKind.wakes
    public init() {}
}

/// The lid was opened or closed.
public struct LidMoved: Word, Equatable {
    public static let wireKind = WordKind.lidMoved

    public let isClosed: Bool

    public init(isClosed: Bool) { self.isClosed = isClosed }
    public func encode(to encoder: inout Encoder) { encoder.put(isClosed) }
    public init(from decoder: inout Decoder) throws(Refusal) { isClosed = try decoder.value() }
}

/// The user's session was locked or unlocked.
public struct SessionLocked: Word, Equatable {
    public static let wireKind = WordKind.sessionLocked

    public let isLocked: Bool

    public init(isLocked: Bool) { self.isLocked = isLocked }
    public func encode(to encoder: inout Encoder) { encoder.put(isLocked) }
    public init(from decoder: inout Decoder) throws(Refusal) { isLocked = try decoder.value() }
}

/// The user's session came to the front of its seat, or another one did.
public struct SessionInFront: Word, Equatable {
    public static let wireKind = WordKind.sessionInFront

    public let isInFront: Bool

    public init(isInFront: Bool) { self.isInFront = isInFront }
    public func encode(to encoder: inout Encoder) { encoder.put(isInFront) }
    public init(from decoder: inout Decoder) throws(Refusal) { isInFront = try decoder.value() }
}

/// The login manager was asked; everything it knew has been said before this word.
public struct MachineKnown: BareWord {
    public static let wireKind = WordKind.machineKnown
    public init() {}
}

/// Nobody uses the device. It also says how many peers the device has been given in all.
public struct Unused: Word, Equatable {
    public static let wireKind = WordKind.unused

    public let peers: UInt64
    /// Whether the device should end soon, because its store didn't open and should be tried again.
    public let isSoon: Bool

    public init(peers: UInt64, isSoon: Bool) { (self.peers, self.isSoon) = (peers, isSoon) }
    public func encode(to encoder: inout Encoder) { encoder.put(peers, isSoon) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(peers: try decoder.value(), isSoon: try decoder.value())
    }
}

/// The device is to end. Nothing more comes over this line.
public struct EndNow: BareWord {
    public static let wireKind = WordKind.endNow
    public init() {}
}

/// The device wants a connection to one of its servers.
public struct Want: Word, Equatable {
    public static let wireKind = WordKind.want

    /// The servers of a device.
    public enum Server: UInt8, WireChoice, Sendable, CaseIterable {
        /// Judges the account's password.
        case passcode = 1
        /// Looks for the owner's face.
        case face = 2
        case reader = 3
        case tpm = 4
    }

    public let server: Server

    public init(_ server: Server) { self.server = server }
    public func encode(to encoder: inout Encoder) { encoder.put(server) }
    public init(from decoder: inout Decoder) throws(Refusal) { server = try decoder.value() }
}

/// Brings the connection, or says that there is none.
public struct Given: Word, Equatable {
    public static let wireKind = WordKind.given

    public let isThere: Bool

    public init(isThere: Bool) { self.isThere = isThere }
    public func encode(to encoder: inout Encoder) { encoder.put(isThere) }
    public init(from decoder: inout Decoder) throws(Refusal) { isThere = try decoder.value() }
}

extension PeerFacts: WireValue {
    public func encode(to encoder: inout Encoder) { encoder.put(file, confinement, run) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(file: try decoder.value(), confinement: try decoder.value(), run: try decoder.value())
    }
}

extension PeerFacts.File: WireValue {
    public func encode(to encoder: inout Encoder) { encoder.put(path, place, stamp, isName) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            path: try decoder.value(), place: try decoder.value(), stamp: try decoder.value(), isName: try decoder.value())
    }
}

extension PeerFacts.Part: WireChoice {}

extension PeerFacts.Run: WireValue {
    // The digests are the device's to take.
    public func encode(to encoder: inout Encoder) {
        switch self {
        case .script(let file): encoder.put(UInt8(1), file)
        case .text: encoder.put(UInt8(2))
        case .module(let name): encoder.put(UInt8(3), name)
        case .interactive: encoder.put(UInt8(4))
        case .unknown: encoder.put(UInt8(5))
        }
    }

    public init(from decoder: inout Decoder) throws(Refusal) {
        switch try decoder.value(UInt8.self) {
        case 1: self = .script(try decoder.value())
        case 2: self = .text(digest: [])
        case 3: self = .module(try decoder.value())
        case 4: self = .interactive
        case 5: self = .unknown
        default: throw .malformed
        }
    }
}

extension PeerFacts.Confinement: WireValue {
    public func encode(to encoder: inout Encoder) {
        switch self {
        case .none: encoder.put(UInt8(0))
        case .sandbox(.flatpak(let name)): encoder.put(UInt8(1), name)
        case .sandbox(.snap(let name)): encoder.put(UInt8(2), name)
        case .unnamed: encoder.put(UInt8(3))
        }
    }

    public init(from decoder: inout Decoder) throws(Refusal) {
        switch try decoder.value(UInt8.self) {
        case 0: self = .none
        case 1: self = .sandbox(.flatpak(try decoder.value()))
        case 2: self = .sandbox(.snap(try decoder.value()))
        case 3: self = .unnamed
        default: throw .malformed
        }
    }
}
