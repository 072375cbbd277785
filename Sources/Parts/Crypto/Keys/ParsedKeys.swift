import ThumbSecrets

/// The parsed keys that were used last, by name. Their number is bounded, and several threads may use them.
///
/// There are two halves. A key that is asked for moves to the young half. When that is full it becomes the old half, and the keys of the
/// former old half are forgotten. So nothing has to be sorted, and keys in use stay.
public final class ParsedKeys<Name: Hashable & Sendable>: Sendable {
    private struct Halves {
        var young: [Name: VerifyingKey] = [:]
        var old: [Name: VerifyingKey] = [:]
    }

    private let halves = Locked(Halves())
    private let room: Int

    /// - Parameter count: How many are kept at most, two at least. One takes about three kilobytes.
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

    /// Keeps a key by that name, replacing any other.
    public func keep(_ key: VerifyingKey, as name: Name) {
        halves.withLock { Self.put(key, name, &$0, room) }
    }

    private static func put(_ key: VerifyingKey, _ name: Name, _ halves: inout Halves, _ room: Int) {
        if halves.young[name] == nil, halves.young.count >= room { (halves.old, halves.young) = (halves.young, [:]) }
        halves.young[name] = key
        halves.old[name] = nil
    }
}
