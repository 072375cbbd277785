import Testing
import ThumbSSHAgent

@Suite("An agent's places")
struct PlacesTests {
    /// The numbers of connections are 1, 2, 3…
    private func full(_ process: (Int32) -> Int32) -> AgentPlaces {
        var places = AgentPlaces()
        for number in 1...Int32(AgentLimit.connections) { #expect(places.enter(number, of: process(number)) == .taken) }
        return places
    }

    private let next = Int32(AgentLimit.connections) + 1

    @Test("As many as may be connected are taken, and one more in the place of the one that was silent longest")
    func most() {
        var places = full { _ in 7 }
        _ = places.begin(1)
        places.rest(1)
        #expect(places.enter(next, of: 8) == .inPlace(of: 2))
        let mayGoOn = [1, 2, next].map { places.begin($0) }
        #expect(mayGoOn == [true, false, true])
        // What lost its place is open until it has ended.
        #expect(places.open.count == AgentLimit.connections + 1)
        places.leave(2)
        #expect(places.open == Set(1...next).subtracting([2]))
    }

    @Test("Who ends leaves its place to another one")
    func leaving() {
        var places = full { _ in 7 }
        places.leave(5)
        #expect(places.enter(next, of: 7) == .taken)
        #expect(places.enter(next + 1, of: 7) == .inPlace(of: 1))
    }

    @Test("Room is made by the process that has most of them, however long others have been silent")
    func greedy() {
        var places = full { $0 <= 3 ? $0 : 7 }
        #expect(places.enter(next, of: 1) == .inPlace(of: 4))
        #expect(places.enter(next + 1, of: 7) == .inPlace(of: 5))
    }

    @Test("A connection whose request is being answered keeps its place")
    func answered() {
        var places = full { _ in 7 }
        // Nothing was heard of the first one since, because its answer takes so long.
        _ = places.begin(1)
        for number in 2..<next {
            _ = places.begin(number)
            places.rest(number)
        }
        #expect(places.enter(next, of: 8) == .inPlace(of: 2))
        places.rest(1)
        #expect(places.enter(next + 1, of: 8) == .inPlace(of: 1))
    }

    @Test("A process of which every request is being answered gets no place of one that has fewer")
    func busy() {
        var places = full { $0 == 1 ? 1 : 7 }
        for number in 2..<next { _ = places.begin(number) }
        #expect(places.enter(next, of: 7) == .refused)
        #expect(places.enter(next, of: 8) == .inPlace(of: 1))
        _ = places.begin(next)
        #expect(places.enter(next + 1, of: 9) == .refused)
    }
}
