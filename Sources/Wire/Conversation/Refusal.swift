/// Why a frame or a peer is refused. The numbers travel on the wire.
public enum Refusal: UInt8, Error, Sendable, Hashable, CaseIterable {
    case malformed = 1
    case tooLarge = 2
    case versionNotSpoken = 3
    case helloExpected = 4
    case tooManyConnections = 5
    case tooManyCalls = 6
    case unknownKind = 7
    case notAllowedInThisRole = 8
    case ticketNotGood = 9
    case tooManyContexts = 10
    case storeUnavailable = 11
    /// The store opens only with a TPM, and that TPM is absent, a different one, or silent.
    case custodianUnavailable = 12
    /// An old copy of the store was put back.
    case oldCopy = 13
    /// Something is missing from the store, and its owner hasn't agreed to go on without it.
    case storeIncomplete = 14
    /// There is no room just now for what was sent: its user holds too much.
    case noRoom = 15
}
