import Testing
import ThumbMetering

@Suite("Room for frames that are coming")
struct FrameRoomTests {
    @Test("there is as much room as the limit says; a byte more waits, except that one caller may always go on")
    func limit() {
        let room = Room(limit: 100, perUser: 100)
        #expect(room.grow(1, of: "ada", to: 60) && room.grow(2, of: "ada", to: 40))
        #expect(room.total == 100)
        // The first beyond goes on, to its end; nobody else does.
        #expect(room.grow(1, of: "ada", to: 61))
        #expect(!room.grow(2, of: "ada", to: 41))
        #expect(!room.grow(3, of: "ada", to: 1))
        #expect(room.grow(1, of: "ada", to: 200))
    }

    @Test("room that a frame gives back goes to whoever waits, beside the one that may always go on")
    func freed() {
        let room = Room(limit: 100, perUser: 100)
        #expect(room.grow(1, of: "ada", to: 60) && room.grow(2, of: "ada", to: 40) && room.grow(1, of: "ada", to: 61))
        #expect(!room.grow(3, of: "ada", to: 10))
        #expect(room.leave(2, of: "ada") == [3])
        #expect(room.grow(3, of: "ada", to: 10))
    }

    @Test("what a frame has taken counts, and nothing that it only announces")
    func taken() {
        let room = Room(limit: 100, perUser: 100)
        for peer in 1...100 { #expect(room.grow(peer, of: "ada", to: 1)) }
        #expect(room.total == 100)
    }

    @Test("one user's frames leave the rest of the room to others")
    func users() {
        let room = Room(limit: 100, perUser: 60)
        #expect(room.grow(1, of: "eve", to: 60))
        #expect(room.grow(2, of: "eve", to: 1))
        #expect(!room.grow(3, of: "eve", to: 1))
        #expect(room.grow(4, of: "ada", to: 39))
    }

    @Test("what a user's frames took is that user's again when they are whole")
    func givenBack() {
        let room = Room(limit: 100, perUser: 60)
        for _ in 0..<10 {
            #expect(room.grow(1, of: "eve", to: 60))
            #expect(room.leave(1, of: "eve").isEmpty)
        }
        // Both fit. So the one caller that may always go on is still somebody else.
        #expect(room.grow(2, of: "eve", to: 30) && room.grow(3, of: "eve", to: 30))
        #expect(room.grow(4, of: "eve", to: 1) && !room.grow(5, of: "eve", to: 1))
    }

    @Test("frames that are half there never wait for each other: each comes to its end")
    func noDeadlock() {
        let room = Room(limit: 100, perUser: 100)
        var sizes = Dictionary(uniqueKeysWithValues: (1...10).map { ($0, 10) })
        for peer in 1...10 { #expect(room.grow(peer, of: "ada", to: 10)) }
        var (going, ended) = (Array(1...10), 0)
        while let peer = going.first {
            going.removeFirst()
            guard let size = sizes[peer] else { continue }
            if size == 50 {
                sizes[peer] = nil
                ended += 1
                going += room.leave(peer, of: "ada")
            } else if room.grow(peer, of: "ada", to: size + 10) {
                sizes[peer] = size + 10
                going.append(peer)
            }
        }
        #expect(ended == 10 && room.total == 0)
    }

    @Test("waiting callers are woken in turn, user after user, and one that leaves while it waits is forgotten")
    func turns() {
        let room = Room(limit: 10, perUser: 10)
        #expect(room.grow(1, of: "eve", to: 10) && room.grow(2, of: "eve", to: 10))
        for peer in 3...5 { #expect(!room.grow(peer, of: "eve", to: 10)) }
        #expect(!room.grow(9, of: "ada", to: 10))
        #expect(room.leave(4, of: "eve").isEmpty)
        #expect(room.leave(2, of: "eve") == [3])
        #expect(room.leave(3, of: "eve") == [9])
        #expect(room.grow(9, of: "ada", to: 20))
        #expect(room.leave(9, of: "ada") == [5])
    }
}
