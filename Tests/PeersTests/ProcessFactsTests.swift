import CThumbLinux
import Foundation
import Testing
import ThumbLoop
import ThumbPeers
import thumbturn_test_programs

@Suite("Who connected") struct ProcessFactsTests {
    @Test("a process that has ended isn't known any more, although nobody else has its number yet", arguments: [false, true])
    func ended(hasEnded: Bool) throws {
        let path = NSTemporaryDirectory() + "thumbturn-peer-\(UInt32.random(in: 0 ... .max))"
        let listener = try UnixSocket.listen(at: path).get()
        defer {
            UnixSocket.close(listener)
            unlink(path)
        }
        let text = """
            import signal, socket, sys
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(sys.argv[1])
            \(hasEnded ? "" : "signal.pause()")
            """
        let child = try spawn(["/usr/bin/python3", "-c", text, path], [:], [.nothing, .descriptor(2), .descriptor(2)])
        defer {
            kill(child, SIGKILL)
            waitpid(child, nil, 0)
        }
        var status = siginfo_t()
        // It keeps its number and its folder in /proc until somebody has asked for its status.
        if hasEnded { try #require(waitid(P_PID, id_t(child), &status, WEXITED | WNOWAIT) == 0) }
        var wait = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        try #require(poll(&wait, 1, 60_000) == 1)
        let connection = try #require(UnixSocket.accept(listener))
        defer { UnixSocket.close(connection) }
        let peer = try #require(UnixSocket.peer(of: connection))
        #expect(peer.pid == child && access("/proc/\(child)", F_OK) == 0)
        #expect((ProcessFacts.of(peer, on: connection) == nil) == hasEnded)
    }
}
