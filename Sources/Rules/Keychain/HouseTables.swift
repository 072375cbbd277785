public import ThumbAccess

// What the house keeps for itself besides the items: the owner's decisions about apps, the makers of groups, allowances, and paired
// machines.

/// The owner's decision about an app's wish.
public struct Consent: Sendable, Hashable {
    /// What tied a program to a bundle identifier when the owner decided.
    public struct Tie: Sendable, Hashable {
        /// How the program is known: by its path, or a word for programs without a path that everybody sees.
        public var program: ExactName
        /// What told its file from others; empty if that couldn't be seen.
        public var file: [UInt8]

        /// A program and its file.
        public init(program: ExactName, file: [UInt8]) { (self.program, self.file) = (program, file) }
    }

    /// The app, its wish and the decision. The app and its wish are the row's name.
    public var known: KnownApp
    /// For a decision about a program under a bundle identifier: which program it is.
    public var tie: Tie?

    /// A decision and, for a bundle identifier, the program that it is about.
    public init(_ known: KnownApp, tie: Tie? = nil) { (self.known, self.tie) = (known, tie) }

    /// Which decisions to look for.
    public enum Search: Sendable, Hashable {
        case all
        /// Every decision about an app.
        case of(ExactName)
        /// The decision about an app's wish.
        case on(ExactName, AppWish)
        /// The decisions about the same wish of every app.
        case about(AppWish)
        /// Those with a tie.
        case ties
        /// Those with a tie to that program.
        case tied(ExactName)
    }
}

/// A group that a program made by adding to it.
public struct MadeGroup: Sendable, Hashable {
    /// The row's name.
    public var group: ExactName
    public var maker: Groups.Maker
    /// When it was made, in seconds since the reference date.
    public var date: Double

    /// A group, its maker, and when it was made.
    public init(_ group: ExactName, by maker: Groups.Maker, date: Double) {
        (self.group, self.maker, self.date) = (group, maker, date)
    }

    /// Which groups to look for.
    public enum Search: Sendable, Hashable {
        case all
        case of(ExactName)
        case made(by: ExactName)
    }
}

/// Something that the owner allows the device although it protects less.
public struct GivenAllowance: Sendable, Hashable {
    /// The row's name.
    public var allowance: Allowance
    /// When it was given, in seconds since the reference date.
    public var date: Double

    /// An allowance, and when it was given.
    public init(_ allowance: Allowance, date: Double) { (self.allowance, self.date) = (allowance, date) }
}

/// A row of one of the tables.
public enum HouseRow: Sendable, Hashable {
    case consent(Consent)
    case group(MadeGroup)
    case allowance(GivenAllowance)
    case machine(PairedMachine)
}

/// Where the house keeps its own rows. They aren't items: no query finds them, no quota counts them, and no backup has them.
public protocol HouseTables: AnyObject {
    /// The decisions that the search matches, in the order in which they first came.
    func consents(_ search: Consent.Search) throws(KeychainFailure) -> [Consent]
    /// The groups that the search matches, in the order in which they were made.
    func groups(_ search: MadeGroup.Search) throws(KeychainFailure) -> [MadeGroup]
    /// Every allowance that was given.
    func allowances() throws(KeychainFailure) -> [GivenAllowance]
    /// Every paired machine, in the order in which they were paired.
    func machines() throws(KeychainFailure) -> [PairedMachine]
    /// How many decisions the search matches.
    func countConsents(_ search: Consent.Search) throws(KeychainFailure) -> Int
    /// How many groups the search matches.
    func countGroups(_ search: MadeGroup.Search) throws(KeychainFailure) -> Int
    /// Removes rows, then adds rows, all or none; they are on disk when this returns. An added row replaces the one of the same name, and a
    /// row to be removed needn't exist.
    func change(removing: [HouseRow], keeping: [HouseRow]) throws(KeychainFailure)
}

extension Consent.Search {
    /// Whether this search matches a decision.
    public func fits(_ consent: Consent) -> Bool {
        switch self {
        case .all: true
        case .of(let app): consent.known.app == app
        case .on(let app, let wish): consent.known.app == app && consent.known.wish == wish
        case .about(let wish): consent.known.wish == wish
        case .ties: consent.tie != nil
        case .tied(let program): consent.tie?.program == program
        }
    }
}

extension MadeGroup.Search {
    /// Whether this search matches a group.
    public func fits(_ made: MadeGroup) -> Bool {
        switch self {
        case .all: true
        case .of(let group): made.group == group
        case .made(let app): made.maker.app == app
        }
    }
}

extension HouseRow {
    /// Whether two rows have the same name, so that one replaces the other.
    public func isSame(as other: HouseRow) -> Bool {
        switch (self, other) {
        case (.consent(let one), .consent(let other)): one.known.app == other.known.app && one.known.wish == other.known.wish
        case (.group(let one), .group(let other)): one.group == other.group
        case (.allowance(let one), .allowance(let other)): one.allowance == other.allowance
        case (.machine(let one), .machine(let other)): one.id == other.id
        case (.consent, _), (.group, _), (.allowance, _), (.machine, _): false
        }
    }
}
