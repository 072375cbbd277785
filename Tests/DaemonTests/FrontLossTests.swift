import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_fingerprint
import thumbturn_test_programs
import thumbturn_test_wire

/// A device of system mode with a socket at which fronts find it, and this test as one front after the other.
private final class FoundDevice {
    let home: Home
    private let path: String
    private let listener: Int32
    private let device: Program

    init() throws {
        home = try Home()
        path = home.folder.path + "/device"
        listener = try Self.listen(at: path)
        // As systemd starts it: the listening socket as descriptor 3, and its own number said in the environment.
        let words = "LISTEN_PID=$$ exec \"$0\" --device \"$1\" --state \"$2\""
        device = try Program(
            ["/bin/sh", "-c", words, Home.program("thumbturnd"), "\(getuid())", home.state.path],
            environment: home.environment.merging(["LISTEN_FDS": "1"]) { $1 }, inherited: listener)
    }

    deinit { UnixSocket.close(listener) }

    private static func listen(at path: String) throws -> Int32 {
        let listener = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0 && CThumbLinux.listen(listener, 4) == 0)
        return listener
    }

    /// A front that has found the device. It has nothing to give: there is neither a TPM nor a reader.
    func front() throws -> Int32 {
        let front = try PacketSocket.connect(to: path).get()
        let (wants, given) = try PacketSocket.pair().get()
        UnixSocket.close(wants)
        try Self.hand(given, WantsLineGiven(), to: front)
        return front
    }

    /// An app whose connection that front hands over.
    static func app(through front: Int32) throws -> WirePeer {
        let (mine, theirs) = try UnixSocket.pair().get()
        // Nothing here takes as long as that.
        UnixSocket.limitReading(mine, seconds: 60)
        try hand(theirs, PeerArrived.program(PeerFacts(file: nil, confinement: .none)), to: front)
        return try WirePeer(on: mine)
    }

    static func say(_ word: some Word, to front: Int32) throws {
        try #require(PacketSocket.send(word.frame(call: 1).plain, to: front, waiting: true) == .sent)
    }

    private static func hand(_ descriptor: Int32, _ word: some Word, to front: Int32) throws {
        defer { UnixSocket.close(descriptor) }
        let outcome = PacketSocket.send(word.frame(call: 0).plain, passing: descriptor, to: front, waiting: true)
        try #require(outcome == .sent)
    }
}

@Suite(
    "A device whose front is lost", .timeLimit(.minutes(5)), .enabled(if: getuid() == 0, "takes root, since a front is root's"))
struct FrontLossTests {
    @Test("nobody waits any longer for what that front knew of the machine")
    func unknown() async throws {
        let answer = try await onThread {
            let device = try FoundDevice()
            let front = try device.front()
            let app = try FoundDevice.app(through: front)
            UnixSocket.close(front)
            return try app.ask(.capability(context: 0, policy: 1))
        }
        guard case .capability = answer else {
            Issue.record("the answer is \(answer)")
            return
        }
    }

    @Test("a machine that slept when the front was lost counts as awake once another front is there")
    func asleep() async throws {
        let events = try await onThread {
            let device = try FoundDevice()
            let first = try device.front()
            try FoundDevice.say(MachineKnown(), to: first)
            let app = try FoundDevice.app(through: first)
            try app.say(.watchSession, 1001)
            // It watches once this is answered.
            guard case .echoed = try app.ask(.echo(SecretBytes(copying: [1]))) else { throw WirePeer.Ended() }
            try FoundDevice.say(Sleeps(), to: first)
            let before = try app.nextEvent()
            UnixSocket.close(first)
            let second = try device.front()
            defer { UnixSocket.close(second) }
            return [before, try app.nextEvent()]
        }
        #expect(events == [.asleep, .awake])
    }
}
