public import ThumbAccess

/// Which program made which access group, and which groups a program may use: its own, those that it made, and those of other programs that
/// the owner opened to it.
public final class Groups {
    /// How many groups are remembered. Beyond that no program can make another.
    public static let limit = 10_000
    /// How many groups one program makes. Each of its searches looks into all of them.
    public static let limitPerProgram = 64
    /// For how many programs the list of groups is kept in memory.
    private static let heldLists = 1000

    /// The program that a group belongs to.
    public struct Maker: Sendable, Hashable {
        /// Its own group's name, under which its items are kept.
        public var app: ExactName
        /// Its name in prompts.
        public var name: String
        public var kind: CallerClass

        /// A program by its own group, its name and its class.
        public init(app: ExactName, name: String, kind: CallerClass) { (self.app, self.name, self.kind) = (app, name, kind) }
    }

    /// The relation of a group to a program that names it.
    public enum Standing: Sendable, Hashable {
        case open
        /// It belongs to nobody. Adding an item there makes it the program's.
        case unmade
        /// The owner has to be asked.
        case ask(Maker)
        case refused
    }

    private let items: any ItemStore
    private let consents: Consents
    /// A group that no other program is ever let into.
    private let closed: ExactName
    private let clock: () -> Double
    private var tables: any HouseTables { consents.tables }
    /// The groups of programs that called recently.
    private var lists: [ExactName: [ExactName]] = [:]
    private var revision = 0
    /// Programs whose own group is known to belong to them.
    private var settled: Set<ExactName> = []

    /// Uses the tables of the consents.
    ///
    /// - Parameter closed: a group that no other program is ever let into.
    public init(items: any ItemStore, consents: Consents, closed: ExactName, clock: @escaping () -> Double) {
        self.items = items
        self.consents = consents
        self.closed = closed
        self.clock = clock
    }

    /// The groups a program may use, its own first.
    public func list(of caller: Caller) throws(KeychainFailure) -> [ExactName] {
        guard caller.mayShare, !caller.own.isEmpty else { return caller.groups }
        if revision != consents.revision || lists.count > Self.heldLists { lists = [:] }
        revision = consents.revision
        if let held = lists[caller.own] { return held }
        var groups = caller.groups
        let made = try tables.groups(.made(by: caller.own)).map(\.group)
        for name in made + (try consents.groups(allowedTo: caller.own)) where !groups.contains(name) && name != closed {
            groups.append(name)
        }
        lists[caller.own] = groups
        return groups
    }

    /// The relation of a group to a program. A group that only the daemon or a protected program can have is refused without a question.
    public func standing(of name: ExactName, for caller: Caller) throws(KeychainFailure) -> Standing {
        if try list(of: caller).contains(name) { return .open }
        guard caller.mayShare, name != Keychain.tokenGroup, name != closed, GroupName.isPlain(name) else { return .refused }
        if try consents.verdict(on: caller.own, .group(name)) == .denied { return .refused }
        guard let maker = try maker(of: name) else { return .unmade }
        return maker.kind == .protected ? .refused : .ask(maker)
    }

    /// The program that the group belongs to; nil if there is none.
    public func maker(of name: ExactName) throws(KeychainFailure) -> Maker? {
        if case .program(let program, let kind) = GroupName.owner(of: name) {
            // Anybody can give a file that name, but the whole path is its own.
            return Maker(app: name, name: kind == .consented ? name.text : program, kind: kind)
        }
        if let made = try tables.groups(.of(name)).first { return made.maker }
        // Items in a group without a maker belong to the program that calls itself by the group's name.
        for itemClass in ItemClass.allCases {
            let anything = Selection(itemClass: itemClass, groups: [name], limit: 1)
            if try !items.select(anything).isEmpty { return Maker(app: name, name: name.text, kind: .consented) }
        }
        return nil
    }

    /// Notes whose group it is before the first item goes into it. A program's own group always belongs to it, even if another program was
    /// there first; that program loses it.
    func claim(_ name: ExactName, for caller: Caller) throws(KeychainFailure) {
        guard caller.mayShare, GroupName.owner(of: name) == .nobody, GroupName.isPlain(name) else { return }
        guard name == caller.own else { return try make(name, for: caller) }
        if settled.contains(name) { return }
        try takeOwn(name, for: caller)
        // Only now: after a failed write the next item claims the group again.
        if settled.count > Self.heldLists { settled = [] }
        settled.insert(name)
    }

    private func takeOwn(_ name: ExactName, for caller: Caller) throws(KeychainFailure) {
        if let before = try tables.groups(.of(name)).first {
            if before.maker.app != caller.own { try write(name, by: caller, insteadOf: before) }
        } else if try tables.countGroups(.all) < Self.limit {
            try write(name, by: caller, insteadOf: nil)
        }
    }

    /// Makes a group of another name the program's, if it is nobody's.
    private func make(_ name: ExactName, for caller: Caller) throws(KeychainFailure) {
        if try maker(of: name) != nil { return }
        guard try tables.countGroups(.all) < Self.limit,
            try tables.countGroups(.made(by: caller.own)) < Self.limitPerProgram
        else { throw .storeUnavailable }
        try write(name, by: caller, insteadOf: nil)
    }

    private func write(_ name: ExactName, by caller: Caller, insteadOf before: MadeGroup?) throws(KeychainFailure) {
        let new = MadeGroup(
            name, by: Maker(app: caller.own, name: caller.program.inWords, kind: caller.kind), date: clock())
        if let before {
            try consents.give(new, insteadOf: before)
        } else {
            try tables.change(removing: [], keeping: [.group(new)])
        }
        lists = [:]
    }
}
