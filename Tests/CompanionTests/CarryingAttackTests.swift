import CThumbLinux
import Testing
import ThumbAccess
import ThumbLoop
import ThumbSecrets
import ThumbSystem

@testable import ThumbCarrying

/// A port at which nobody takes connections, and as many wait as can: further ones are dropped unanswered.
private final class Asleep {
    let port: UInt16
    private var sockets: [Int32] = []

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let bound = Self.withAddress(0) { bind(listener, $0, $1) }
        try #require(bound == 0 && listen(listener, 0) == 0)
        let port = try #require(LinkSocket.port(of: listener))
        (self.port, sockets) = (port, [listener])
        // A connect that doesn't end is one too many.
        while sockets.count < 64 {
            let fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            sockets.append(fd)
            _ = Self.withAddress(port) { connect(fd, $0, $1) }
            var wait = pollfd(fd: fd, events: Int16(POLLOUT), revents: 0)
            if poll(&wait, 1, 500) == 0 { return }
        }
        throw SystemError(EADDRINUSE)
    }

    private static func withAddress(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var place = sockaddr_in()
        (place.sin_family, place.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
        place.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return withUnsafePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }

    deinit { for fd in sockets { close(fd) } }
}

// Strangers on the link, and machines that are away.
extension CarryingTests {
    @Test("whoever is closed for its many frames and connects anew brings no more by that")
    func floodAnew() throws {
        let laptop = try Stand()
        laptop.update([Self.facts(.answers)])
        let rounds = 8
        let frames = [[UInt8]](repeating: Parcel(Self.id, [9]).bytes, count: 400).joined()
        for round in 1...rounds {
            let stranger = try Stranger(laptop.port)
            stranger.say(Parcel(Self.id).bytes + frames)
            while try stranger.hear() != nil {}
            #expect(laptop.tells(.line(Self.id, false), times: round))
        }
        let heard = laptop.all.count { $0 == .frame(Self.id, [9]) }
        #expect(heard >= CarryingLimit.framesAtOnce && heard < rounds * CarryingLimit.framesAtOnce)
    }

    @Test("strangers who say to be the other machine, and then nothing, don't keep it out")
    func idleClaims() throws {
        let (desk, laptop) = (try Stand(), try Stand())
        laptop.update([Self.facts(.answers)])
        let strangers = try (0..<CarryingLimit.connectionsOfPairing).map { _ in
            let one = try Stranger(laptop.port)
            one.say(Parcel(Self.id).bytes)
            #expect(try one.hear() == [Parcel(Self.id)])
            return one
        }
        desk.update([Self.facts(.asks, "127.0.0.1:\(laptop.port)")])
        #expect(desk.tells(.line(Self.id, true)))
        // At once, and not for its silence: until then it would hear two beats at least.
        var parcels = 0
        while let heard = try strangers[0].hear() { parcels += heard.count }
        #expect(parcels < 2)
        desk.send([1], of: Self.id)
        #expect(laptop.tells(.frame(Self.id, [1])))
    }

