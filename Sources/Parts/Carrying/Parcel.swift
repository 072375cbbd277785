import ThumbAccess
import ThumbMetering

/// The limits of carrying, as docs/contributors/companion.md gives their reasons.
public enum CarryingLimit {
    /// A frame between two paired machines.
    public static let frame = 16 << 10
    /// The pairing, and a frame.
    public static let parcel = CompanionFacts.idBytes + frame
    /// How often a carrier says for each pairing that it is there.
    public static let secondsBetweenBeats = 5.0
    /// After this long without a word a line counts as lost.
    public static let secondsOfSilence = 15.0
    /// Seconds for a connection, and before the next try.
    public static let secondsToConnect = 5.0
    public static let secondsBetweenTries = 3.0
    /// Connections that a carrier accepts: as many as eight pairings may have, and some that have said nothing yet.
    public static let connections = 40
    /// Connections that say that they are of one pairing.
    public static let connectionsOfPairing = 4
    /// Frames that a connection, and all of a pairing's together, may bring at once, and seconds until one more. A question has two or three.
    public static let framesAtOnce = 40
    public static let secondsToNextFrame = 0.1
    static var pace: Pace { Pace(framesAtOnce, pause: secondsToNextFrame) }
    /// Parcels that a connection may bring while two machines are being paired: each side sends two.
    public static let parcelsOfPairing = 8
    /// What may wait for a slow carrier.
    public static let waitingBytes = 64 << 10
    public static let defaultPort: UInt16 = 8876
}

/// What one carrier sends to another: a sealed frame of a pairing. Without a frame it says that the carrier is here for that pairing.
public struct Parcel: Sendable, Hashable {
    public let pairing: [UInt8]
    public let frame: [UInt8]

    /// The pairing of a parcel while two machines are being paired.
    public static let unpaired = [UInt8](repeating: 0, count: CompanionFacts.idBytes)

    public init(_ pairing: [UInt8], _ frame: [UInt8] = []) { (self.pairing, self.frame) = (pairing, frame) }

    /// As it crosses.
    public var bytes: [UInt8] {
        let length = UInt32(pairing.count + frame.count)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> UInt32($0)) } + pairing + frame
    }
}

/// Takes parcels out of what comes, piece by piece.
public struct ParcelReader: Sendable {
    /// The other side doesn't speak this language.
    public struct Malformed: Error {}

    private var bytes: [UInt8] = []

    public init() {}

    /// The parcels that are whole after these bytes came. Fails at the first length that no parcel has; nothing is kept of it.
    public mutating func take(_ more: [UInt8]) throws(Malformed) -> [Parcel] {
        bytes += more
        var parcels: [Parcel] = []
        var place = 0
        while bytes.count - place >= 4 {
            let length = Int(bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) })
            guard length >= CompanionFacts.idBytes, length <= CarryingLimit.parcel else {
                bytes = []
                throw Malformed()
            }
            guard bytes.count - place - 4 >= length else { break }
            let body = bytes[(place + 4)..<(place + 4 + length)]
            parcels.append(Parcel(Array(body.prefix(CompanionFacts.idBytes)), Array(body.dropFirst(CompanionFacts.idBytes))))
            place += 4 + length
        }
        bytes.removeFirst(place)
        return parcels
    }
}
