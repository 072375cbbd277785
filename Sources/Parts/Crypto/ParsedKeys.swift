import ThumbSecrets

/// The parsed keys that were used last, by whatever names them: a bounded number, from several threads.
///
/// Two halves: a key that is asked for moves to the young one, and when that is full it becomes the old one, whose keys are
/// forgotten. So nothing is sorted, and a key that is used stays.
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

    /// The key of that name: kept, or else made. Two threads that ask at once may both make it, and one's is kept; while a key is
    /// being made, nobody waits. Fails only as `make` does, and then nothing is kept.
    public func key(_ name: Name, _ make: () throws -> VerifyingKey) rethrows -> VerifyingKey {
        if let kept = halves.withLock({ $0.young[name] }) { return kept }
        let key = try halves.withLock { $0.old[name] } ?? make()
        halves.withLock { halves in
            if halves.young.count >= room {
                (halves.old, halves.young) = (halves.young, [:])
            }
            halves.young[name] = key
            halves.old[name] = nil
        }
        return key
    }
}
