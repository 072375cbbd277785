/// The calls that we haven't answered yet, and whose they are.
struct CallsUnderWay<Call> {
    private struct Entry {
        let sender: String
        let bytes: Int
        var call: Call?
    }

    private struct Share {
        var numbers: Set<UInt64> = []
        var bytes = 0
    }

    private var entries: [UInt64: Entry] = [:]
    private var shares: [String: Share] = [:]
    private var bytes = 0
    private var last: UInt64 = 0

    var count: Int { entries.count }

    /// Counts a call in. nil if it is one too many, or its values are too much.
    mutating func begin(_ sender: String, bytes more: Int, _ call: Call) -> UInt64? {
        let share = shares[sender] ?? Share()
        guard entries.count < BusLimit.answeringAll, bytes + more <= BusLimit.heldOfAll,
            share.numbers.count < BusLimit.answeringOne, share.bytes + more <= BusLimit.heldOfOne
        else { return nil }
        last += 1
        entries[last] = Entry(sender: sender, bytes: more, call: call)
        shares[sender, default: Share()].numbers.insert(last)
        shares[sender]?.bytes += more
        bytes += more
        return last
    }

    /// Counts a call out. Returns it unless its caller has left.
    mutating func end(_ number: UInt64) -> Call? {
        guard let entry = entries.removeValue(forKey: number) else { return nil }
        bytes -= entry.bytes
        shares[entry.sender]?.bytes -= entry.bytes
        shares[entry.sender]?.numbers.remove(number)
        if shares[entry.sender]?.numbers.isEmpty == true { shares[entry.sender] = nil }
        return entry.call
    }

    /// Takes out the calls of a caller that has left. They are counted until they end: otherwise a caller could come back again and again
    /// before its old calls notice.
    mutating func leave(_ sender: String) -> [Call] {
        guard let share = shares[sender] else { return [] }
        return share.numbers.compactMap { take($0) }
    }

    /// Takes out all calls.
    mutating func leaveAll() -> [Call] { entries.keys.compactMap { take($0) } }

    private mutating func take(_ number: UInt64) -> Call? {
        defer { entries[number]?.call = nil }
        return entries[number]?.call
    }
}
