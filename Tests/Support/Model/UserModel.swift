/// What one user's items may be, as far as the answers tell. Each answer is held against it: what the answer says must be possible, and
/// only that is possible from then on.
///
/// A change without an answer may have been done or not. Both stay possible until something that is read decides.
public struct UserModel: Sendable {
    /// What is to become of one item.
    public enum Change: Sendable {
        case add(String)
        case update(String)
        case remove
    }

    /// How a change was answered.
    public enum Outcome: Sendable {
        case done
        /// The item was there already, so nothing was added.
        case duplicate
        /// The item wasn't there.
        case notFound
        /// Something else was in the way, and nothing was changed.
        case refused
        /// No answer came.
        case unknown
    }

    /// What was read of one item.
    public enum Sight: Sendable {
        case value(String)
        case nothing
    }

    /// Every value of this user's begins with it, and nobody else's does.
    public let owner: String
    /// What each item may be; nil is an item that isn't there. An item that was never named isn't there.
    private var states: [String: Set<String?>] = [:]

    public init(owner: String) { self.owner = owner }

    public func possible(_ name: String) -> Set<String?> { states[name] ?? [nil] }

    /// The items of which more than one state is possible.
    public var undecided: [String] { states.filter { $0.value.count > 1 }.map(\.key).sorted() }

    /// Everything that was ever named.
    public var names: [String] { states.keys.sorted() }

    /// Takes a change's outcome in. Returns what is wrong with it, if something is.
    public mutating func did(_ change: Change, to name: String, _ outcome: Outcome) -> String? {
        let before = possible(name)
        let there = before.subtracting([nil])
        switch (change, outcome) {
        case (_, .refused): return nil
        case (.add(let value), .done):
            return take([value], of: name, unless: !before.contains(nil), "was added, though it was there")
        case (.add, .duplicate):
            return take(there, of: name, unless: there.isEmpty, "was called a duplicate, though it wasn't there")
        case (.add(let value), .unknown): states[name] = before.contains(nil) ? before.union([value]) : before
        case (.update(let value), .done):
            return take([value], of: name, unless: there.isEmpty, "was changed, though it wasn't there")
        case (.update(let value), .unknown): states[name] = there.isEmpty ? before : before.union([value])
        case (.remove, .done): return take([nil], of: name, unless: there.isEmpty, "was removed, though it wasn't there")
        case (.remove, .unknown): states[name] = before.union([nil])
        case (.update, .notFound), (.remove, .notFound):
            return take([nil], of: name, unless: !before.contains(nil), "wasn't found, though it was there")
        case (.add, .notFound), (.update, .duplicate), (.remove, .duplicate):
            return "\(owner)'s \(name) had an answer that belongs to another call"
        }
        return nil
    }

    /// Takes in what was read. Returns what is wrong with it, if something is.
    public mutating func saw(_ sight: Sight, of name: String) -> String? {
        let before = possible(name)
        switch sight {
        case .nothing: return take([nil], of: name, unless: !before.contains(nil), "is lost")
        case .value(let value):
            guard value.hasPrefix(owner) else { return "\(owner)'s \(name) shows something that isn't \(owner)'s" }
            return take([value], of: name, unless: !before.contains(value), "has a value that it can't have")
        }
    }

    /// Takes in a whole list of what is there. Returns what is wrong with it.
    public mutating func listed(_ found: Set<String>) -> [String] {
        var complaints = found.subtracting(states.keys).sorted().map { "\(owner) is shown \($0), which was never \(owner)'s" }
        for name in names {
            let before = possible(name)
            let there = before.subtracting([nil])
            let complaint =
                found.contains(name)
                ? take(there, of: name, unless: there.isEmpty, "is listed, though it isn't there")
                : take([nil], of: name, unless: !before.contains(nil), "isn't listed, though it is there")
            if let complaint { complaints.append(complaint) }
        }
        return complaints
    }

    /// From now on only these are possible. After a complaint what was answered counts, so that one fault is told once.
    private mutating func take(
        _ after: Set<String?>, of name: String, unless isWrong: Bool, _ complaint: String
    ) -> String? {
        if !after.isEmpty { states[name] = after }
        return isWrong ? "\(owner)'s \(name) \(complaint)" : nil
    }
}
