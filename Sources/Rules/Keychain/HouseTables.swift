public import ThumbAccess

// What the house keeps for itself beside the items: the owner's words on apps, who made which group, and allowances.

/// The owner's word on what an app wants.
public struct Consent: Sendable, Hashable {
    /// What tied a program to a bundle identifier when the word was given.
    public struct Tie: Sendable, Hashable {
        /// What the program is known by: its path, or a word for programs without a path that everybody sees.
        public var program: ExactName
        /// What told its file from others; empty where that couldn't be seen.
        public var file: [UInt8]

        /// A program and its file.
        public init(program: ExactName, file: [UInt8]) { (self.program, self.file) = (program, file) }
    }

    /// Who wants what, and what the owner said. The app and its wish are the row's name.
    public var known: KnownApp
    /// Where the word is about a program that goes on under a bundle identifier: which one.
    public var tie: Tie?

    /// A word, and for a bundle identifier the program that it is about.
    public init(_ known: KnownApp, tie: Tie? = nil) { (self.known, self.tie) = (known, tie) }

    /// Which words are wanted.
    public enum Search: Sendable, Hashable {
        case all
        /// Every word on an app.
        case of(ExactName)
        /// The word on an app's wish.
        case on(ExactName, AppWish)
        /// Every app's word on the same wish.
        case about(AppWish)
        /// Those with a tie.
        case ties
        /// Those whose tie is to that program.
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

    /// Which groups are wanted.
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
}

/// Where the house keeps its own rows. They are no items: no query finds them, no quota counts them, and no backup has them.
public protocol HouseTables: AnyObject {
    /// The words that are looked for, in the order in which they first came.
    func consents(_ search: Consent.Search) throws(KeychainFailure) -> [Consent]
    /// The groups that are looked for, in the order in which they were made.
    func groups(_ search: MadeGroup.Search) throws(KeychainFailure) -> [MadeGroup]
    /// Every allowance that was given.
    func allowances() throws(KeychainFailure) -> [GivenAllowance]
    /// How many such words there are.
    func countConsents(_ search: Consent.Search) throws(KeychainFailure) -> Int
    /// How many such groups there are.
    func countGroups(_ search: MadeGroup.Search) throws(KeychainFailure) -> Int
    /// Takes rows out, then puts rows in, all or none; on disk when it returns. A row that is put in takes the place of the one of
    /// its name, and one that isn't there needn't be taken out.
    func change(removing: [HouseRow], keeping: [HouseRow]) throws(KeychainFailure)
}

extension Consent.Search {
    /// Whether a word is among those wanted.
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
    /// Whether a group is among those wanted.
    public func fits(_ made: MadeGroup) -> Bool {
        switch self {
        case .all: true
        case .of(let group): made.group == group
        case .made(let app): made.maker.app == app
        }
    }
}

extension HouseRow {
    /// Whether two rows have one name, so that one takes the other's place.
    public func isSame(as other: HouseRow) -> Bool {
        switch (self, other) {
        case (.consent(let one), .consent(let other)): one.known.app == other.known.app && one.known.wish == other.known.wish
        case (.group(let one), .group(let other)): one.group == other.group
        case (.allowance(let one), .allowance(let other)): one.allowance == other.allowance
        case (.consent, _), (.group, _), (.allowance, _): false
        }
    }
}
