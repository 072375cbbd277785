/// Why something on the bus failed.
public struct BusError: Error, Sendable, Hashable {
    public enum Code: Sendable, Hashable {
        /// There is no bus, or it went away.
        case disconnected
        case timedOut
        case cancelled
        /// Nobody owns that name, and nobody can be started for it.
        case noOwner
        /// The owner of the name runs as another user than expected.
        case wrongOwner
        /// The other side said no.
        case refused
        /// What was sent isn't what was expected, or is over a limit.
        case malformed
        /// There is no memory left for a secret.
        case noRoom
        /// sd-bus itself said no.
        case failed
    }

    public let code: Code
    /// The other side's name for its error: to compare, never to show.
    public let name: String
    /// sd-bus's own number.
    public let number: Int32

    public init(_ code: Code, name: String = "", number: Int32 = 0) {
        self.code = code
        self.name = name
        self.number = number
    }

    public static func == (one: BusError, other: BusError) -> Bool { one.code == other.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