    @Test("a number that is no connection of the pairing's proves nothing, and one that is lost doesn't keep its place")
    func lostProof() throws {
        let laptop = try Stand()
        laptop.update([Self.facts(.answers)])
        let first = try Stranger(laptop.port)
        first.say(Parcel(Self.id, [1]).bytes)
        #expect(laptop.tells(.frame(Self.id, [1])))
        laptop.proven(Self.id, try #require(laptop.connections.withLock { $0.last }))
        laptop.proven(Self.id, .max)
        first.say([0, 0, 0, 0])
        #expect(laptop.tells(.line(Self.id, false)))
        // All places are free again, for whoever comes.
        let strangers = try (0...CarryingLimit.connectionsOfPairing).map { _ in
            let one = try Stranger(laptop.port)
            one.say(Parcel(Self.id).bytes)
            #expect(try one.hear() == [Parcel(Self.id)])
            return one
        }
        while try strangers[0].hear() != nil {}
    }

    @Test("a pairing that is taken away has no line any more, even over a connection that others go on with")
    func takenAway() throws {
        let laptop = try Stand()
        let other = [UInt8](repeating: 3, count: CompanionFacts.idBytes)
        laptop.update([Self.facts(.answers), Self.facts(.answers, id: other)])
        let stranger = try Stranger(laptop.port)
        stranger.say(Parcel(Self.id).bytes)
        #expect(try stranger.hear() == [Parcel(Self.id)])
        laptop.update([Self.facts(.answers, id: other)])
        #expect(laptop.tells(.line(Self.id, false)))
        laptop.send([1], of: Self.id)
        stranger.say(Parcel(Self.id, [2]).bytes + Parcel(other).bytes)
        #expect(try stranger.hear() == [Parcel(other)])
        #expect(!laptop.all.contains(.frame(Self.id, [2])))
    }

    @Test("machines that are away don't keep one that is there from being reached")
    func away() throws {
        let (desk, laptop) = (try Stand(), try Stand())
        // As a machine that sleeps: its system answers nobody any more.
        let asleep = try Asleep()
        laptop.update([Self.facts(.answers)])
        let others = (20..<UInt8(27)).map { [UInt8](repeating: $0, count: CompanionFacts.idBytes) }
        desk.update(
            others.map { Self.facts(.asks, "127.0.0.1:\(asleep.port)", id: $0) } + [Self.facts(.asks, "127.0.0.1:\(laptop.port)")]
        )
        // One after the other they would take longer than this waits.
        #expect(desk.tells(.line(Self.id, true), within: .seconds(Double(others.count - 2) * CarryingLimit.secondsToConnect)))
        #expect(desk.all == [.line(Self.id, true)])
        withExtendedLifetime(asleep) {}
    }

    @Test("whoever brings more than a pairing has, while two machines are being paired, is closed")
    func pairingFlood() throws {
        let (mine, theirs) = try UnixSocket.pair().get()
        defer { UnixSocket.close(theirs) }
        let parcel = Parcel(Parcel.unpaired, [1])
        let bytes = [[UInt8]](repeating: parcel.bytes, count: CarryingLimit.parcelsOfPairing + 1).joined()
        #expect(send(theirs, Array(bytes), bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
        let heard = Locked(0)
        EventLoop.shared.sync {
            let connection = LinkConnection(owning: mine)
            connection.parcelsLeft = CarryingLimit.parcelsOfPairing
            connection.heard = { _ in heard.withLock { $0 += 1 } }
            // The connection lasts as long as this.
            connection.ended = { connection.heard = { _ in } }
            connection.open()
        }
        var byte: UInt8 = 0
        // Ends when it is closed.
        #expect(read(theirs, &byte, 1) <= 0)
        #expect(heard.withLock { $0 } == CarryingLimit.parcelsOfPairing)
    }
}

// Beside the others, which are run again and again: this one takes as long as a silence.
@Suite("Carrying nothing", .timeLimit(.minutes(5)))
struct CarryingSilenceTests {
    @Test("whoever falls silent is closed after a while, and two carriers that have nothing to carry aren't")
    func silence() throws {
        let (desk, laptop) = (try Stand(), try Stand())
        laptop.update([CarryingTests.facts(.answers)])
        desk.update([CarryingTests.facts(.asks, "127.0.0.1:\(laptop.port)")])
        for one in [desk, laptop] { #expect(one.tells(.line(CarryingTests.id, true))) }
        let stranger = try Stranger(laptop.port)
        stranger.say(Parcel(CarryingTests.id).bytes)
        // An answer, and the beats of that while. Whoever is never closed hears beats for ever.
        var (parcels, isClosed) = (0, false)
        while !isClosed, parcels < 8 {
            if let heard = try stranger.hear() { parcels += heard.count } else { isClosed = true }
        }
        #expect(isClosed)
        desk.send([1], of: CarryingTests.id)
        #expect(laptop.tells(.frame(CarryingTests.id, [1])))
        for one in [desk, laptop] { #expect(!one.all.contains(.line(CarryingTests.id, false))) }
    }
}
