import Testing
import ThumbMetering

@Suite("A fair line")
struct FairLineTests {
    private func emptied(_ line: Line<String, String, String>) -> [String] {
        var order: [String] = []
        while let next = line.next() { order.append(next) }
        return order
    }

    @Test("users take turns, however much one of them has waiting")
    func users() {
        let line = Line<String, String, String>(perPeer: 100, perUser: 100)
        for number in 1...50 { #expect(line.add("eve \(number)", of: "eve's", "eve")) }
        #expect(line.add("ada 1", of: "ada's", "ada"))
        #expect(line.add("ada 2", of: "ada's", "ada"))
        #expect(emptied(line).prefix(5) == ["eve 1", "ada 1", "eve 2", "ada 2", "eve 3"])
    }

    @Test("within a user's turns the connections take turns")
    func peers() {
        let line = Line<String, String, String>(perPeer: 100, perUser: 100)
        for number in 1...9 { #expect(line.add("greedy \(number)", of: "greedy", "eve")) }
        #expect(line.add("modest", of: "modest", "eve"))
        #expect(emptied(line).prefix(3) == ["greedy 1", "modest", "greedy 2"])
    }

    @Test("what one connection brought is done in its order")
    func order() {
        let line = Line<String, String, String>(perPeer: 100, perUser: 100)
        for number in 1...9 { #expect(line.add("\(number)", of: "a", "ada")) }
        #expect(emptied(line) == (1...9).map { "\($0)" })
    }

    @Test("a connection has as many waiting as its limit, and one more is not taken")
    func perPeer() {
        let line = Line<String, String, Int>(perPeer: 3, perUser: 100)
        for number in 1...3 { #expect(line.add(number, of: "a", "ada")) }
        #expect(!line.add(4, of: "a", "ada"))
        #expect(line.add(4, of: "b", "ada"))
        #expect(line.next() == 1)
        #expect(line.add(5, of: "a", "ada"))
    }

    @Test("a user has as many waiting as the limit, and one more is not taken; another user's are")
    func perUser() {
        let line = Line<String, Int, Int>(perPeer: 3, perUser: 4)
        for number in 1...4 { #expect(line.add(number, of: number, "ada")) }
        #expect(!line.add(5, of: 5, "ada"))
        #expect(line.add(5, of: 5, "eve"))
    }

    @Test("a caller that leaves takes its waiting work along, and nobody's turn is lost")
    func gone() {
        let line = Line<String, String, String>(perPeer: 9, perUser: 9)
        for peer in ["a", "b"] { for number in 1...2 { #expect(line.add("\(peer)\(number)", of: peer, "ada")) } }
        #expect(line.add("e1", of: "e", "eve"))
        line.remove("a", of: "ada")
        line.remove("nobody", of: "ada")
        #expect(emptied(line) == ["b1", "e1", "b2"])
        line.remove("b", of: "ada")
        line.remove("e", of: "eve")
        #expect(line.isEmpty && line.next() == nil)
    }
}
