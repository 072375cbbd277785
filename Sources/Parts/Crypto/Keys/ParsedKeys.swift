import ThumbSecrets

/// The parsed keys that were used last, by their names: a bounded number, for use from several threads.
///
/// There are two halves. A key that is asked for moves to the young one. When that is full it becomes the old one, and the keys
/// of the old one are forgotten. So nothing is sorted, and a key that is used stays.
public final class ParsedKeys<Name: Hashable & Sendable>: Sendable {
    private struct Halves {
        var young: [Name: VerifyingKey] = [:]
        var old: [Name: VerifyingKey] = [:]
    }

    private let halves = Locked(Halves())
    private let room: Int

    /// - Parameter count: How many are kept at most, two at least. One takes some three kilobytes.
    public init(atMost count: Int) { room = max(1, count / 2) }

    /// How many are kept now.
    public var count: Int { halves.withLock { $0.young.count + $0.old.count } }

    /// The key of that name, if it is kept.
    public func kept(_ name: Name) -> VerifyingKey? {
        halves.withLock { halves in
            if let key = halves.young[name] { return key }
            guard let key = halves.old[name] else { return nil }
            Self.put(key, name, &halves, room)
            return key
        }
    }

    /// Keeps a key by that name, in place of one that is kept.
    public func keep(_ key: VerifyingKey, as name: Name) {
        halves.withLock { Self.put(key, name, &$0, room) }
    }

    private static func put(_ key: VerifyingKey, _ name: Name, _ halves: inout Halves, _ room: Int) {
        if halves.young[name] == nil, halves.young.count >= room { (halves.old, halves.young) = (halves.young, [:]) }
        halves.young[name] = key
        halves.old[name] = nil
    }
}
