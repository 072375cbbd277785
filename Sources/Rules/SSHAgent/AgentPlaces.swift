/// Who is connected to an agent, and who makes room once as many are as allowed. No process keeps another one out by being connected.
public struct AgentPlaces: Sendable {
    /// What becomes of a new connection.
    public enum Entry: Sendable, Hashable {
        case taken
        /// It is taken, and that one has to be closed.
        case inPlace(of: Int32)
        case refused
    }

    private struct Place {
        let process: Int32
        /// When it was last heard, as a number that grows.
        let heard: UInt64
        var isAnswered = false
    }

    private var places: [Int32: Place] = [:]
    /// Those that lost their places, until they have ended.
    private var leaving: Set<Int32> = []
    private var lastHeard: UInt64 = 0

    /// Makes an agent's places, which are all free.
    public init() {}

    /// All connections that haven't ended.
    public var open: Set<Int32> { leaving.union(places.keys) }

    /// Takes a process's new connection, if need be in the place of another one.
    public mutating func enter(_ connection: Int32, of process: Int32) -> Entry {
        var entry = Entry.taken
        if places.count >= AgentLimit.connections {
            guard let other = silent(for: process) else { return .refused }
            places[other] = nil
            leaving.insert(other)
            entry = .inPlace(of: other)
        }
        places[connection] = Place(process: process, heard: nextHeard())
        return entry
    }

    /// The connection that has been silent longest, of the process that has most. One whose request is being answered isn't silent. A
    /// newcomer gets no place of a process that has fewer than its own.
    private func silent(for newcomer: Int32) -> Int32? {
        let counts = places.values.reduce(into: [Int32: Int]()) { $0[$1.process, default: 0] += 1 }
        func count(_ process: Int32) -> Int { counts[process] ?? 0 }
        let other = places.filter { !$0.value.isAnswered }
            .max { (count($0.value.process), $1.value.heard) < (count($1.value.process), $0.value.heard) }
        return other.flatMap { count($0.value.process) >= count(newcomer) ? $0.key : nil }
    }

    /// Notes that a request has come. Returns false if the connection has lost its place.
    public mutating func begin(_ connection: Int32) -> Bool {
        guard let process = places[connection]?.process else { return false }
        places[connection] = Place(process: process, heard: nextHeard(), isAnswered: true)
        return true
    }

    /// Notes that the request is answered.
    public mutating func rest(_ connection: Int32) { places[connection]?.isAnswered = false }

    /// Forgets a connection that has ended.
    public mutating func leave(_ connection: Int32) {
        places[connection] = nil
        leaving.remove(connection)
    }

    private mutating func nextHeard() -> UInt64 {
        lastHeard += 1
        return lastHeard
    }
}
