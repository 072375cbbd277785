/// A program that reads through a provider: it calls the provider, and the provider calls the daemon.
///
/// The provider found all of this out. The daemon believes it as far as it believes the provider.
public struct Reader: Sendable, Hashable {
    /// How many processes above it are named.
    public static let aboveLimit = 8

    /// What tells it from every other program; docs/contributors/secret-service.md has the forms.
    public var identity: ExactName
    /// The program as a prompt shows it.
    public var program: ProgramWords
    /// The names of the processes above it, innermost first. They are safe to show.
    public var above: [String]

    /// A reader by its identity, its words for a prompt, and what it was started by.
    public init(identity: ExactName, program: ProgramWords, above: [String] = []) {
        (self.identity, self.program, self.above) = (identity, program, Array(above.prefix(Self.aboveLimit)))
    }
}

/// Whether a reader gets an item's secret. The numbers travel on the wire.
public enum Readability: UInt8, Sendable, Hashable, CaseIterable {
    /// Without anybody being asked.
    case free = 0
    /// Once the owner has said.
    case asks = 1
    /// Not at all: the owner said no.
    case refused = 2
    /// There is no such item.
    case missing = 3
}
