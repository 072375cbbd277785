import CThumbLinux
import Testing
import ThumbAccess
import ThumbLoop
import ThumbSecrets
import ThumbSystem

@testable import ThumbCarrying

@Suite("Carrying", .timeLimit(.minutes(5)))
struct CarryingTests {
    static let id = [UInt8](1...16)

    static func facts(_ side: PairingSide, _ place: String = "", id: [UInt8] = id) -> CompanionFacts {
        CompanionFacts(id: id, side: side, name: "other", place: place, date: 0, isNear: false)
    }

    @Test("two carriers find each other and carry frames both ways; one that goes away is missed, and found again")
    func twoCarriers() throws {
        let (desk, laptop) = (try Stand(), try Stand())
        laptop.update([Self.facts(.answers)])
        desk.update([Self.facts(.asks, "127.0.0.1:\(laptop.port)")])
        for one in [desk, laptop] { #expect(one.tells(.line(Self.id, true))) }
        let long = [UInt8](repeating: 9, count: CarryingLimit.frame)
        desk.send([1, 2, 3], of: Self.id)
        desk.send(long, of: Self.id)
        #expect(laptop.tells(.frame(Self.id, [1, 2, 3])) && laptop.tells(.frame(Self.id, long)))
        laptop.send([4], of: Self.id)
        #expect(desk.tells(.frame(Self.id, [4])))
        laptop.stop()
        #expect(desk.tells(.line(Self.id, false)))
        laptop.update([Self.facts(.answers)])
        #expect(desk.tells(.line(Self.id, true), times: 2))
    }

    @Test("a pairing that isn't there has no line, and whoever speaks something else is left")
    func strangers() throws {
        let laptop = try Stand()
        laptop.update([Self.facts(.answers)])
        let stranger = try Stranger(laptop.port)
        stranger.say(Parcel(Array(17...32), [5]).bytes + Parcel(Self.id).bytes)
        #expect(try stranger.hear() == [Parcel(Self.id)])
        #expect(laptop.tells(.line(Self.id, true)) && laptop.all.count == 1)
        stranger.say([0, 0, 0, 15] + [UInt8](repeating: 0, count: 15))
        #expect(try stranger.hear() == nil)
        #expect(laptop.tells(.line(Self.id, false)))
    }

    @Test("without a pairing that this machine answers, nobody listens; the last one that goes takes its lines with it")
    func listening() throws {
        let laptop = try Stand()
        #expect(throws: SystemError(ECONNREFUSED)) { _ = try Stranger(laptop.port) }
        laptop.update([Self.facts(.answers)])
        let stranger = try Stranger(laptop.port)
        stranger.say(Parcel(Self.id).bytes)
        #expect(try stranger.hear() == [Parcel(Self.id)])
        laptop.update([Self.facts(.asks, "127.0.0.1:1")])
        #expect(try stranger.hear() == nil)
        #expect(throws: SystemError(ECONNREFUSED)) { _ = try Stranger(laptop.port) }
    }

    @Test("connections that say nothing give way to new ones, and those that carry don't")
    func crowd() throws {
        let laptop = try Stand()
        let ids = (0..<UInt8(CarryingLimit.connections)).map { [UInt8](repeating: $0, count: CompanionFacts.idBytes) }
        laptop.update(ids.map { Self.facts(.answers, id: $0) })
        let silent = try ids.map { _ in try Stranger(laptop.port) }
        // All of them are gone at last, one for each that carries.
        let carrying = try ids.map { id in
            let one = try Stranger(laptop.port)
            one.say(Parcel(id).bytes)
            #expect(try one.hear() == [Parcel(id)])
            return one
        }
        for one in silent { #expect(try one.hear() == nil) }
        #expect(try Stranger(laptop.port).hear() == nil)
        for (one, id) in zip(carrying, ids) {
            one.say(Parcel(id, [7]).bytes)
            #expect(laptop.tells(.frame(id, [7])))
        }
    }

    @Test("strangers who say to be the other machine take nothing away from it once it has spoken, and there are four in all")
    func claims() throws {
        let (desk, laptop) = (try Stand(), try Stand())
        laptop.update([Self.facts(.answers)])
        desk.update([Self.facts(.asks, "127.0.0.1:\(laptop.port)")])
        #expect(desk.tells(.line(Self.id, true)))
        desk.send([3], of: Self.id)
        #expect(laptop.tells(.frame(Self.id, [3])))
        laptop.proven(Self.id, try #require(laptop.connections.withLock { $0.last }))
        let strangers = try (1..<CarryingLimit.connectionsOfPairing).map { _ in
            let one = try Stranger(laptop.port)
            one.say(Parcel(Self.id).bytes)
            #expect(try one.hear() == [Parcel(Self.id)])
            return one
        }
        // A fifth takes the place of the one that came first among those who have shown nothing.
        let fifth = try Stranger(laptop.port)
        fifth.say(Parcel(Self.id).bytes)
        #expect(try fifth.hear() == [Parcel(Self.id)])
        laptop.send([4], of: Self.id)
        #expect(desk.tells(.frame(Self.id, [4])))
        // At once, and not for its silence: until then it would hear two beats at least.
        var parcels = 0
        while let heard = try strangers[0].hear() { parcels += heard.count }
        #expect(parcels < 2)
        // One that leaves takes the line of nobody else with it.
        strangers[1].say([0, 0, 0, 0])
        while try strangers[1].hear() != nil {}
        laptop.send([5], of: Self.id)
        #expect(desk.tells(.frame(Self.id, [5])) && !laptop.all.contains(.line(Self.id, false)))
        // And the connection that was shown to be the other machine's was there all the time.
        #expect(!desk.all.contains(.line(Self.id, false)))
    }

    @Test("whoever brings frame after frame is closed before they all reach the daemon")
    func flood() throws {
        let laptop = try Stand()
        laptop.update([Self.facts(.answers)])
        let stranger = try Stranger(laptop.port)
        let frames = 400
        stranger.say(Parcel(Self.id).bytes + [[UInt8]](repeating: Parcel(Self.id, [9]).bytes, count: frames).joined())
        #expect(try stranger.hear() == [Parcel(Self.id)] && stranger.hear() == nil)
        #expect(laptop.tells(.line(Self.id, false)))
        let heard = laptop.all.count { $0 == .frame(Self.id, [9]) }
        #expect(heard >= CarryingLimit.framesAtOnce && heard < frames)
    }

    @Test("a pairing that this machine asks is heard on the connection that it made, and on none that it accepted")
    func ownConnection() throws {
        let (desk, laptop) = (try Stand(), try Stand())
        let other = [UInt8](repeating: 3, count: CompanionFacts.idBytes)
        laptop.update([Self.facts(.answers)])
        desk.update([Self.facts(.asks, "127.0.0.1:\(laptop.port)"), Self.facts(.answers, id: other)])
        #expect(desk.tells(.line(Self.id, true)))
        let stranger = try Stranger(desk.port)
        stranger.say(Parcel(Self.id, [9]).bytes + Parcel(other).bytes)
        #expect(try stranger.hear() == [Parcel(other)])
        #expect(!desk.all.contains(.frame(Self.id, [9])))
        desk.send([1], of: Self.id)
        #expect(laptop.tells(.frame(Self.id, [1])))
    }

    @Test(
        "both ends of a connection send with the greatest hop limit, and hear only what still has it",
        arguments: [nil, "127.0.0.1"] as [String?])
    func linkAlone(_ address: String?) throws {
        let listener = try LinkSocket.listen(address, port: 0).released()
        defer { close(listener) }
        let port = try #require(LinkSocket.port(of: listener))
        let asking = try LinkSocket.connect(to: "127.0.0.1", port: port, seconds: 30).released()
        defer { close(asking) }
        guard let taken = LinkSocket.accept(listener) else {
            Issue.record("nobody has connected")
            return
        }
        let accepted = taken.released()
        defer { close(accepted) }
        for socket in [listener, asking, accepted] {
            #expect(Self.option(socket, Int32(IPPROTO_IP), IP_TTL) == 255)
            #expect(Self.option(socket, Int32(IPPROTO_IP), IP_MINTTL) == 255)
        }
        // The socket for all addresses is one of version 6, which has limits of its own beside those of version 4.
        for socket in address == nil ? [listener, accepted] : [] {
            #expect(Self.option(socket, Int32(IPPROTO_IPV6), IPV6_UNICAST_HOPS) == 255)
            #expect(Self.option(socket, Int32(IPPROTO_IPV6), IPV6_MINHOPCOUNT) == 255)
        }
    }

    /// What the kernel has for a socket; nil if the socket has no such option.
    private static func option(_ socket: Int32, _ level: Int32, _ name: Int32) -> Int32? {
        var value: Int32 = -1
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(socket, level, name, &value, &length) == 0 ? value : nil
    }

    @Test("whoever reads nothing gets no more than may wait, and is closed once")
    func slow() throws {
        let (mine, theirs) = try UnixSocket.pair().get()
        defer { UnixSocket.close(theirs) }
        let (isOpen, ends) = EventLoop.shared.sync {
            let connection = LinkConnection(owning: mine)
            var ends = 0
            connection.ended = { ends += 1 }
            connection.open()
            let parcel = Parcel(Self.id, [UInt8](repeating: 1, count: CarryingLimit.frame))
            // More than the system keeps for a socket.
            for _ in 0..<1000 { connection.send(parcel) }
            return (connection.isOpen, ends)
        }
        #expect(!isOpen && ends == 1)
    }
}

@Suite("Parcels")
struct ParcelTests {
    private static let id = [UInt8](1...16)

    @Test("parcels are read as they were written, however they were cut", arguments: [1, 3, 4096, .max])
    func cuts(size: Int) throws {
        let parcels = [0, 1, 300, CarryingLimit.frame, 0].map { Parcel(Self.id, [UInt8](repeating: 5, count: $0)) }
        let bytes = parcels.flatMap(\.bytes)
        var (reader, read, place) = (ParcelReader(), [Parcel](), 0)
        while place < bytes.count {
            let end = min(bytes.count, size == .max ? bytes.count : place + size)
            read += try reader.take(Array(bytes[place..<end]))
            place = end
        }
        #expect(read == parcels)
    }

    @Test(
        "a length that no parcel has is refused as soon as it is there, and nothing of it is waited for",
        arguments: [(0, false), (15, false), (16, true), (16_400, true), (16_401, false), (Int(UInt32.max), false)])
    func lengths(length: Int, isTaken: Bool) throws {
        var reader = ParcelReader()
        let head = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
        #expect(try reader.take(Array(head.prefix(3))).isEmpty)
        if isTaken {
            #expect(try reader.take([head[3]]).isEmpty)
        } else {
            #expect(throws: ParcelReader.Malformed.self) { try reader.take([head[3]]) }
        }
    }

    @Test("a place is a host and a port, and an address of version 6 stands in brackets")
    func places() {
        #expect(LinkPlace("laptop.local:8876") == LinkPlace(host: "laptop.local", port: 8876))
        #expect(LinkPlace("[fe80::1%eth0]:1")?.host == "fe80::1%eth0")
        #expect(LinkPlace(host: "fe80::1", port: 2).text == "[fe80::1]:2")
        for odd in ["", "laptop", ":8876", "laptop:", "laptop:0", "laptop:65536", "laptop:x"] { #expect(LinkPlace(odd) == nil) }
    }
}
