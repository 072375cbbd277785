import CThumbLinux
import Testing
import ThumbAccess
import ThumbLoop
import ThumbSecrets
import ThumbSystem

@testable import ThumbCarrying

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
