import CThumbLinux
import Foundation
import Testing
import ThumbConversation
import ThumbLoop
import thumbturn_test_programs

/// A device of system mode, and this test as its front.
@Suite("A device's process", .timeLimit(.minutes(10)))
struct DeviceProcessTests {
    private let home: Home
    private let device: Program
    /// The front's end of the device's line.
    private let events: Int32

    init() throws {
        home = try Home()
        let (mine, theirs) = try PacketSocket.pair().get()
        defer { UnixSocket.close(theirs) }
        // No store can be opened there.
        try Data("no store".utf8).write(to: home.state.appending(path: "items.db"))
        device = try Program(
            [Home.program("thumbturnd"), "--device", "\(getuid())", "--front-fd", "3", "--state", home.state.path],
            environment: home.environment, inherited: theirs)
        events = mine
        // This front has nothing to give: there is neither a TPM nor a reader.
        let (wants, given) = try PacketSocket.pair().get()
        UnixSocket.close(wants)
        hand(given, WantsLineGiven())
    }

    private func hand(_ descriptor: Int32, _ word: some Word) {
        #expect(PacketSocket.send(word.frame(call: 0).plain, passing: descriptor, to: events, waiting: true) == .sent)
        UnixSocket.close(descriptor)
    }

    @Test("one that can only refuse ends when it is told to, though somebody it refused stays")
    func refusing() throws {
        defer { UnixSocket.close(events) }
        let (client, theirs) = try UnixSocket.pair().get()
        defer { UnixSocket.close(client) }
        hand(theirs, PeerArrived.login)
        #expect(PacketSocket.send(EndNow().frame(call: 0).plain, to: events, waiting: true) == .sent)
        #expect(device.status() == 0)
        let log = try String(contentsOf: home.state.appending(path: "daemon.log"), encoding: .utf8)
        #expect(log.contains("the store can't be opened"))
    }

    @Test("one that nobody uses ends with its front")
    func orphaned() throws {
        UnixSocket.close(events)
        #expect(device.status() == 0)
    }
}
