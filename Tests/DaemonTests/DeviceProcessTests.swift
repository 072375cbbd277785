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

@Suite("A device's socket", .timeLimit(.minutes(5)), .enabled(if: getuid() == 0, "takes root, to be somebody else as well"))
struct DeviceSocketTests {
    @Test("a process that isn't root isn't heard as the front, even if it can connect")
    func stranger() async throws {
        let (said, isLogged) = try await onThread {
            let home = try Home()
            let path = home.folder.path + "/device"
            let listener = try UnixSocket.listen(at: path).get()
            defer { UnixSocket.close(listener) }
            // The socket's own mode would keep the stranger away before anybody looks.
            chmod(home.folder.path, 0o755)
            chmod(path, 0o666)
            // As systemd starts it: the listening socket as descriptor 3, and its own number said in the environment.
            let words = "LISTEN_PID=$$ exec \"$0\" --device \"$1\" --state \"$2\""
            let device = try Program(
                ["/bin/sh", "-c", words, Home.program("thumbturnd"), "\(getuid())", home.state.path],
                environment: home.environment.merging(["LISTEN_FDS": "1"]) { $1 }, inherited: listener)
            let script = """
                import socket, sys
                s = socket.socket(socket.AF_UNIX)
                s.settimeout(30)
                s.connect(sys.argv[1])
                print(len(s.recv(1)))
                """
            let become = ["/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
            let stranger = try Program(
                become + ["/usr/bin/python3", "-c", script, path], environment: ["PATH": "/usr/bin:/bin"])
            let said = try stranger.line()
            guard said == "0" else { return (said, false) }
            return (said, try device.wait(for: "a process that isn't root connected as the front"))
        }
        // The device hangs up.
        #expect(said == "0" && isLogged)
    }
}
