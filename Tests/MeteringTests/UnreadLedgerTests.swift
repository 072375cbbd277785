import Testing
import ThumbMetering

@Suite("What isn't read")
struct UnreadLedgerTests {
    @Test("a connection may have so much unread; a byte more and it goes")
    func perPeer() {
        let ledger = Ledger(perPeer: 10, perUser: 100, limit: 100)
        #expect(ledger.add(10, to: 1, of: "ada", at: 0).isEmpty)
        #expect(ledger.add(1, to: 1, of: "ada", at: 0) == [1])
        #expect(ledger.total == 0)
    }

    @Test("one byte over a user's limit for unread answers closes the connection that has read nothing for longest")
    func perUser() {
        let ledger = Ledger(perPeer: 10, perUser: 20, limit: 100)
        #expect(ledger.add(10, to: 1, of: "ada", at: 0).isEmpty)
        #expect(ledger.add(10, to: 2, of: "ada", at: 1).isEmpty)
        ledger.read(1, by: 1, at: 2)
        #expect(ledger.add(1, to: 3, of: "ada", at: 3).isEmpty)
        #expect(ledger.bytes(of: "ada") == 20)
        #expect(ledger.add(1, to: 3, of: "ada", at: 4) == [2])
        #expect(ledger.bytes(of: "ada") == 11)
    }

    @Test("a connection that has read everything isn't closed for others of its user's")
    func readAll() {
        let ledger = Ledger(perPeer: 10, perUser: 20, limit: 100)
        #expect(ledger.add(10, to: 1, of: "ada", at: 0).isEmpty)
        ledger.read(10, by: 1, at: 1)
        #expect(ledger.add(10, to: 2, of: "ada", at: 2).isEmpty && ledger.add(10, to: 3, of: "ada", at: 3).isEmpty)
        #expect(ledger.add(1, to: 4, of: "ada", at: 4) == [2])
    }

    @Test("where all users have too much unread, whoever has most of it gives way, and nobody else")
    func users() {
        let ledger = Ledger(perPeer: 100, perUser: 100, limit: 100)
        #expect(ledger.add(10, to: 9, of: "ada", at: 0).isEmpty)
        for peer in 1...9 { #expect(ledger.add(10, to: peer + 10, of: "eve", at: Double(peer)).isEmpty) }
        #expect(ledger.add(10, to: 9, of: "ada", at: 10) == [11])
        #expect(ledger.bytes(of: "ada") == 20 && ledger.total == 100)
    }

    @Test("what was read, and whoever has gone, counts no more")
    func read() {
        let ledger = Ledger(perPeer: 10, perUser: 10, limit: 10)
        #expect(ledger.add(10, to: 1, of: "ada", at: 0).isEmpty)
        ledger.read(10, by: 1, at: 1)
        #expect(ledger.add(10, to: 2, of: "ada", at: 1).isEmpty)
        ledger.leave(2)
        ledger.leave(2)
        #expect(ledger.total == 0 && ledger.add(10, to: 3, of: "ada", at: 1).isEmpty)
    }
}
